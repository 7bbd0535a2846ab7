// utility.cpp — statements that are not queries: who binds which, and the names of what is refused.
#include "modules/planner/bind/utility.h"

#include <utility>

namespace coppice::planner {

namespace {

using Kind = ast::StatementKind;

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::kCreateTableAs:
      return "CREATE TABLE AS";
    case Kind::kAlterTable:
      return "ALTER TABLE";
    case Kind::kAlterDatabase:
      return "ALTER DATABASE";
    case Kind::kCreateView:
      return "CREATE VIEW";
    case Kind::kRefreshView:
      return "REFRESH MATERIALIZED VIEW";
    case Kind::kCreateSequence:
      return "CREATE SEQUENCE";
    case Kind::kAlterSequence:
      return "ALTER SEQUENCE";
    case Kind::kCreateEnum:
    case Kind::kCreateDomain:
      return "CREATE TYPE";
    case Kind::kAlterEnum:
      return "ALTER TYPE";
    case Kind::kRename:
      return "ALTER … RENAME";
    case Kind::kAlterOwner:
      return "ALTER … OWNER TO";
    case Kind::kAlterSchema:
      return "ALTER … SET SCHEMA";
    case Kind::kComment:
      return "COMMENT ON";
    case Kind::kCreateRole:
      return "CREATE ROLE";
    case Kind::kAlterRole:
      return "ALTER ROLE";
    case Kind::kDropRole:
      return "DROP ROLE";
    case Kind::kGrant:
    case Kind::kGrantRole:
      return "GRANT";
    case Kind::kCreateFunction:
      return "CREATE FUNCTION";
    case Kind::kCreateExtension:
      return "CREATE EXTENSION";
    case Kind::kDeclareCursor:
      return "DECLARE CURSOR";
    case Kind::kFetch:
      return "FETCH";
    case Kind::kListen:
      return "LISTEN";
    case Kind::kNotify:
      return "NOTIFY";
    case Kind::kDo:
      return "DO";
    case Kind::kCall:
      return "CALL";
    case Kind::kMerge:
      return "MERGE";
    default:
      return "this kind of statement";
  }
}

Statement accepted(std::string tag) {
  return Statement{MaintenanceStatement{.tag = std::move(tag), .tables = {}, .notices = {}}};
}

Result<Statement> bind_close(BindContext& context, const ast::CloseCursor& tree) {
  if (tree.name.empty()) return accepted("CLOSE CURSOR ALL");  // there are none
  return context.error(ast::kNoLocation, "34000",
                       "cursor " + quoted(tree.name) + " does not exist");
}

}  // namespace

Result<Statement> bind_utility(BindContext& context, const ast::Statement& tree,
                               std::string_view own_text) {
  switch (tree.kind) {
    case Kind::kTransaction:
      return bind_transaction(context, ast::as<ast::Transaction>(tree));
    case Kind::kSet:
      return bind_set(context, ast::as<ast::Set>(tree));
    case Kind::kShow:
      return bind_show(context, ast::as<ast::Show>(tree));
    case Kind::kCreateTable:
      return bind_create_table(context, ast::as<ast::CreateTable>(tree));
    case Kind::kCreateIndex:
      return bind_create_index(context, ast::as<ast::CreateIndex>(tree));
    case Kind::kDrop:
      return bind_drop(context, ast::as<ast::Drop>(tree));
    case Kind::kTruncate:
      return bind_truncate(context, ast::as<ast::Truncate>(tree));
    case Kind::kCreateSchema:
      return bind_create_schema(context, ast::as<ast::CreateSchema>(tree));
    case Kind::kCreateDatabase:
      return bind_create_database(context, ast::as<ast::CreateDatabase>(tree));
    case Kind::kDropDatabase:
      return bind_drop_database(context, ast::as<ast::DropDatabase>(tree));
    case Kind::kCopy:
      return bind_copy(context, ast::as<ast::Copy>(tree));
    case Kind::kExplain:
      return bind_explain(context, ast::as<ast::Explain>(tree), own_text);
    case Kind::kPrepare:
      return bind_prepare(context, ast::as<ast::Prepare>(tree), own_text);
    case Kind::kExecute:
      return bind_execute(context, ast::as<ast::Execute>(tree));
    case Kind::kDeallocate:
      return Statement{DeallocateStatement{std::string(ast::as<ast::Deallocate>(tree).name)}};
    case Kind::kDiscard:
      return bind_discard(context, ast::as<ast::Discard>(tree));
    case Kind::kLock:
      return bind_lock(context, ast::as<ast::Lock>(tree));
    case Kind::kVacuum:
      return bind_vacuum(context, ast::as<ast::Vacuum>(tree));
    case Kind::kReindex:
      return accepted("REINDEX");
    case Kind::kCheckpoint:
      return accepted("CHECKPOINT");
    case Kind::kCloseCursor:
      return bind_close(context, ast::as<ast::CloseCursor>(tree));
    case Kind::kUnlisten:
      return accepted("UNLISTEN");  // nobody listens
    case Kind::kSetConstraints:
      return accepted("SET CONSTRAINTS");
    default:
      return context.unsupported(ast::kNoLocation, name_of(tree.kind));
  }
}

Result<QualifiedName> qualified_name(const BindContext& context, const ast::RelationName& name) {
  QualifiedName qualified{.schema = std::string(name.schema), .name = std::string(name.name)};
  if (name.database.empty() || name.database == context.catalog().database().name) return qualified;
  return context.error(name.location, sqlstate::kFeatureNotSupported,
                       "cross-database references are not implemented: \"" +
                           std::string(name.database) + "." + full_name(qualified) + "\"");
}

Result<std::vector<QualifiedName>> qualified_names(const BindContext& context,
                                                   ast::List<const ast::RelationName*> names) {
  std::vector<QualifiedName> all;
  for (const ast::RelationName* const name : names) {
    QualifiedName one = COPPICE_TRY(qualified_name(context, *name));
    all.push_back(std::move(one));
  }
  return all;
}

std::string full_name(const QualifiedName& name) {
  return name.schema.empty() ? name.name : name.schema + "." + name.name;
}

Status check_storage_options(const BindContext& context, ast::List<ast::Option> options) {
  for (const ast::Option& option : options) {
    const std::string name(option.name);
    const bool known = name == "fillfactor" || name == "parallel_workers" ||
                       name == "user_catalog_table" || name == "deduplicate_items" ||
                       name.starts_with("toast_") || name.starts_with("autovacuum_") ||
                       name.starts_with("vacuum_") || option.qualifier == "toast";
    if (!known)
      return context.error(ast::kNoLocation, "22023", "unrecognized parameter " + quoted(name));
  }
  return {};
}

Status check_tablespace(const BindContext& context, ast::Name tablespace) {
  if (tablespace.empty() || tablespace == "pg_default") return {};
  return context.error(ast::kNoLocation, "42704",
                       "tablespace " + quoted(tablespace) + " does not exist");
}

Status check_collation(const BindContext& context, ast::Names collation, ast::Location at) {
  if (collation.empty()) return {};
  const ast::Name name = collation.back();
  if (name == "C" || name == "POSIX" || name == "default") return {};
  return context.unsupported(at, "COLLATE " + quoted(name));
}

}  // namespace coppice::planner
