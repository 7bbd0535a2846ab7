// sql_planner.h — the Planner service.
//
// Role:     parse() by modules/planner/parse, plan() by bind/, explain() by explain/.
// Threads:  any.
// Parks:    parse() of long texts, on a helper thread; plan() when it asks the engine for counts.
// Errors:   as interfaces/planner.h.
#pragma once

#include "interfaces/planner.h"

namespace coppice::planner {

class SqlPlanner final : public Planner {
 public:
  explicit SqlPlanner(const SqlRegistry& registry) : registry_(registry) {}

  Result<std::unique_ptr<ParsedScript>> parse(std::string_view text, Budget& budget) override;
  Result<Statement> plan(const ParsedScript& script, std::size_t statement,
                         const PlanContext& context) override;
  std::vector<std::string> explain(const QueryPlan& plan, const ExplainStatement& options,
                                   std::span<const OperatorStats> stats) const override;
  Result<ExpressionRef> bind_default(std::string_view sql, TypeOid type, std::int32_t modifier,
                                     const PlanContext& context) override;

 private:
  const SqlRegistry& registry_;
};

}  // namespace coppice::planner
