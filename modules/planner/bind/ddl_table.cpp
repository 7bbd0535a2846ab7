// ddl_table.cpp — CREATE TABLE: columns, their defaults, keys.
//
// Source:   PostgreSQL 15, parse_utilcmd.c (transformColumnDefinition, transformIndexConstraints).
#include <algorithm>
#include <utility>

#include "modules/planner/bind/relations.h"
#include "modules/planner/bind/source_text.h"
#include "modules/planner/bind/type_names.h"
#include "modules/planner/bind/utility.h"

namespace coppice::planner {

namespace {

using Kind = ast::ConstraintKind;

class TableBinder {
 public:
  TableBinder(BindContext& context, const ast::CreateTable& tree)
      : context_(context), tree_(tree) {}

  Result<Statement> bind() {
    COPPICE_TRY(check_clauses());
    statement_.table = COPPICE_TRY(qualified_name(context_, *tree_.table));
    COPPICE_TRY(check_schema());
    statement_.if_not_exists = tree_.if_not_exists;
    for (const ast::ColumnDefinition* const column : tree_.columns)
      COPPICE_TRY(add_column(*column));
    for (const ast::ColumnDefinition* const column : tree_.columns)
      for (const ast::Constraint& constraint : column->constraints)
        COPPICE_TRY(add_constraint(constraint, column));
    for (const ast::Constraint& constraint : tree_.constraints)
      COPPICE_TRY(add_constraint(constraint, nullptr));
    settle_keys();
    return Statement{std::move(statement_)};
  }

 private:
  Status check_clauses() const {
    const ast::Location at = tree_.table->location;
    if (tree_.table->persistence == ast::Persistence::kTemporary)
      return context_.unsupported(at, "CREATE TEMPORARY TABLE");
    if (tree_.table->persistence == ast::Persistence::kUnlogged)
      return context_.unsupported(at, "CREATE UNLOGGED TABLE");
    if (tree_.bound != nullptr) return context_.unsupported(at, "PARTITION OF");
    if (tree_.partition_by != nullptr)
      return context_.unsupported(tree_.partition_by->location, "PARTITION BY");
    if (!tree_.inherits.empty())
      return context_.unsupported(tree_.inherits[0]->location, "INHERITS");
    if (!tree_.likes.empty())
      return context_.unsupported(tree_.likes[0].table->location, "LIKE in CREATE TABLE");
    if (tree_.on_commit != ast::OnCommit::kNone)
      return context_.error(ast::kNoLocation, "42P16",
                            "ON COMMIT can only be used on temporary tables");
    if (!tree_.access_method.empty() && tree_.access_method != "heap")
      return context_.error(ast::kNoLocation, "42704",
                            "access method " + quoted(tree_.access_method) + " does not exist");
    COPPICE_TRY(check_tablespace(context_, tree_.tablespace));
    return check_storage_options(context_, tree_.options);
  }

  Status check_schema() const {
    const std::string& schema = statement_.table.schema;
    if (schema.empty() || context_.catalog().find_schema(schema) != nullptr) return {};
    return context_.error(tree_.table->location, "3F000",
                          "schema " + quoted(schema) + " does not exist");
  }

  // PostgreSQL's three names for an integer with a sequence.
  Status check_serial(const ast::TypeName& type) const {
    if (type.names.size() != 1) return {};
    const ast::Name name = type.names[0];
    if (name == "serial" || name == "serial4" || name == "bigserial" || name == "serial8" ||
        name == "smallserial" || name == "serial2")
      return context_.unsupported(type.location, "type " + std::string(name));
    return {};
  }

  Status add_column(const ast::ColumnDefinition& column) {
    NewColumn made;
    made.name = column.name;
    if (column.type == nullptr) return context_.unsupported(column.location, "such a column");
    COPPICE_TRY(check_serial(*column.type));
    const ResolvedType type = COPPICE_TRY(resolve_type(context_, *column.type));
    made.type = type.oid;
    made.modifier = type.modifier;
    const SqlType* const known = context_.registry().find_type(type.oid);
    if (known != nullptr && known->info().element != 0)
      return context_.unsupported(column.type->location, "a column of an array type");
    if (!column.compression.empty()) return context_.unsupported(column.location, "COMPRESSION");
    COPPICE_TRY(check_collation(context_, column.collation, column.location));
    COPPICE_TRY(read_nullability(column, made));
    COPPICE_TRY(read_default(column, made));
    statement_.definition.columns.push_back(std::move(made));
    return {};
  }

  std::string of_column(const ast::ColumnDefinition& column) const {
    return "for column " + quoted(column.name) + " of table " + quoted(statement_.table.name);
  }

  Status read_nullability(const ast::ColumnDefinition& column, NewColumn& to) const {
    bool nullable_said = false;
    for (const ast::Constraint& constraint : column.constraints) {
      if (constraint.kind != Kind::kNull && constraint.kind != Kind::kNotNull) continue;
      const bool not_null = constraint.kind == Kind::kNotNull;
      if ((nullable_said && not_null) || (to.not_null && !not_null))
        return context_.error(constraint.location, sqlstate::kSyntaxError,
                              "conflicting NULL/NOT NULL declarations " + of_column(column));
      (not_null ? to.not_null : nullable_said) = true;
    }
    return {};
  }

