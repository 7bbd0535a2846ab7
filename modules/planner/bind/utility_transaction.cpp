// utility_transaction.cpp — BEGIN, COMMIT, ROLLBACK, SAVEPOINT and their kin.
#include "modules/planner/bind/options.h"
#include "modules/planner/bind/utility.h"

namespace coppice::planner {

namespace {

Status read_modes(const BindContext& context, ast::List<ast::Option> options, BeginStatement& to) {
  for (const ast::Option& option : options) {
    const auto* const value =
        option.values.empty() ? nullptr : ast::find_as<ast::Constant>(option.values[0]);
    if (value == nullptr) return context.unsupported(option.location, "this transaction mode");
    if (option.name == "transaction_read_only") {
      to.read_only = value->integer != 0;
    } else if (option.name == "transaction_isolation") {
      to.isolation = value->text == "serializable"      ? Isolation::kSerializable
                     : value->text == "repeatable read" ? Isolation::kRepeatableRead
                                                        : Isolation::kReadCommitted;
    }  // transaction_deferrable says something of serializable, read only ones alone
  }
  return {};
}

}  // namespace

Result<Statement> bind_transaction(BindContext& context, const ast::Transaction& tree) {
  using Kind = ast::TransactionKind;
  using Savepoint = SavepointStatement::Kind;
  const std::string savepoint(tree.savepoint);
  switch (tree.type) {
    case Kind::kBegin:
    case Kind::kStart: {
      BeginStatement begin;
      begin.start = tree.type == Kind::kStart;
      COPPICE_TRY(read_modes(context, tree.options, begin));
      return Statement{begin};
    }
    case Kind::kCommit:
      return Statement{CommitStatement{.chain = tree.chain}};
    case Kind::kRollback:
      return Statement{RollbackStatement{.chain = tree.chain}};
    case Kind::kSavepoint:
      return Statement{SavepointStatement{Savepoint::kSet, savepoint}};
    case Kind::kRelease:
      return Statement{SavepointStatement{Savepoint::kRelease, savepoint}};
    case Kind::kRollbackTo:
      return Statement{SavepointStatement{Savepoint::kRollbackTo, savepoint}};
    case Kind::kPrepare:
      return context.unsupported(ast::kNoLocation, "PREPARE TRANSACTION");
    case Kind::kCommitPrepared:
      return context.unsupported(ast::kNoLocation, "COMMIT PREPARED");
    case Kind::kRollbackPrepared:
      return context.unsupported(ast::kNoLocation, "ROLLBACK PREPARED");
  }
  return context.unsupported(ast::kNoLocation, "this kind of transaction statement");
}

}  // namespace coppice::planner
