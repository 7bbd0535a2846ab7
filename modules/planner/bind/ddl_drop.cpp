// ddl_drop.cpp — DROP and TRUNCATE.
#include <algorithm>
#include <array>
#include <utility>

#include "modules/planner/bind/relations.h"
#include "modules/planner/bind/utility.h"

namespace coppice::planner {

namespace {

using Object = ast::ObjectKind;

// Kinds of which there is none yet: dropping one that may be absent is done at once.
struct AbsentKind {
  Object object;
  std::string_view command;   // DROP …, the tag
  std::string_view noun;      // of messages
  std::string_view sqlstate;  // where it must be there
  bool relation = false;      // a table of the name is another kind of thing
};
constexpr std::array kAbsent = {
    AbsentKind{Object::kView, "DROP VIEW", "view", "42P01", true},
    AbsentKind{Object::kMaterializedView, "DROP MATERIALIZED VIEW", "materialized view", "42P01",
               true},
    AbsentKind{Object::kSequence, "DROP SEQUENCE", "sequence", "42P01", true},
    AbsentKind{Object::kForeignTable, "DROP FOREIGN TABLE", "foreign table", "42P01", true},
    AbsentKind{Object::kType, "DROP TYPE", "type", "42704"},
    AbsentKind{Object::kDomain, "DROP DOMAIN", "type", "42704"},
    AbsentKind{Object::kExtension, "DROP EXTENSION", "extension", "42704"},
};

std::string joined(ast::Names names) {
  std::string text;
  for (const ast::Name name : names) {
    if (!text.empty()) text += '.';
    text += name;
  }
  return text;
}

Result<QualifiedName> object_name(const BindContext& context, ast::Names names) {
  if (names.size() > 3)
    return context.error(ast::kNoLocation, sqlstate::kSyntaxError,
                         "improper relation name (too many dotted names): " + joined(names));
  ast::RelationName name;
  name.name = names.back();
  if (names.size() > 1) name.schema = names[names.size() - 2];
  if (names.size() > 2) name.database = names[0];
  return qualified_name(context, name);
}

Status check_not_a_table(const BindContext& context, ast::Names names, const AbsentKind& kind) {
  const QualifiedName qualified = COPPICE_TRY(object_name(context, names));
  ast::RelationName name;
  name.schema = qualified.schema;
  name.name = qualified.name;
  const TableInfoRef table = COPPICE_TRY(find_relation(context, name));
  if (table == nullptr || table->kind != 'r') return {};
  return context.error(ast::kNoLocation, "42809",
                       quoted(table->name) + " is not a " + std::string(kind.noun),
                       "Use DROP TABLE to remove a table.");
}

std::string absent_text(const AbsentKind& kind, ast::Names names) {
  return std::string(kind.noun) + " " + quoted(joined(names)) + " does not exist";
}

Result<Statement> drop_absent(const BindContext& context, const ast::Drop& tree,
                              const AbsentKind& kind) {
  MaintenanceStatement done{.tag = std::string(kind.command), .tables = {}, .notices = {}};
  for (const ast::ObjectName& object : tree.objects) {
    const ast::Names names =
        object.names.empty() && !object.types.empty() ? object.types[0]->names : object.names;
    if (names.empty()) return context.unsupported(ast::kNoLocation, kind.command);
    if (kind.relation) COPPICE_TRY(check_not_a_table(context, names, kind));
    if (!tree.if_exists)
      return context.error(ast::kNoLocation, kind.sqlstate, absent_text(kind, names));
    done.notices.push_back(absent_text(kind, names) + ", skipping");
  }
  return Statement{std::move(done)};
}

}  // namespace

Result<Statement> bind_drop(BindContext& context, const ast::Drop& tree) {
  DropStatement drop;
  drop.if_exists = tree.if_exists;
  drop.cascade = tree.behavior == ast::DropBehavior::kCascade;
  if (tree.object == Object::kTable) {
    drop.kind = DropStatement::Kind::kTable;
  } else if (tree.object == Object::kIndex) {
    drop.kind = DropStatement::Kind::kIndex;
    if (tree.concurrently && tree.objects.size() > 1)
      return context.error(ast::kNoLocation, sqlstate::kFeatureNotSupported,
                           "DROP INDEX CONCURRENTLY does not support dropping multiple objects");
  } else if (tree.object == Object::kSchema) {
    drop.kind = DropStatement::Kind::kSchema;
  } else {
    const auto* const kind = std::ranges::find(kAbsent, tree.object, &AbsentKind::object);
    if (kind == kAbsent.end())
      return context.unsupported(ast::kNoLocation, "DROP of this kind of object");
    return drop_absent(context, tree, *kind);
  }
  for (const ast::ObjectName& object : tree.objects) {
    QualifiedName name = COPPICE_TRY(object_name(context, object.names));
    drop.names.push_back(std::move(name));
  }
  return Statement{std::move(drop)};
}

// RESTART IDENTITY and CASCADE change nothing: there are no sequences and no foreign keys.
Result<Statement> bind_truncate(BindContext& context, const ast::Truncate& tree) {
  TruncateStatement truncate;
  truncate.tables = COPPICE_TRY(qualified_names(context, tree.tables));
  return Statement{std::move(truncate)};
}

}  // namespace coppice::planner
