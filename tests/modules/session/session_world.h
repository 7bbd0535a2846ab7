// session_world.h — a session over the real catalog and transactions, a scripted planner and
// executor.
//
// Role:     ScriptedPlanner knows a small language, one statement per ";":
//             ROWS n        a query of n rows of one int4 column "n": 1, 2, …
//             ADD n         a change of n rows;  SLEEP: waits until it is cancelled
//             FAIL          a query that fails with 22012;  BAD (anywhere): 42601 when parsed
//             PARAM         a query of one row, its parameter $1 of type int4
//             BEGIN [RR|RO], COMMIT, ROLLBACK, SAVEPOINT x, RELEASE x, BACKTO x
//             SET [LOCAL] name value, RESET name, SHOW name, PREPARE name text, EXEC name,
//             DEALLOCATE name, DISCARD ALL, TABLE name, TABLE? name (if not exists), DROP name,
//             DROP? name, DATABASE name, LOCK name, EXPLAIN, ANALYZE, COPY IN name, COPY OUT name
//           RecordingSink writes what a client would get, one line each.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "modules/catalog/pg_catalog/pg_catalog.h"
#include "modules/catalog/stored_catalog.h"
#include "modules/metering/metering_service.h"
#include "modules/session/session_factory.h"
#include "modules/txn/manager.h"
#include "tests/support/mem_engine.h"

namespace coppice::testing {

class ScriptedPlanner final : public Planner {
 public:
  Result<std::unique_ptr<ParsedScript>> parse(std::string_view text, Budget& budget) override;
  Result<Statement> plan(const ParsedScript& script, std::size_t statement,
                         const PlanContext& context) override;
  std::vector<std::string> explain(const QueryPlan& plan, const ExplainStatement& options,
                                   std::span<const OperatorStats> stats) const override;
  Result<ExpressionRef> bind_default(std::string_view sql, TypeOid type, std::int32_t modifier,
                                     const PlanContext& context) override;
  int planned = 0;  // statements

 private:
  Result<Statement> plan_text(std::string_view text, const PlanContext& context);
  Result<Statement> plan_query(std::string_view word, std::string_view rest,
                               const PlanContext& context) const;
};

// What insert_rows() was given, as text.
class ScriptedExecutor final : public Executor {
 public:
  explicit ScriptedExecutor(Catalog& catalog) : catalog_(catalog) {}
  Result<std::unique_ptr<Query>> open(std::shared_ptr<const QueryPlan> plan,
                                      const ExecuteContext& context) override;
  Result<std::uint64_t> insert_rows(const TableInfoRef& table, const RowBatch& batch,
                                    const ExecuteContext& context) override;
  Status build_index(NamespaceId ns, Oid table, const NewIndex& definition,
                     const ExecuteContext& context) override;
  Result<Value> evaluate(const Expression& expression, const ExecuteContext& context) override;
  std::vector<std::string> inserted;  // "1|a|NULL"
  std::vector<std::string> built;     // names of indexes

 private:
  Catalog& catalog_;
};

class RecordingSink final : public ResultSink {
 public:
  Status columns(std::span<const ResultColumn> columns) override;
  Status rows(const RowBatch& batch) override;
  Status command_complete(std::string_view tag) override;
  Status empty_query() override;
  Status notice(const Error& notice) override;
  Status parameter_changed(std::string_view name, std::string_view value) override;
  Status copy_in_begin(const CopyFormat& format) override;
  Result<std::optional<ByteView>> copy_in_next() override;
  Status copy_out_begin(const CopyFormat& format) override;
  Status copy_out_data(ByteView data) override;
  Status copy_out_end() override;

  // All lines so far, joined by "; ", and forgotten.
  std::string take();
  std::vector<std::string> input;  // pieces for COPY FROM STDIN
  bool show_rows = true;

 private:
  std::vector<std::string> lines_;
  std::vector<ResultColumn> columns_;
  std::size_t input_at_ = 0;
};

class SessionWorld {
 public:
  SessionWorld();
  // Everything below runs on a fiber.
  void start();
  std::unique_ptr<Session> open(std::vector<std::pair<std::string, std::string>> settings = {});
  // Runs a text; the lines, then "ERROR state message", then the transaction's letter.
  std::string run(Session& session, std::string_view text);

  MemEngine engine;
  txn::LockingTxnManager txns{engine};
  std::unique_ptr<SqlRegistry> registry;
  std::unique_ptr<catalog::PgCatalog> pg_catalog;
  std::unique_ptr<catalog::StoredCatalog> catalog;
  metering::MeteringService metering{std::uint64_t{256} << 20, nullptr};
  session::SettingTable settings;
  session::UsageBoard usage;
  std::unique_ptr<ScriptedPlanner> planner;
  std::unique_ptr<ScriptedExecutor> executor;
  std::unique_ptr<session::SqlSessionFactory> factory;
  RecordingSink sink;

 private:
  std::uint32_t processes_ = 0;
};

// "ERROR 22012 division by zero"
std::string error_text(const Error& error);

}  // namespace coppice::testing
