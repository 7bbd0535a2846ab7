// copy_expression.cpp — expressions.
#include <array>
#include <charconv>

#include "modules/planner/parse/raw/copier.h"

namespace coppice::planner::raw {

const ast::Expr* Copier::visit_expr(const ::Node* from) {
  switch (nodeTag(from)) {
    case T_A_Const:
      return constant(*reinterpret_cast<const ::A_Const*>(from));
    case T_ColumnRef:
      return column_ref(*reinterpret_cast<const ::ColumnRef*>(from));
    case T_A_Expr:
      return operator_expr(*reinterpret_cast<const ::A_Expr*>(from));
    case T_BoolExpr:
      return logical(*reinterpret_cast<const ::BoolExpr*>(from));
    case T_FuncCall:
      return function_call(*reinterpret_cast<const ::FuncCall*>(from));
    case T_A_Indirection:
      return indirection(*reinterpret_cast<const ::A_Indirection*>(from));
    case T_CaseExpr:
      return case_expr(*reinterpret_cast<const ::CaseExpr*>(from));
    case T_MinMaxExpr:
      return min_max(*reinterpret_cast<const ::MinMaxExpr*>(from));
    case T_RowExpr:
      return row(*reinterpret_cast<const ::RowExpr*>(from));
    case T_SubLink:
      return sublink(*reinterpret_cast<const ::SubLink*>(from));
    case T_SQLValueFunction:
      return sql_value(*reinterpret_cast<const ::SQLValueFunction*>(from));
    case T_BooleanTest:
      return boolean_test(*reinterpret_cast<const ::BooleanTest*>(from));
    case T_MultiAssignRef:
      return multi_assign(*reinterpret_cast<const ::MultiAssignRef*>(from));
    case T_GroupingSet:
      return grouping_set(*reinterpret_cast<const ::GroupingSet*>(from));
    case T_ParamRef: {
      const auto& param = *reinterpret_cast<const ::ParamRef*>(from);
      auto* to = arena_.make<ast::Parameter>();
      to->location = param.location;
      to->number = param.number;
      return to;
    }
    case T_TypeCast: {
      const auto& cast = *reinterpret_cast<const ::TypeCast*>(from);
      auto* to = arena_.make<ast::Cast>();
      to->location = cast.location;
      expr(cast.arg, to->value);
      to->type = type_name(cast.typeName);
      return to;
    }
    case T_CollateClause: {
      const auto& collate = *reinterpret_cast<const ::CollateClause*>(from);
      auto* to = arena_.make<ast::Collate>();
      to->location = collate.location;
      expr(collate.arg, to->value);
      to->collation = names(collate.collname);
      return to;
    }
    case T_NullTest: {
      const auto& test = *reinterpret_cast<const ::NullTest*>(from);
      auto* to = arena_.make<ast::NullTest>();
      to->location = test.location;
      to->negated = test.nulltesttype == IS_NOT_NULL;
      expr(test.arg, to->value);
      absent(test.argisrow, "a row test", test.location);
      return to;
    }
    case T_A_ArrayExpr: {
      const auto& array = *reinterpret_cast<const ::A_ArrayExpr*>(from);
      auto* to = arena_.make<ast::Array>();
      to->location = array.location;
      to->elements = exprs(array.elements);
      return to;
    }
    case T_CoalesceExpr: {  // its type and collation belong to the analysed tree
      const auto& coalesce = *reinterpret_cast<const ::CoalesceExpr*>(from);
      auto* to = arena_.make<ast::Coalesce>();
      to->location = coalesce.location;
      to->items = exprs(coalesce.args);
      return to;
    }
    case T_NamedArgExpr: {
      const auto& argument = *reinterpret_cast<const ::NamedArgExpr*>(from);
      auto* to = arena_.make<ast::NamedArgument>();
      to->location = argument.location;
      to->name = name(argument.name);
      expr(argument.arg, to->value);
      return to;
    }
    case T_SetToDefault: {
      auto* to = arena_.make<ast::Default>();
      to->location = reinterpret_cast<const ::SetToDefault*>(from)->location;
      return to;
    }
    case T_CurrentOfExpr: {
      const auto& current = *reinterpret_cast<const ::CurrentOfExpr*>(from);
      auto* to = arena_.make<ast::CurrentOf>();
      to->cursor = name(current.cursor_name);
      absent(current.cursor_param, "WHERE CURRENT OF a parameter");
      return to;
    }
    case T_GroupingFunc: {
      const auto& grouping = *reinterpret_cast<const ::GroupingFunc*>(from);
      auto* to = arena_.make<ast::Grouping>();
      to->location = grouping.location;
      to->items = exprs(grouping.args);
      return to;
    }
    case T_XmlExpr:
      refuse("an XML expression", reinterpret_cast<const ::XmlExpr*>(from)->location);
      return nullptr;
    case T_XmlSerialize:
      refuse("XMLSERIALIZE", reinterpret_cast<const ::XmlSerialize*>(from)->location);
      return nullptr;
    default:
      refuse("an expression of kind " + std::to_string(static_cast<int>(nodeTag(from))));
      return nullptr;
  }
}

const ast::Expr* Copier::constant(const ::A_Const& from) {
  auto* to = arena_.make<ast::Constant>();
  to->location = from.location;
  if (from.isnull) return to;
  ++visited_;
  switch (from.val.node.type) {
    case T_Integer:
      to->type = ast::ConstantKind::kInteger;
      to->integer = from.val.ival.ival;
      return to;
    case T_Float: {  // PostgreSQL's make_const: an integer, if it fits int8
      const std::string_view digits = from.val.fval.fval;
      const auto [end, status] =
          std::from_chars(digits.data(), digits.data() + digits.size(), to->integer);
      const bool integer = status == std::errc() && end == digits.data() + digits.size();
      to->type = integer ? ast::ConstantKind::kInteger : ast::ConstantKind::kNumeric;
      if (!integer) {
        to->integer = 0;
        to->text = arena_.copy(digits);
      }
      return to;
    }
    case T_Boolean:
      to->type = ast::ConstantKind::kBoolean;
      to->integer = from.val.boolval.boolval ? 1 : 0;
      return to;
    case T_String:
      to->type = ast::ConstantKind::kText;
      to->text = name(from.val.sval.sval);
      return to;
    case T_BitString:
      to->type = ast::ConstantKind::kBits;
      to->text = name(from.val.bsval.bsval);
      return to;
    default:
      refuse("a literal of this kind", from.location);
      return nullptr;
  }
}

const ast::Expr* Copier::column_ref(const ::ColumnRef& from) {
  auto* to = arena_.make<ast::ColumnRef>();
  to->location = from.location;
  const auto count = static_cast<std::size_t>(from.fields->length);
  const bool star = nodeTag(from.fields->elements[count - 1].ptr_value) == T_A_Star;
  std::span<ast::Name> fields = arena_.make_array<ast::Name>(star ? count - 1 : count);
  for (std::size_t i = 0; i < fields.size(); ++i)
    fields[i] = string(from.fields->elements[i].ptr_value, "such a column reference");
  to->names = fields;
  to->star = star;
  if (star) ++visited_;
  return to;
}

namespace {

bool is_negated_operator(const ::List* name) {
  const auto* last = static_cast<const ::String*>(name->elements[name->length - 1].ptr_value);
  return last->sval[0] == '!' || std::string_view(last->sval) == "<>";
}

template <class To>
To* binary(Arena& arena, const ::A_Expr& from) {
  To* to = arena.make<To>();
  to->location = from.location;
  return to;
}

}  // namespace

const ast::Expr* Copier::operator_expr(const ::A_Expr& from) {
  switch (from.kind) {
    case AEXPR_OP: {
      auto* to = binary<ast::Operator>(arena_, from);
      to->name = names(from.name);
      expr(from.lexpr, to->left);
      expr(from.rexpr, to->right);
      return to;
    }
    case AEXPR_OP_ANY:
    case AEXPR_OP_ALL: {
      auto* to = binary<ast::ArrayComparison>(arena_, from);
      to->name = names(from.name);
      to->all = from.kind == AEXPR_OP_ALL;
      expr(from.lexpr, to->left);
      expr(from.rexpr, to->array);
      return to;
    }
    case AEXPR_DISTINCT:
    case AEXPR_NOT_DISTINCT: {  // the name is always "="
      auto* to = binary<ast::DistinctFrom>(arena_, from);
      to->negated = from.kind == AEXPR_NOT_DISTINCT;
      visited_ += static_cast<std::size_t>(from.name->length);
      expr(from.lexpr, to->left);
      expr(from.rexpr, to->right);
      return to;
    }
    case AEXPR_NULLIF: {  // the name is always "="
      auto* to = binary<ast::NullIf>(arena_, from);
      visited_ += static_cast<std::size_t>(from.name->length);
      expr(from.lexpr, to->left);
      expr(from.rexpr, to->right);
      return to;
    }
    case AEXPR_IN: {  // the name is "=" or "<>"
      auto* to = binary<ast::InList>(arena_, from);
      to->negated = is_negated_operator(from.name);
      visited_ += static_cast<std::size_t>(from.name->length);
      expr(from.lexpr, to->value);
      to->items = exprs(reinterpret_cast<const ::List*>(from.rexpr));
      return to;
    }
    case AEXPR_LIKE:
    case AEXPR_ILIKE:
    case AEXPR_SIMILAR: {  // the name follows from the kind and the negation
      auto* to = binary<ast::Like>(arena_, from);
      to->type = from.kind == AEXPR_LIKE    ? ast::LikeKind::kLike
                 : from.kind == AEXPR_ILIKE ? ast::LikeKind::kILike
                                            : ast::LikeKind::kSimilar;
      to->negated = is_negated_operator(from.name);
      visited_ += static_cast<std::size_t>(from.name->length);
      expr(from.lexpr, to->value);
      expr(from.rexpr, to->pattern);
      return to;
    }
    default:
      return between(from);
  }
}

const ast::Expr* Copier::between(const ::A_Expr& from) {
  const bool known = from.kind == AEXPR_BETWEEN || from.kind == AEXPR_NOT_BETWEEN ||
                     from.kind == AEXPR_BETWEEN_SYM || from.kind == AEXPR_NOT_BETWEEN_SYM;
  const auto* bounds = reinterpret_cast<const ::List*>(from.rexpr);
  if (!known || bounds == nullptr || bounds->length != 2) {
    refuse("an operator of this kind", from.location);
    return nullptr;
  }
  auto* to = binary<ast::Between>(arena_, from);
  to->negated = from.kind == AEXPR_NOT_BETWEEN || from.kind == AEXPR_NOT_BETWEEN_SYM;
  to->symmetric = from.kind == AEXPR_BETWEEN_SYM || from.kind == AEXPR_NOT_BETWEEN_SYM;
  visited_ += static_cast<std::size_t>(from.name->length);
  expr(from.lexpr, to->value);
  expr(bounds->elements[0].ptr_value, to->low);
  expr(bounds->elements[1].ptr_value, to->high);
  return to;
}

const ast::Expr* Copier::logical(const ::BoolExpr& from) {
  auto* to = arena_.make<ast::Logical>();
  to->location = from.location;
  to->type = from.boolop == AND_EXPR  ? ast::LogicalKind::kAnd
             : from.boolop == OR_EXPR ? ast::LogicalKind::kOr
                                      : ast::LogicalKind::kNot;
  to->items = exprs(from.args);
  return to;
}

const ast::FunctionCall* Copier::function_call(const ::FuncCall& from) {
  auto* to = arena_.make<ast::FunctionCall>();
  to->location = from.location;
  to->name = names(from.funcname);
  to->arguments = exprs(from.args);
  to->order_by = sort_items(from.agg_order);
  expr(from.agg_filter, to->filter);
  if (from.over != nullptr) {
    ++visited_;
    auto* over = arena_.make<ast::Window>();
    window(*from.over, *over);
    to->over = over;
  }
  to->star = from.agg_star;
  to->distinct = from.agg_distinct;
  to->variadic = from.func_variadic;
  to->within_group = from.agg_within_group;
  to->sql_syntax = from.funcformat == COERCE_SQL_SYNTAX;
  absent(from.funcformat != COERCE_EXPLICIT_CALL && from.funcformat != COERCE_SQL_SYNTAX,
         "a function call of this form", from.location);
  return to;
}

const ast::Expr* Copier::indirection(const ::A_Indirection& from) {
  auto* to = arena_.make<ast::Indirection>();
  expr(from.arg, to->value);
  to->steps = steps(from.indirection);
  return to;
}

const ast::Expr* Copier::case_expr(const ::CaseExpr& from) {
  auto* to = arena_.make<ast::Case>();
  to->location = from.location;
  expr(from.arg, to->value);
  to->whens = list<ast::When, ::CaseWhen>(from.args, [&](const ::CaseWhen& item, ast::When& when) {
    expr(item.expr, when.condition);
    expr(item.result, when.result);
    when.location = item.location;
  });
  expr(from.defresult, to->otherwise);
  return to;
}

const ast::Expr* Copier::min_max(const ::MinMaxExpr& from) {
  auto* to = arena_.make<ast::MinMax>();
  to->location = from.location;
  to->greatest = from.op == IS_GREATEST;
  to->items = exprs(from.args);
  return to;
}

const ast::Expr* Copier::row(const ::RowExpr& from) {
  auto* to = arena_.make<ast::Row>();
  to->location = from.location;
  to->items = exprs(from.args);
  to->keyword = from.row_format == COERCE_EXPLICIT_CALL;
  absent(from.colnames, "a row with column names", from.location);
  return to;
}

const ast::Expr* Copier::sublink(const ::SubLink& from) {
  auto* to = arena_.make<ast::Subquery>();
  to->location = from.location;
  switch (from.subLinkType) {
    case EXPR_SUBLINK:
      to->type = ast::SubqueryKind::kScalar;
      break;
    case EXISTS_SUBLINK:
      to->type = ast::SubqueryKind::kExists;
      break;
    case ANY_SUBLINK:
      to->type = ast::SubqueryKind::kAny;
      break;
    case ALL_SUBLINK:
      to->type = ast::SubqueryKind::kAll;
      break;
    case ARRAY_SUBLINK:
      to->type = ast::SubqueryKind::kArray;
      break;
    default:
      refuse("a subquery of this kind", from.location);
      return nullptr;
  }
  expr(from.testexpr, to->value);
  to->name = names(from.operName);
  select(from.subselect, to->select);
  absent(from.subLinkId, "a numbered subquery", from.location);
  return to;
}

const ast::Expr* Copier::sql_value(const ::SQLValueFunction& from) {
  using K = ast::SqlValueKind;
  // In the order of SQLValueFunctionOp; the _N forms carry a precision.
  static constexpr std::array kKinds = {
      K::kCurrentDate,      K::kCurrentTime,    K::kCurrentTime,  K::kCurrentTimestamp,
      K::kCurrentTimestamp, K::kLocalTime,      K::kLocalTime,    K::kLocalTimestamp,
      K::kLocalTimestamp,   K::kCurrentRole,    K::kCurrentUser,  K::kUser,
      K::kSessionUser,      K::kCurrentCatalog, K::kCurrentSchema};
  auto* to = arena_.make<ast::SqlValue>();
  to->location = from.location;
  if (static_cast<std::size_t>(from.op) >= kKinds.size()) {
    refuse("an SQL value of this kind", from.location);
    return nullptr;
  }
  to->type = kKinds[static_cast<std::size_t>(from.op)];
  to->precision = from.typmod;
  return to;
}

const ast::Expr* Copier::boolean_test(const ::BooleanTest& from) {
  auto* to = arena_.make<ast::BooleanTest>();
  to->location = from.location;
  switch (from.booltesttype) {
    case IS_TRUE:
    case IS_NOT_TRUE:
      to->truth = ast::TruthValue::kTrue;
      break;
    case IS_FALSE:
    case IS_NOT_FALSE:
      to->truth = ast::TruthValue::kFalse;
      break;
    case IS_UNKNOWN:
    case IS_NOT_UNKNOWN:
      to->truth = ast::TruthValue::kUnknown;
      break;
  }
  to->negated = from.booltesttype == IS_NOT_TRUE || from.booltesttype == IS_NOT_FALSE ||
                from.booltesttype == IS_NOT_UNKNOWN;
  expr(from.arg, to->value);
  return to;
}

const ast::Expr* Copier::multi_assign(const ::MultiAssignRef& from) {
  auto* to = arena_.make<ast::MultiAssign>();
  to->column = from.colno;
  to->columns = from.ncolumns;
  if (from.colno == 1) expr(from.source, to->source);  // the raw tree shares one source
  return to;
}

const ast::Expr* Copier::grouping_set(const ::GroupingSet& from) {
  auto* to = arena_.make<ast::GroupingSet>();
  to->location = from.location;
  switch (from.kind) {
    case GROUPING_SET_EMPTY:
      to->type = ast::GroupingSetKind::kEmpty;
      break;
    case GROUPING_SET_ROLLUP:
      to->type = ast::GroupingSetKind::kRollup;
      break;
    case GROUPING_SET_CUBE:
      to->type = ast::GroupingSetKind::kCube;
      break;
    case GROUPING_SET_SETS:
      to->type = ast::GroupingSetKind::kSets;
      break;
    default:
      refuse("a grouping set of this kind", from.location);
      return nullptr;
  }
  to->items = exprs(from.content);
  return to;
}

}  // namespace coppice::planner::raw