  Status read_default(const ast::ColumnDefinition& column, NewColumn& to) const {
    bool seen = false;
    for (const ast::Constraint& constraint : column.constraints) {
      if (constraint.kind != Kind::kDefault) continue;
      if (seen)
        return context_.error(constraint.location, sqlstate::kSyntaxError,
                              "multiple default values specified " + of_column(column));
      seen = true;
      to.default_sql = default_text(context_.text(), constraint.location);
      COPPICE_TRY(check_default(constraint, to));
    }
    return {};
  }

  Status check_default(const ast::Constraint& constraint, const NewColumn& column) const {
    return check_column_default(context_, *constraint.value, column.name, column.type,
                                column.modifier);
  }

  // `column`: the one it stands behind; null: a table's.
  Status add_constraint(const ast::Constraint& constraint, const ast::ColumnDefinition* column) {
    const ast::Location at = constraint.location;
    switch (constraint.kind) {
      case Kind::kNull:
      case Kind::kNotNull:
      case Kind::kDefault:
      case Kind::kNotDeferrable:
      case Kind::kInitiallyImmediate:
        return {};
      case Kind::kIdentity:
        return context_.unsupported(at, "GENERATED AS IDENTITY");
      case Kind::kGenerated:
        return context_.unsupported(at, "a generated column");
      case Kind::kCheck:
        return context_.unsupported(at, "a CHECK constraint");
      case Kind::kForeignKey:
        return context_.unsupported(at, "a foreign key");
      case Kind::kDeferrable:
      case Kind::kInitiallyDeferred:
        return context_.unsupported(at, "a deferrable constraint");
      case Kind::kPrimaryKey:
      case Kind::kUnique:
        return add_key(constraint, column);
    }
    return context_.unsupported(at, "this kind of constraint");
  }

  Status add_key(const ast::Constraint& constraint, const ast::ColumnDefinition* column) {
    const ast::Location at = constraint.location;
    const bool primary = constraint.kind == Kind::kPrimaryKey;
    if (!constraint.index.empty()) return context_.unsupported(at, "USING INDEX");
    if (!constraint.including.empty()) return context_.unsupported(at, "INCLUDE");
    if (constraint.deferrable || constraint.initially_deferred)
      return context_.unsupported(at, "a deferrable constraint");
    COPPICE_TRY(check_storage_options(context_, constraint.options));
    COPPICE_TRY(check_tablespace(context_, constraint.tablespace));
    const auto is_primary = [](const NewIndex& index) { return index.primary; };
    if (primary && std::ranges::any_of(keys_, is_primary))
      return context_.error(
          at, "42P16",
          "multiple primary keys for table " + quoted(statement_.table.name) + " are not allowed");
    NewIndex index;
    index.name = constraint.name;
    index.unique = index.constraint = true;
    index.primary = primary;
    index.nulls_not_distinct = constraint.nulls_not_distinct;
    if (column != nullptr) index.columns.emplace_back(column->name, KeyOrder());
    for (const ast::Name key : constraint.keys) {
      const std::string name(key);
      if (find_column(name) == nullptr)
        return context_.error(at, sqlstate::kUndefinedColumn,
                              "column " + quoted(name) + " named in key does not exist");
      const auto same = [&](const auto& before) { return before.first == name; };
      if (std::ranges::any_of(index.columns, same))
        return context_.error(at, "42701",
                              "column " + quoted(name) + " appears twice in " +
                                  (primary ? "primary key" : "unique") + " constraint");
      index.columns.emplace_back(name, KeyOrder());
    }
    keys_.push_back(std::move(index));
    return {};
  }

  NewColumn* find_column(std::string_view name) {
    const auto at = std::ranges::find(statement_.definition.columns, name, &NewColumn::name);
    return at == statement_.definition.columns.end() ? nullptr : &*at;
  }

  // The primary key comes first and makes its columns NOT NULL; a key on the same columns as one
  // before it is the same key.
  void settle_keys() {
    const auto primary =
        std::ranges::find_if(keys_, [](const NewIndex& index) { return index.primary; });
    if (primary != keys_.end()) std::rotate(keys_.begin(), primary, primary + 1);
    std::vector<NewIndex>& kept = statement_.definition.indexes;
    for (NewIndex& index : keys_) {
      for (const auto& [name, order] : index.columns)
        if (NewColumn* const column = find_column(name); index.primary && column != nullptr)
          column->not_null = true;
      const auto same = std::ranges::find_if(kept, [&](const NewIndex& before) {
        return std::ranges::equal(before.columns, index.columns, {}, name_of, name_of) &&
               before.nulls_not_distinct == index.nulls_not_distinct;
      });
      if (same == kept.end())
        kept.push_back(std::move(index));
      else if (same->name.empty())
        same->name = std::move(index.name);
    }
  }
  static const std::string& name_of(const std::pair<std::string, KeyOrder>& column) {
    return column.first;
  }

  BindContext& context_;
  const ast::CreateTable& tree_;
  CreateTableStatement statement_;
  std::vector<NewIndex> keys_;
};

}  // namespace

Result<Statement> bind_create_table(BindContext& context, const ast::CreateTable& tree) {
  return TableBinder(context, tree).bind();
}

}  // namespace coppice::planner
