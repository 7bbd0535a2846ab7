// ddl_commands.cpp — CREATE, DROP, TRUNCATE, LOCK TABLE, VACUUM: through the catalog.
#include <algorithm>

#include "interfaces/types/sql_error.h"
#include "modules/session/relation_names.h"
#include "modules/session/statement_runner.h"

namespace coppice::session {

namespace {

std::string quoted(std::string_view name) {
  return "\"" + std::string(name) + "\"";
}

struct DroppedKind {
  std::string_view word;   // "table"
  std::string_view state;  // SQLSTATE when there is none
};
DroppedKind kind_of(DropStatement::Kind kind) {
  switch (kind) {
    case DropStatement::Kind::kTable:
      return {"table", "42P01"};
    case DropStatement::Kind::kIndex:
      return {"index", "42704"};
    case DropStatement::Kind::kSchema:
      return {"schema", "3F000"};
  }
  return {};
}

std::string_view drop_tag(DropStatement::Kind kind) {
  switch (kind) {
    case DropStatement::Kind::kTable:
      return "DROP TABLE";
    case DropStatement::Kind::kIndex:
      return "DROP INDEX";
    case DropStatement::Kind::kSchema:
      return "DROP SCHEMA";
  }
  return {};
}

Error wrong_kind(std::string_view name, std::string_view is, std::string_view wanted) {
  const std::string article = wanted == "index" ? " is not an " : " is not a ";
  const std::string command = is == "index" ? "DROP INDEX" : "DROP TABLE";
  return sql_error("42809", quoted(name) + article + std::string(wanted))
      .note(sql_field::kHint, "Use " + command + " to remove " + (is == "index" ? "an " : "a ") +
                                  std::string(is) + ".");
}

}  // namespace

Result<std::string> StatementRunner::operator()(const CreateTableStatement& statement) {
  COPPICE_TRY(state_.check_may_write("CREATE TABLE"));
  state_.block.use();
  const SchemaInfo* schema = COPPICE_TRY(creation_schema(statement.table, *view_, state_));
  if (statement.if_not_exists &&
      (view_->find_table(schema->oid, statement.table.name) != nullptr ||
       view_->find_index(schema->oid, statement.table.name) != nullptr)) {
    COPPICE_TRY(
        notice("42P07", "relation " + quoted(statement.table.name) + " already exists, skipping"));
    return "CREATE TABLE";
  }
  NewTable definition = statement.definition;
  definition.schema = schema->oid;
  definition.name = statement.table.name;
  COPPICE_TRY(state_.services.catalog.create_table(txn(), ns(), definition));
  return "CREATE TABLE";
}

Result<std::string> StatementRunner::operator()(const CreateIndexStatement& statement) {
  COPPICE_TRY(state_.check_may_write("CREATE INDEX"));
  if (statement.concurrently) COPPICE_TRY(forbid_block("CREATE INDEX CONCURRENTLY"));
  state_.block.use();
  const TableInfoRef table = COPPICE_TRY(stored_table(statement.table, *view_, state_));
  if (statement.if_not_exists && !statement.definition.name.empty() &&
      (view_->find_table(table->schema, statement.definition.name) != nullptr ||
       view_->find_index(table->schema, statement.definition.name) != nullptr)) {
    COPPICE_TRY(notice(
        "42P07", "relation " + quoted(statement.definition.name) + " already exists, skipping"));
    return "CREATE INDEX";
  }
  const bool alone = state_.block.implicit() && !state_.several;
  if (alone) return build_index_alone(*table, statement.definition);
  // In a block the table may be this transaction's own, and is usually empty.
  COPPICE_TRY(txn().lock_relation(table->storage, RelationLock::kShare, LockWait::kWait));
  const bool empty = COPPICE_TRY(is_empty(*table));
  if (!empty) {
    return std::unexpected(sql_error(
        sqlstate::kFeatureNotSupported,
        "CREATE INDEX inside a transaction block on a table that has rows is not supported"));
  }
  COPPICE_TRY(state_.services.catalog.create_index(txn(), ns(), table->oid, statement.definition,
                                                   IndexState::kReadable));
  return "CREATE INDEX";
}

// Each step is a transaction of its own: this one ends first.
Result<std::string> StatementRunner::build_index_alone(const TableInfo& table,
                                                       const NewIndex& definition) {
  COPPICE_TRY(state_.commit());
  const std::unique_ptr<StatementScope> scope = state_.scope();
  const std::unique_ptr<SessionCalls> calls = state_.calls(view_);
  ExecuteContext context;
  context.catalog = view_;
  context.calls = calls.get();
  context.meter = &scope->meter();
  context.budget = &scope->budget();
  COPPICE_TRY(state_.services.executor.build_index(ns(), table.oid, definition, context));
  return "CREATE INDEX";
}

Result<bool> StatementRunner::is_empty(const TableInfo& table) {
  if (state_.services.engine == nullptr) return true;
  ScanOptions options;
  const std::unique_ptr<RowCursor> rows =
      COPPICE_TRY(state_.services.engine->scan(txn().newest_view(), table.storage, options));
  RowBatch batch;
  for (;;) {
    const bool more = COPPICE_TRY(rows->next(batch));
    if (!more) return true;
    if (batch.selection.count() != 0) return false;
  }
}

Result<std::string> StatementRunner::operator()(const DropStatement& statement) {
  const std::string tag(drop_tag(statement.kind));
  COPPICE_TRY(state_.check_may_write(tag));
  state_.block.use();
  for (const QualifiedName& name : statement.names) {
    COPPICE_TRY(drop_one(statement, name));
    // The next name is looked for in what this one left.
    view_ = COPPICE_TRY(state_.services.catalog.view(txn(), ns()));
  }
  return tag;
}

Status StatementRunner::drop_one(const DropStatement& statement, const QualifiedName& name) {
  if (statement.kind == DropStatement::Kind::kSchema) return drop_schema(statement, name.name);
  const DroppedKind kind = kind_of(statement.kind);
  if (!name.schema.empty() && view_->find_schema(name.schema) == nullptr && statement.if_exists)
    return notice("00000", "schema " + quoted(name.schema) + " does not exist, skipping");
  const FoundRelation found = COPPICE_TRY(find_relation(name, *view_, state_));
  if (!found) {
    const std::string missing =
        std::string(kind.word) + " " + quoted(display_name(name)) + " does not exist";
    if (statement.if_exists) return notice("00000", missing + ", skipping");
    return std::unexpected(sql_error(kind.state, missing));
  }
  if (statement.kind == DropStatement::Kind::kTable) {
    if (found.table == nullptr) return std::unexpected(wrong_kind(name.name, "index", "table"));
    if (found.table->computed != nullptr) {
      return std::unexpected(
          sql_error("42501", "permission denied: " + quoted(name.name) + " is a system catalog"));
    }
    return state_.services.catalog.drop_table(txn(), ns(), found.table->oid);
  }
  if (found.index == nullptr) return std::unexpected(wrong_kind(name.name, "table", "index"));
  return state_.services.catalog.drop_index(txn(), ns(), found.index->oid);
}

Status StatementRunner::drop_schema(const DropStatement& statement, std::string_view name) {
  const SchemaInfo* schema = view_->find_schema(name);
  if (schema == nullptr) {
    const std::string missing = "schema " + quoted(name) + " does not exist";
    if (statement.if_exists) return notice("00000", missing + ", skipping");
    return std::unexpected(sql_error("3F000", missing));
  }
  if (statement.cascade && schema->oid >= kFirstUserOid) {
    std::vector<TableInfoRef> inside = view_->tables();
    std::erase_if(inside, [&](const TableInfoRef& table) {
      return table->schema != schema->oid || table->computed != nullptr;
    });
    for (const TableInfoRef& table : inside)
      COPPICE_TRY(state_.services.catalog.drop_table(txn(), ns(), table->oid));
    if (inside.size() == 1) {
      COPPICE_TRY(
          notice("00000", "drop cascades to table " + schema->name + "." + inside.front()->name));
    } else if (!inside.empty()) {
      COPPICE_TRY(
          notice("00000", "drop cascades to " + std::to_string(inside.size()) + " other objects"));
    }
  }
  return state_.services.catalog.drop_schema(txn(), ns(), schema->oid);
}

Result<std::string> StatementRunner::operator()(const TruncateStatement& statement) {
  COPPICE_TRY(state_.check_may_write("TRUNCATE TABLE"));
  state_.block.use();
  std::vector<TableInfoRef> tables;
  for (const QualifiedName& name : statement.tables) {
    TableInfoRef table = COPPICE_TRY(stored_table(name, *view_, state_));
    tables.push_back(std::move(table));
  }
  std::sort(tables.begin(), tables.end(),
            [](const auto& a, const auto& b) { return a->oid < b->oid; });
  tables.erase(std::unique(tables.begin(), tables.end()), tables.end());
  for (const TableInfoRef& table : tables)
    COPPICE_TRY(state_.services.catalog.truncate_table(txn(), ns(), table->oid));
  return "TRUNCATE TABLE";
}

Result<std::string> StatementRunner::operator()(const CreateSchemaStatement& statement) {
  COPPICE_TRY(state_.check_may_write("CREATE SCHEMA"));
  state_.block.use();
  if (statement.if_not_exists && view_->find_schema(statement.name) != nullptr) {
    COPPICE_TRY(notice("42P06", "schema " + quoted(statement.name) + " already exists, skipping"));
    return "CREATE SCHEMA";
  }
  COPPICE_TRY(state_.services.catalog.create_schema(txn(), ns(), statement.name));
  return "CREATE SCHEMA";
}

Result<std::string> StatementRunner::operator()(const CreateDatabaseStatement& statement) {
  COPPICE_TRY(forbid_block("CREATE DATABASE"));
  COPPICE_TRY(state_.check_may_write("CREATE DATABASE"));
  COPPICE_TRY(state_.commit());  // of what came before it in a pipeline, if anything
  const std::string_view owner = statement.owner.empty() ? state_.who.user : statement.owner;
  COPPICE_TRY(state_.services.catalog.create_database(statement.name, owner));
  return "CREATE DATABASE";
}

Result<std::string> StatementRunner::operator()(const DropDatabaseStatement& statement) {
  COPPICE_TRY(forbid_block("DROP DATABASE"));
  COPPICE_TRY(state_.check_may_write("DROP DATABASE"));
  COPPICE_TRY(state_.commit());
  if (statement.name == state_.who.database.name) {
    return std::unexpected(sql_error("55006", "cannot drop the currently open database"));
  }
  const Status done = state_.services.catalog.drop_database(statement.name);
  if (!done && statement.if_exists && sqlstate_of(done.error()) == sqlstate::kInvalidCatalogName) {
    COPPICE_TRY(
        notice("00000", "database " + quoted(statement.name) + " does not exist, skipping"));
    return "DROP DATABASE";
  }
  if (!done) return std::unexpected(done.error().clone());
  return "DROP DATABASE";
}

Result<std::string> StatementRunner::operator()(const LockTableStatement& statement) {
  COPPICE_TRY(demand_block("LOCK TABLE"));
  if (statement.mode > RelationLock::kRowShare) COPPICE_TRY(state_.check_may_write("LOCK TABLE"));
  state_.block.use();
  for (const QualifiedName& name : statement.tables) {
    const TableInfoRef table = COPPICE_TRY(stored_table(name, *view_, state_));
    Status locked = txn().lock_relation(table->storage, statement.mode,
                                        statement.nowait ? LockWait::kNoWait : LockWait::kWait);
    if (!locked && statement.nowait && sqlstate_of(locked.error()) == "55P03") {
      return std::unexpected(
          sql_error("55P03", "could not obtain lock on relation " + quoted(table->name)));
    }
    COPPICE_TRY(std::move(locked));
  }
  return "LOCK TABLE";
}

// Compaction and counts look after themselves; the tables must exist.
Result<std::string> StatementRunner::operator()(const MaintenanceStatement& statement) {
  if (statement.tag == "VACUUM") COPPICE_TRY(forbid_block("VACUUM"));
  for (const std::string& text : statement.notices) COPPICE_TRY(notice("00000", text));
  for (const QualifiedName& name : statement.tables)
    COPPICE_TRY(stored_table(name, *view_, state_));
  if (statement.tag == "CHECKPOINT" && state_.services.engine != nullptr)
    COPPICE_TRY(state_.services.engine->flush());
  return statement.tag;
}

}  // namespace coppice::session
