// statement.h — bound statements: a query plan, or a utility command with its names resolved as far
// as the catalog is not needed.
//
// Role:     what the planner gives the session for each statement of a text.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "interfaces/types/plan.h"

namespace coppice {

struct BeginStatement {
  std::optional<Isolation> isolation;
  std::optional<bool> read_only;
  bool start = false;  // START TRANSACTION: its tag
};
struct CommitStatement {
  bool chain = false;
};
struct RollbackStatement {
  bool chain = false;
};
struct SavepointStatement {
  enum class Kind : std::uint8_t { kSet, kRelease, kRollbackTo } kind = Kind::kSet;
  std::string name;
};
struct SetStatement {
  enum class Scope : std::uint8_t { kSession, kLocal } scope = Scope::kSession;
  std::string name;                  // lower case; "transaction_isolation" etc. for SET TRANSACTION
  std::optional<std::string> value;  // nothing: DEFAULT, RESET
  bool all = false;                  // RESET ALL
  bool reset = false;                // RESET: its tag
  // SET TRANSACTION with several modes: the others, in order.
  std::vector<std::pair<std::string, std::string>> also = {};
};
struct ShowStatement {
  std::string name;  // "all" for SHOW ALL
};

struct QualifiedName {
  std::string schema;  // empty: by search_path
  std::string name;
};

struct CreateTableStatement {
  QualifiedName table;
  bool if_not_exists = false;
  NewTable definition;  // schema and name left to the session
};
struct CreateIndexStatement {
  QualifiedName table;
  bool if_not_exists = false;
  bool concurrently = false;
  NewIndex definition;
};
struct DropStatement {
  enum class Kind : std::uint8_t { kTable, kIndex, kSchema } kind = Kind::kTable;
  std::vector<QualifiedName> names;
  bool if_exists = false;
  bool cascade = false;
};
struct TruncateStatement {
  std::vector<QualifiedName> tables;
};
struct CreateSchemaStatement {
  std::string name;
  bool if_not_exists = false;
};
struct CreateDatabaseStatement {
  std::string name;
  std::string owner;
};
struct DropDatabaseStatement {
  std::string name;
  bool if_exists = false;
};

struct CopyStatement {
  QualifiedName table;
  std::vector<std::string> columns;        // empty: all
  std::shared_ptr<const QueryPlan> query;  // COPY (query) TO
  bool from = false;
  std::string delimiter = "\t", null_text = "\\N";
  bool header = false;
};

struct Statement;
struct ExplainStatement {
  bool analyze = false, meter = false, costs = true, verbose = false, timing = true;
  std::shared_ptr<const Statement> statement;
};
struct PrepareStatement {
  std::string name;
  std::vector<TypeOid> parameter_types;
  std::string text;  // of the statement to prepare
};
struct ExecuteStatement {
  std::string name;
  std::vector<ExpressionRef> arguments;  // constant expressions
};
struct DeallocateStatement {
  std::string name;  // empty: all
};
struct DiscardStatement {
  std::string what;  // "ALL", "PLANS", "TEMP", "SEQUENCES"
};
struct LockTableStatement {
  std::vector<QualifiedName> tables;
  RelationLock mode = RelationLock::kAccessExclusive;
  bool nowait = false;
};
// VACUUM, ANALYZE, CHECKPOINT and what else there is nothing to do for; the tag is the command's.
struct MaintenanceStatement {
  std::string tag;
  std::vector<QualifiedName> tables;
  std::vector<std::string> notices = {};  // said first: what DROP … IF EXISTS did not find
};

struct Statement {
  std::variant<std::shared_ptr<const QueryPlan>, BeginStatement, CommitStatement, RollbackStatement,
               SavepointStatement, SetStatement, ShowStatement, CreateTableStatement,
               CreateIndexStatement, DropStatement, TruncateStatement, CreateSchemaStatement,
               CreateDatabaseStatement, DropDatabaseStatement, CopyStatement, ExplainStatement,
               PrepareStatement, ExecuteStatement, DeallocateStatement, DiscardStatement,
               LockTableStatement, MaintenanceStatement>
      body;
};

}  // namespace coppice
