#include "modules/planner/parse/raw/copier.h"

namespace coppice::planner::raw {

// --- the work list
// --------------------------------------------------------------------------------

Result<const ast::Statement*> Copier::copy(const ::Node* statement) {
  const ast::Statement* result = nullptr;
  depth_ = 0;
  work_.clear();
  later(Slot::kStatement, statement, erase(result));
  while (!work_.empty() && !error_) {
    const Item item = work_.back();
    work_.pop_back();
    visit_item(item);
    if (arena_.exhausted() || work_.size() * sizeof(Item) > budget_)
      fail_with(sql_error(sqlstate::kOutOfMemory, "out of memory")
                    .note(sql_field::kDetail, "The statement's syntax tree is over its budget."));
  }
  if (error_) return std::unexpected(*std::move(error_));
  return result;
}

void Copier::visit_item(const Item& item) {
  ++visited_;
  depth_ = item.depth;
  switch (item.slot) {
    case Slot::kExpr:
      *item.to = visit_expr(item.from);
      return;
    case Slot::kFromItem:
      *item.to = visit_from_item(item.from);
      return;
    case Slot::kStatement:
      *item.to = visit_statement(item.from);
      return;
    case Slot::kSelect:
      *item.to = visit_select(*reinterpret_cast<const ::SelectStmt*>(item.from));
      return;
    case Slot::kFunctionCall:
      *item.to = function_call(*reinterpret_cast<const ::FuncCall*>(item.from));
      return;
  }
}

void Copier::later(Slot slot, const void* from, const void** to) {
  if (from == nullptr) return;
  if (depth_ >= ast::kDepthMax) {
    fail_with(sql_error(sqlstate::kStatementTooComplex, "stack depth limit exceeded")
                  .note(sql_field::kHint,
                        "Increase the configuration parameter \"max_stack_depth\" (currently "
                        "2048kB), after ensuring the platform's stack depth limit is adequate."));
    return;
  }
  work_.push_back({static_cast<const ::Node*>(from), to, slot, depth_ + 1});
}

void Copier::select(const void* from, const ast::Select*& to) {
  if (from == nullptr) return;
  if (nodeTag(from) != T_SelectStmt) return refuse(command_name(nodeTag(from)));
  later(Slot::kSelect, from, erase(to));
}

// --- failing
// --------------------------------------------------------------------------------------

void Copier::refuse(std::string_view feature, int location) {
  fail_with(sql_error_at(sql_, location, sqlstate::kFeatureNotSupported,
                         std::string(feature) + " is not supported yet"));
}

void Copier::fail_with(Error error) {
  if (!error_) error_.emplace(std::move(error));
}

// --- flat parts
// -----------------------------------------------------------------------------------

ast::Name Copier::string(const void* node, std::string_view where) {
  if (node == nullptr || nodeTag(node) != T_String) {
    refuse(where);
    return {};
  }
  ++visited_;
  return name(static_cast<const ::String*>(node)->sval);
}

ast::Names Copier::names(const ::List* from) {
  return list<ast::Name, ::Node>(
      from, [&](const ::Node& item, ast::Name& to) { to = string(&item, "such a name"); });
}

ast::Names Copier::any_name(const void* from) {
  if (from == nullptr) return {};
  if (nodeTag(from) != T_List) {
    refuse("such a name");
    return {};
  }
  return names(static_cast<const ::List*>(from));
}

ast::List<const ast::Expr*> Copier::exprs(const ::List* from) {
  return list<const ast::Expr*, ::Node>(
      from, [&](const ::Node& item, const ast::Expr*& to) { expr(&item, to); });
}

const ast::TypeName* Copier::type_name(const void* node) {
  if (node == nullptr) return nullptr;
  if (nodeTag(node) != T_TypeName) {
    refuse("such a type");
    return nullptr;
  }
  const auto& from = *enter<::TypeName>(node);
  auto* to = arena_.make<ast::TypeName>();
  to->location = from.location;
  to->names = names(from.names);
  to->modifiers = exprs(from.typmods);
  to->setof = from.setof;
  to->percent_type = from.pct_type;
  to->array_bounds = list<std::int32_t, ::Integer>(
      from.arrayBounds, [&](const ::Integer& bound, std::int32_t& out) { out = bound.ival; });
  absent(from.typeOid, "a type given by OID", from.location);
  absent(from.typemod != -1, "a type modifier of this form", from.location);
  return to;
}

ast::List<const ast::TypeName*> Copier::type_names(const ::List* from) {
  return list<const ast::TypeName*, ::Node>(
      from, [&](const ::Node& item, const ast::TypeName*& to) { to = type_name(&item); });
}

const ast::Alias* Copier::alias(const ::Alias* from) {
  if (from == nullptr) return nullptr;
  ++visited_;
  auto* to = arena_.make<ast::Alias>();
  to->name = name(from->aliasname);
  to->columns = names(from->colnames);
  return to;
}

const ast::RelationName* Copier::relation(const ::RangeVar* from) {
  if (from == nullptr) return nullptr;
  ++visited_;
  auto* to = arena_.make<ast::RelationName>();
  to->database = name(from->catalogname);
  to->schema = name(from->schemaname);
  to->name = name(from->relname);
  to->only = !from->inh;
  to->persistence = static_cast<ast::Persistence>(from->relpersistence);
  to->alias = alias(from->alias);
  to->location = from->location;
  return to;
}

ast::List<const ast::RelationName*> Copier::relations(const ::List* from) {
  return list<const ast::RelationName*, ::Node>(
      from, [&](const ::Node& item, const ast::RelationName*& to) {
        if (nodeTag(&item) != T_RangeVar) return refuse("such a relation");
        to = relation(reinterpret_cast<const ::RangeVar*>(&item));
      });
}

ast::List<ast::SortItem> Copier::sort_items(const ::List* from) {
  return list<ast::SortItem, ::SortBy>(from, [&](const ::SortBy& item, ast::SortItem& to) {
    expr(item.node, to.value);
    to.direction = static_cast<ast::SortDirection>(item.sortby_dir);
    to.nulls = static_cast<ast::NullsOrder>(item.sortby_nulls);
    to.using_operator = names(item.useOp);
    to.location = item.location;
  });
}

ast::List<ast::Target> Copier::targets(const ::List* from) {
  return list<ast::Target, ::ResTarget>(from, [&](const ::ResTarget& item, ast::Target& to) {
    to.name = name(item.name);
    to.steps = steps(item.indirection);
    expr(item.val, to.value);
    to.location = item.location;
  });
}

ast::List<ast::Step> Copier::steps(const ::List* from) {
  return list<ast::Step, ::Node>(from, [&](const ::Node& item, ast::Step& to) {
    switch (nodeTag(&item)) {
      case T_String:
        to.kind = ast::StepKind::kField;
        to.field = string(&item, "");
        return;
      case T_A_Star:
        ++visited_;
        to.kind = ast::StepKind::kStar;
        return;
      case T_A_Indices: {
        const auto& indices = *enter<::A_Indices>(&item);
        to.kind = indices.is_slice ? ast::StepKind::kSlice : ast::StepKind::kSubscript;
        expr(indices.lidx, to.lower);
        expr(indices.uidx, to.upper);
        return;
      }
      default:
        refuse("such an indirection");
    }
  });
}

const ast::RoleName* Copier::role(const ::RoleSpec* from) {
  if (from == nullptr) return nullptr;
  ++visited_;
  auto* to = arena_.make<ast::RoleName>();
  to->kind = static_cast<ast::RoleKind>(from->roletype);
  to->name = name(from->rolename);
  to->location = from->location;
  return to;
}

ast::List<ast::RoleName> Copier::roles(const ::List* from) {
  return list<ast::RoleName, ::Node>(from, [&](const ::Node& item, ast::RoleName& to) {
    if (nodeTag(&item) != T_RoleSpec) return refuse("such a role");
    to = *role(reinterpret_cast<const ::RoleSpec*>(&item));
  });
}

// --- options
// --------------------------------------------------------------------------------------

ast::List<ast::Option> Copier::options(const ::List* from) {
  return list<ast::Option, ::DefElem>(
      from, [&](const ::DefElem& item, ast::Option& to) { to = option(item); });
}

ast::Option Copier::option(const ::DefElem& from) {
  ast::Option to;
  to.qualifier = name(from.defnamespace);
  to.name = name(from.defname);
  to.location = from.location;
  absent(from.defaction, "SET, ADD or DROP of an option", from.location);
  option_value(from.arg, to);
  return to;
}

void Copier::option_value(const ::Node* from, ast::Option& to) {
  if (from == nullptr) return;
  switch (nodeTag(from)) {
    case T_Integer:
      to.kind = ast::OptionValue::kInteger;
      to.integer = enter<::Integer>(from)->ival;
      return;
    case T_Float:
      to.kind = ast::OptionValue::kNumber;
      to.text = name(enter<::Float>(from)->fval);
      return;
    case T_Boolean:
      to.kind = ast::OptionValue::kBoolean;
      to.integer = enter<::Boolean>(from)->boolval ? 1 : 0;
      return;
    case T_String:
      to.kind = ast::OptionValue::kText;
      to.text = string(from, "");
      return;
    case T_A_Star:
      ++visited_;
      to.kind = ast::OptionValue::kStar;
      return;
    case T_TypeName:
      to.kind = ast::OptionValue::kType;
      to.type = type_name(from);
      return;
    case T_RoleSpec: {
      to.kind = ast::OptionValue::kRoles;
      std::span<ast::RoleName> one = arena_.make_array<ast::RoleName>(1);
      one[0] = *role(reinterpret_cast<const ::RoleSpec*>(from));
      to.roles = one;
      return;
    }
    case T_VariableSetStmt:
      to.kind = ast::OptionValue::kSet;
      to.set = set(reinterpret_cast<const ::VariableSetStmt*>(from));
      return;
    case T_List:
      return option_list(reinterpret_cast<const ::List*>(from), to);
    case T_A_Const: {
      to.kind = ast::OptionValue::kExpr;
      std::span<const ast::Expr*> one = arena_.make_array<const ast::Expr*>(1);
      expr(from, one[0]);
      to.values = one;
      return;
    }
    default:
      refuse("option \"" + std::string(to.name) + "\" with such a value", to.location);
  }
}

void Copier::option_list(const ::List* from, ast::Option& to) {
  const ::Node* first = static_cast<const ::Node*>(from->elements[0].ptr_value);
  switch (nodeTag(first)) {
    case T_String:
      to.kind = ast::OptionValue::kNames;
      to.names = names(from);
      return;
    case T_RoleSpec:
      to.kind = ast::OptionValue::kRoles;
      to.roles = roles(from);
      return;
    case T_DefElem:
      to.kind = ast::OptionValue::kOptions;
      to.options = options(from);
      return;
    default:
      to.kind = ast::OptionValue::kValues;
      to.values = exprs(from);
  }
}

}  // namespace coppice::planner::raw
