// statement_runner.h — runs one bound statement and says its tag.
//
// Role:     a visitor over types/statement.h. One file per family: transaction_commands,
//           setting_commands, ddl_commands, copy_commands, explain_command, prepared_commands.
// Threads:  one at a time.
// Parks:    as the statement does.
// Errors:   PostgreSQL's; 0A000 where a kind of statement is not done yet.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "modules/session/session_state.h"

namespace coppice::session {

class StatementRunner {
 public:
  StatementRunner(SessionState& state, const Answer& answer, std::vector<Value> parameters = {})
      : state_(state), answer_(answer), parameters_(std::move(parameters)) {}

  // Its statement has begun (in a failed block: not) with `view`.
  Result<std::string> run(const Statement& statement, const CatalogViewRef& view);

  Result<std::string> operator()(const std::shared_ptr<const QueryPlan>& plan);
  Result<std::string> operator()(const BeginStatement& statement);
  Result<std::string> operator()(const CommitStatement& statement);
  Result<std::string> operator()(const RollbackStatement& statement);
  Result<std::string> operator()(const SavepointStatement& statement);
  Result<std::string> operator()(const SetStatement& statement);
  Result<std::string> operator()(const ShowStatement& statement);
  Result<std::string> operator()(const CreateTableStatement& statement);
  Result<std::string> operator()(const CreateIndexStatement& statement);
  Result<std::string> operator()(const DropStatement& statement);
  Result<std::string> operator()(const TruncateStatement& statement);
  Result<std::string> operator()(const CreateSchemaStatement& statement);
  Result<std::string> operator()(const CreateDatabaseStatement& statement);
  Result<std::string> operator()(const DropDatabaseStatement& statement);
  Result<std::string> operator()(const CopyStatement& statement);
  Result<std::string> operator()(const ExplainStatement& statement);
  Result<std::string> operator()(const PrepareStatement& statement);
  Result<std::string> operator()(const ExecuteStatement& statement);
  Result<std::string> operator()(const DeallocateStatement& statement);
  Result<std::string> operator()(const DiscardStatement& statement);
  Result<std::string> operator()(const LockTableStatement& statement);
  Result<std::string> operator()(const MaintenanceStatement& statement);

 private:
  // 25001 for what has transactions of its own.
  Status forbid_block(std::string_view command);
  // 25P01 for what makes no sense without one.
  Status demand_block(std::string_view command) const;
  Status warn(std::string_view state, std::string message);
  Status notice(std::string_view state, std::string message);

  Result<std::string> set(const SetStatement& statement);
  Status set_transaction(const SetStatement& statement);
  Result<std::string> build_index_alone(const TableInfo& table, const NewIndex& definition);
  Result<bool> is_empty(const TableInfo& table);
  Result<std::vector<Value>> argument_values(const ExecuteStatement& statement,
                                             const Prepared& prepared);
  Result<std::shared_ptr<const QueryPlan>> plan_to_explain(const Statement& statement);
  Result<Value> convert(Value value, TypeOid from, TypeOid to) const;
  Result<std::string> copy_from(const CopyStatement& statement);
  Result<std::string> copy_to(const CopyStatement& statement);
  Result<TableInfoRef> locked_table(const QualifiedName& name, RelationLock mode);
  Result<std::shared_ptr<const QueryPlan>> plan_of_table(const CopyStatement& statement);
  Status drop_one(const DropStatement& statement, const QualifiedName& name);
  Status drop_schema(const DropStatement& statement, std::string_view name);
  Result<std::string> show_all();

  NamespaceId ns() const { return state_.who.database.ns; }
  Transaction& txn() { return *state_.block.transaction(); }

  SessionState& state_;
  const Answer& answer_;
  std::vector<Value> parameters_;
  CatalogViewRef view_;
};

// What SHOW says of one setting: of the transaction too.
Result<std::string> show_value(const SessionState& state, std::string_view name);

}  // namespace coppice::session
