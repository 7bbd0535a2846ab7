// planner.h — SQL text to bound statements.
//
// Role:     parses, binds names and types against a catalog view, plans. Keeps the shape cache.
// Owns:     a ParsedScript owns its trees; plans are shared.
// Threads:  all methods from any fiber.
// Parks:    parse() of long texts (helper thread); plan() when it asks the engine for counts.
// Errors:   SQLSTATEs with position in the text; 0A000 naming what is not supported.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interfaces/catalog.h"
#include "interfaces/types/statement.h"

namespace coppice {

class ParsedScript {
 public:
  virtual ~ParsedScript() = default;
  virtual std::size_t size() const = 0;  // statements
  virtual std::string_view text(std::size_t statement) const = 0;
  // What may run in a failed transaction block: COMMIT, ROLLBACK, ROLLBACK TO.
  virtual bool ends_transaction(std::size_t statement) const = 0;
};

struct PlanContext {
  CatalogViewRef catalog;
  std::span<const std::string> search_path;  // schema names, pg_catalog implied first
  std::string_view user;
  const SqlSettings* settings = nullptr;
  std::span<const TypeOid> parameter_types;  // as declared; 0: infer
  Engine* engine = nullptr;
  ReadView view;  // for counts
};

class Planner {
 public:
  virtual ~Planner() = default;
  // The text must outlive the script.
  virtual Result<std::unique_ptr<ParsedScript>> parse(std::string_view text, Budget& budget) = 0;
  virtual Result<Statement> plan(const ParsedScript& script, std::size_t statement,
                                 const PlanContext& context) = 0;
  // EXPLAIN's lines for a plan; for ANALYZE with the figures of its run (`stats`, by node; else
  // empty). METER's and the total lines are the session's.
  virtual std::vector<std::string> explain(const QueryPlan& plan, const ExplainStatement& options,
                                           std::span<const OperatorStats> stats) const = 0;
  // A DEFAULT's text, for INSERT and ALTER: an expression without columns of type `type`.
  virtual Result<ExpressionRef> bind_default(std::string_view sql, TypeOid type,
                                             std::int32_t modifier, const PlanContext& context) = 0;
};

}  // namespace coppice
