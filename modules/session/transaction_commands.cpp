// transaction_commands.cpp — BEGIN, COMMIT, ROLLBACK, savepoints.
#include "interfaces/types/sql_error.h"
#include "modules/session/statement_runner.h"

namespace coppice::session {

namespace {

Error unsupported_serializable() {
  return sql_error(sqlstate::kFeatureNotSupported, "SERIALIZABLE isolation is not supported")
      .note(sql_field::kHint, "Use REPEATABLE READ.");
}

std::unexpected<Error> chain_outside(std::string_view command) {
  return std::unexpected(sql_error(
      "25P01", std::string(command) + " AND CHAIN can only be used in transaction blocks"));
}

}  // namespace

Result<std::string> StatementRunner::operator()(const BeginStatement& statement) {
  const std::string tag = statement.start ? "START TRANSACTION" : "BEGIN";
  if (statement.isolation == Isolation::kSerializable)
    return std::unexpected(unsupported_serializable());
  if (state_.block.in_block()) {
    COPPICE_TRY(warn("25001", "there is already a transaction in progress"));
    return tag;
  }
  state_.block.drop_unused();
  state_.block.begin(statement.isolation, statement.read_only);
  return tag;
}

Result<std::string> StatementRunner::operator()(const CommitStatement& statement) {
  TransactionBlock& block = state_.block;
  if (!block.in_block()) {
    if (statement.chain) return chain_outside("COMMIT");
    COPPICE_TRY(warn("25P01", "there is no transaction in progress"));
    COPPICE_TRY(state_.commit());
    return "COMMIT";
  }
  const bool failed = block.failed();
  const Isolation isolation = block.isolation();
  const bool read_only = block.read_only();
  COPPICE_TRY(state_.commit());
  if (statement.chain) block.begin(isolation, read_only);
  return failed ? "ROLLBACK" : "COMMIT";
}

Result<std::string> StatementRunner::operator()(const RollbackStatement& statement) {
  TransactionBlock& block = state_.block;
  if (!block.in_block()) {
    if (statement.chain) return chain_outside("ROLLBACK");
    COPPICE_TRY(warn("25P01", "there is no transaction in progress"));
    state_.rollback();
    return "ROLLBACK";
  }
  const Isolation isolation = block.isolation();
  const bool read_only = block.read_only();
  state_.rollback();
  if (statement.chain) block.begin(isolation, read_only);
  return "ROLLBACK";
}

Result<std::string> StatementRunner::operator()(const SavepointStatement& statement) {
  switch (statement.kind) {
    case SavepointStatement::Kind::kSet:
      COPPICE_TRY(demand_block("SAVEPOINT"));
      COPPICE_TRY(state_.block.savepoint(statement.name));
      return "SAVEPOINT";
    case SavepointStatement::Kind::kRelease:
      COPPICE_TRY(demand_block("RELEASE SAVEPOINT"));
      COPPICE_TRY(state_.block.release(statement.name));
      return "RELEASE";
    case SavepointStatement::Kind::kRollbackTo:
      COPPICE_TRY(demand_block("ROLLBACK TO SAVEPOINT"));
      COPPICE_TRY(state_.block.rollback_to(statement.name));
      return "ROLLBACK";
  }
  return "SAVEPOINT";
}

// SET TRANSACTION, and the settings that are the same thing.
Status StatementRunner::set_transaction(const SetStatement& statement) {
  TransactionBlock& block = state_.block;
  if (!block.in_block() && !state_.several) {
    return warn("25P01", "SET TRANSACTION can only be used in transaction blocks");
  }
  if (statement.name == "transaction_deferrable") return {};
  block.drop_unused();
  if (statement.name == "transaction_read_only") {
    const Setting* setting = state_.settings.table().find(statement.name);
    const std::string value =
        COPPICE_TRY(read_setting(*setting, statement.value.value_or("off"), "off", {}));
    return block.set_read_only(value == "on");
  }
  const std::string level = lower_case(statement.value.value_or("read committed"));
  if (level == "serializable") return std::unexpected(unsupported_serializable());
  if (level == "repeatable read") return block.set_isolation(Isolation::kRepeatableRead);
  if (level == "read committed" || level == "read uncommitted")
    return block.set_isolation(Isolation::kReadCommitted);
  return std::unexpected(sql_error(
      "22023", "invalid value for parameter \"transaction_isolation\": \"" + level + "\""));
}

}  // namespace coppice::session
