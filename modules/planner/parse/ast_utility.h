// ast_utility.h — transactions, settings, COPY, EXPLAIN, cursors, prepared statements and the rest.
#pragma once

#include "modules/planner/parse/ast_ddl.h"

namespace coppice::planner::ast {

enum class TransactionKind : std::uint8_t {
  kBegin,
  kStart,
  kCommit,
  kRollback,
  kSavepoint,
  kRelease,
  kRollbackTo,
  kPrepare,
  kCommitPrepared,
  kRollbackPrepared,
};
struct Transaction final : StatementOf<StatementKind::kTransaction> {
  TransactionKind type = TransactionKind::kBegin;
  // transaction_isolation ("read committed", …), transaction_read_only, transaction_deferrable:
  // each a constant (OptionValue::kExpr).
  List<Option> options;
  Name savepoint;
  Name gid;
  bool chain = false;
};

enum class SetAction : std::uint8_t {
  kValue,
  kDefault,
  kCurrent,   // SET x FROM CURRENT
  kMultiple,  // name "TRANSACTION" or "SESSION CHARACTERISTICS": options as in Transaction;
              // name "TRANSACTION SNAPSHOT": values
  kReset,
  kResetAll,
};
struct Set final : StatementOf<StatementKind::kSet> {
  SetAction action = SetAction::kValue;
  Name name;
  List<const Expr*> values;  // Constants, or an interval Cast of SET TIME ZONE
  List<Option> options;
  bool local = false;
};
struct Show final : StatementOf<StatementKind::kShow> {
  Name name;  // "all" for SHOW ALL
};

struct Copy final : StatementOf<StatementKind::kCopy> {
  const RelationName* table = nullptr;  // or
  const Statement* query = nullptr;     // COPY (SELECT …) TO
  Names columns;
  bool from = false;
  bool program = false;
  bool client = false;  // STDIN or STDOUT
  Name file;            // or a file, or, with `program`, a command
  List<Option> options;
  const Expr* where = nullptr;
};

struct Explain final : StatementOf<StatementKind::kExplain> {
  const Statement* query = nullptr;
  List<Option> options;  // analyze, verbose, format, meter, …
};

struct Prepare final : StatementOf<StatementKind::kPrepare> {
  Name name;
  List<const TypeName*> types;
  const Statement* query = nullptr;
};
struct Execute final : StatementOf<StatementKind::kExecute> {
  Name name;
  List<const Expr*> arguments;
};
struct Deallocate final : StatementOf<StatementKind::kDeallocate> {
  Name name;  // empty: ALL
};

enum class DiscardKind : std::uint8_t { kAll, kPlans, kSequences, kTemporary };
struct Discard final : StatementOf<StatementKind::kDiscard> {
  DiscardKind type = DiscardKind::kAll;
};

struct VacuumTable {
  const RelationName* table = nullptr;
  Names columns;
};
struct Vacuum final : StatementOf<StatementKind::kVacuum> {
  bool analyze_only = false;  // ANALYZE
  List<Option> options;
  List<VacuumTable> tables;  // empty: all
};

struct Reindex final : StatementOf<StatementKind::kReindex> {
  ObjectKind object = ObjectKind::kTable;  // or kIndex, kSchema, kDatabase
  bool system = false;                     // REINDEX SYSTEM
  const RelationName* relation = nullptr;
  Name name;
  List<Option> options;
};

struct Checkpoint final : StatementOf<StatementKind::kCheckpoint> {};

enum class TableLock : std::uint8_t {
  kAccessShare = 1,
  kRowShare,
  kRowExclusive,
  kShareUpdateExclusive,
  kShare,
  kShareRowExclusive,
  kExclusive,
  kAccessExclusive,
};
struct Lock final : StatementOf<StatementKind::kLock> {
  List<const RelationName*> tables;
  TableLock mode = TableLock::kAccessExclusive;
  bool nowait = false;
};

enum class Scroll : std::uint8_t { kDefault, kYes, kNo };
struct DeclareCursor final : StatementOf<StatementKind::kDeclareCursor> {
  Name name;
  const Select* query = nullptr;
  bool binary = false;
  Scroll scroll = Scroll::kDefault;
  bool insensitive = false;
  bool asensitive = false;
  bool hold = false;
};
enum class FetchDirection : std::uint8_t { kForward, kBackward, kAbsolute, kRelative };
struct Fetch final : StatementOf<StatementKind::kFetch> {
  static constexpr std::int64_t kAll = INT64_MAX;
  bool move = false;
  FetchDirection direction = FetchDirection::kForward;
  std::int64_t count = 1;
  Name cursor;
};
struct CloseCursor final : StatementOf<StatementKind::kCloseCursor> {
  Name name;  // empty: ALL
};

struct Listen final : StatementOf<StatementKind::kListen> {
  Name channel;
};
struct Notify final : StatementOf<StatementKind::kNotify> {
  Name channel;
  Name payload;
};
struct Unlisten final : StatementOf<StatementKind::kUnlisten> {
  Name channel;  // empty: *
};

struct SetConstraints final : StatementOf<StatementKind::kSetConstraints> {
  List<const RelationName*> constraints;  // empty: ALL
  bool deferred = false;
};

struct Do final : StatementOf<StatementKind::kDo> {
  List<Option> options;  // "as": the text, "language"
};
struct Call final : StatementOf<StatementKind::kCall> {
  const FunctionCall* call = nullptr;
};

}  // namespace coppice::planner::ast
