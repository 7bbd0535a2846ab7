// expression_forms.cpp — forms with a grammar of their own: AND, CASE, IN, BETWEEN, LIKE, casts.
#include <algorithm>
#include <utility>

#include "modules/planner/bind/expression_binder.h"
#include "modules/planner/bind/type_names.h"

namespace coppice::planner {

namespace {

using Kind = Expression::Kind;

ExpressionRef negate(const BindContext& context, ExpressionRef value, bool negated) {
  if (!negated) return value;
  const ast::Location at = value->location;
  std::vector<ExpressionRef> arguments;
  arguments.push_back(std::move(value));
  return make_node(context, Kind::kNot, type_oid::kBool, std::move(arguments), at);
}

std::vector<ExpressionRef> pair(ExpressionRef first, ExpressionRef second) {
  std::vector<ExpressionRef> both;
  both.push_back(std::move(first));
  both.push_back(std::move(second));
  return both;
}

Status coerce_all(BindContext& context, std::vector<ExpressionRef>& items, TypeOid type,
                  std::string_view construct) {
  for (ExpressionRef& item : items)
    item = COPPICE_TRY(coerce_to_common(context, std::move(item), type, construct));
  return {};
}

// The modifier that all share, else none.
std::int32_t common_modifier(std::span<const ExpressionRef> items) {
  const std::int32_t first = items.front()->modifier;
  const bool all = std::all_of(items.begin(), items.end(),
                               [&](const ExpressionRef& item) { return item->modifier == first; });
  return all ? first : -1;
}

}  // namespace

Result<ExpressionRef> ExpressionBinder::logical(const ast::Logical& tree) {
  const bool is_not = tree.type == ast::LogicalKind::kNot;
  const std::string_view name = is_not ? "NOT" : tree.type == ast::LogicalKind::kAnd ? "AND" : "OR";
  Arguments items;
  for (const ast::Expr* const item : tree.items) {
    ExpressionRef bound = COPPICE_TRY(bind_boolean(*item, name));
    items.push_back(std::move(bound));
  }
  const Kind kind = is_not                                ? Kind::kNot
                    : tree.type == ast::LogicalKind::kAnd ? Kind::kAnd
                                                          : Kind::kOr;
  if (is_not && is_constant(*items.front()) && !items.front()->value.null)
    return make_bool(items.front()->value.bits == 0);
  if (kind == Kind::kNot)
    return make_node(context_, kind, type_oid::kBool, std::move(items), tree.location);
  // What decides, decides; what changes nothing, goes.
  const bool deciding = kind == Kind::kOr;
  for (const ExpressionRef& item : items)
    if (is_constant_bool(*item, deciding)) return make_bool(deciding);
  std::erase_if(items,
                [&](const ExpressionRef& item) { return is_constant_bool(*item, !deciding); });
  if (items.empty()) return make_bool(!deciding);
  if (items.size() == 1) return std::move(items.front());
  return make_node(context_, kind, type_oid::kBool, std::move(items), tree.location);
}

Result<ExpressionRef> ExpressionBinder::explicit_cast(const ast::Cast& tree) {
  const ResolvedType type = COPPICE_TRY(resolve_type(context_, *tree.type));
  const ast::Location at = tree.location >= 0 ? tree.location : tree.type->location;
  const auto* const list = ast::find_as<ast::Array>(tree.value);
  const SqlType* const target = context_.registry().find_type(type.oid);
  if (list != nullptr && target != nullptr && target->info().element != 0) {
    // Each element takes the type; so may none.
    Arguments items = COPPICE_TRY(bind_all(list->elements));
    for (ExpressionRef& item : items)
      item =
          COPPICE_TRY(cast(context_, std::move(item), target->info().element, type.modifier, at));
    return make_node(context_, Kind::kArray, type.oid, std::move(items), at);
  }
  ExpressionRef value = COPPICE_TRY(bind(*tree.value));
  const ast::Location leftmost = value->location >= 0 ? std::min(value->location, at) : at;
  ExpressionRef made = COPPICE_TRY(cast(context_, std::move(value), type.oid, type.modifier, at));
  made->location = leftmost;
  return made;
}

Result<ExpressionRef> ExpressionBinder::case_of(const ast::Case& tree) {
  Arguments conditions, results;
  ExpressionRef subject;
  if (tree.value != nullptr) subject = COPPICE_TRY(bind_typed(*tree.value));
  for (const ast::When& when : tree.whens) {
    ExpressionRef condition;
    if (subject == nullptr) {
      condition = COPPICE_TRY(bind_boolean(*when.condition, "CASE/WHEN"));
    } else {
      ExpressionRef value = COPPICE_TRY(bind(*when.condition));
      condition =
          COPPICE_TRY(call_operator("=", subject->clone(), std::move(value), when.location));
    }
    conditions.push_back(std::move(condition));
    ExpressionRef result = COPPICE_TRY(bind(*when.result));
    results.push_back(std::move(result));
  }
  // PostgreSQL puts ELSE first when it looks for the common type.
  ExpressionRef otherwise;
  if (tree.otherwise != nullptr) {
    otherwise = COPPICE_TRY(bind(*tree.otherwise));
  } else {
    otherwise = make_null(context_, type_oid::kUnknown);
  }
  results.insert(results.begin(), std::move(otherwise));
  const TypeOid type = COPPICE_TRY(common_type(context_, results, "CASE"));
  COPPICE_TRY(coerce_all(context_, results, type, "CASE/WHEN"));
  const std::int32_t modifier = common_modifier(results);
  Arguments arguments;
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    arguments.push_back(std::move(conditions[i]));
    arguments.push_back(std::move(results[i + 1]));
  }
  if (!is_null_constant(*results.front())) arguments.push_back(std::move(results.front()));
  ExpressionRef made = make_node(context_, Kind::kCase, type, std::move(arguments), tree.location);
  made->modifier = modifier;
  return made;
}

Result<ExpressionRef> ExpressionBinder::coalesce(const ast::Coalesce& tree) {
  Arguments items = COPPICE_TRY(bind_all(tree.items));
  const TypeOid type = COPPICE_TRY(common_type(context_, items, "COALESCE"));
  COPPICE_TRY(coerce_all(context_, items, type, "COALESCE"));
  const std::int32_t modifier = common_modifier(items);
  ExpressionRef made = make_node(context_, Kind::kCoalesce, type, std::move(items), tree.location);
  made->modifier = modifier;
  return made;
}

// GREATEST(a, b, …): the first that is not smaller than any other; NULLs do not count.
Result<ExpressionRef> ExpressionBinder::min_max(const ast::MinMax& tree) {
  const std::string_view name = tree.greatest ? "GREATEST" : "LEAST";
  // Each step doubles what was there.
  if (tree.items.size() > 8) return context_.unsupported(tree.location, "so many arguments");
  Arguments items = COPPICE_TRY(bind_all(tree.items));
  const TypeOid type = COPPICE_TRY(common_type(context_, items, name));
  COPPICE_TRY(coerce_all(context_, items, type, name));
  ExpressionRef best = std::move(items.front());
  for (std::size_t i = 1; i < items.size(); ++i) {
    ExpressionRef better = COPPICE_TRY(call_operator(tree.greatest ? ">=" : "<=", best->clone(),
                                                     items[i]->clone(), tree.location));
    // CASE WHEN next IS NULL OR best >= next THEN best ELSE next END
    Arguments is_null;
    is_null.push_back(items[i]->clone());
    Arguments cases =
        pair(make_node(context_, Kind::kOr, type_oid::kBool,
                       pair(make_node(context_, Kind::kIsNull, type_oid::kBool, std::move(is_null)),
                            std::move(better))),
             std::move(best));
    cases.push_back(std::move(items[i]));
    best = make_node(context_, Kind::kCase, type, std::move(cases), tree.location);
  }
  return best;
}

Result<ExpressionRef> ExpressionBinder::null_if(const ast::NullIf& tree) {
  ExpressionRef left = COPPICE_TRY(bind(*tree.left));
  ExpressionRef right = COPPICE_TRY(bind(*tree.right));
  left = COPPICE_TRY(resolve_unknown(context_, std::move(left)));
  ExpressionRef equal =
      COPPICE_TRY(call_operator("=", left->clone(), std::move(right), tree.location));
  const TypeOid type = left->type;
  Arguments cases = pair(std::move(equal), make_null(context_, type));
  cases.push_back(std::move(left));
  return make_node(context_, Kind::kCase, type, std::move(cases), tree.location);
}

Result<ExpressionRef> ExpressionBinder::null_test(const ast::NullTest& tree) {
  ExpressionRef value = COPPICE_TRY(bind_typed(*tree.value));
  if (is_constant(*value)) return make_bool(value->value.null != tree.negated);
  const ast::Location at = value->location;
  Arguments arguments;
  arguments.push_back(std::move(value));
  return make_node(context_, tree.negated ? Kind::kIsNotNull : Kind::kIsNull, type_oid::kBool,
                   std::move(arguments), at);
}

Result<ExpressionRef> ExpressionBinder::boolean_test(const ast::BooleanTest& tree) {
  const bool unknown = tree.truth == ast::TruthValue::kUnknown;
  const std::string name = std::string(tree.negated ? "IS NOT " : "IS ") +
                           (unknown                                ? "UNKNOWN"
                            : tree.truth == ast::TruthValue::kTrue ? "TRUE"
                                                                   : "FALSE");
  ExpressionRef value = COPPICE_TRY(bind_boolean(*tree.value, name));
  const ast::Location at = value->location;
  ExpressionRef reference = unknown ? make_null(context_, type_oid::kBool)
                                    : make_bool(tree.truth == ast::TruthValue::kTrue);
  ExpressionRef distinct = make_node(context_, Kind::kDistinct, type_oid::kBool,
                                     pair(std::move(value), std::move(reference)), at);
  return negate(context_, std::move(distinct), !tree.negated);
}

Result<ExpressionRef> ExpressionBinder::distinct_from(const ast::DistinctFrom& tree) {
  Arguments items;
  ExpressionRef left = COPPICE_TRY(bind(*tree.left));
  ExpressionRef right = COPPICE_TRY(bind(*tree.right));
  // As "=" would take them: the operator's operands.
  ExpressionRef equal =
      COPPICE_TRY(call_operator("=", left->clone(), right->clone(), tree.location));
  items = pair(std::move(left), std::move(right));
  const TypeOid type = COPPICE_TRY(common_type(context_, items, "IS DISTINCT FROM"));
  COPPICE_TRY(coerce_all(context_, items, type, "IS DISTINCT FROM"));
  const ast::Location at = items.front()->location;
  return negate(context_,
                make_node(context_, Kind::kDistinct, type_oid::kBool, std::move(items), at),
                tree.negated);
}

Result<ExpressionRef> ExpressionBinder::in_list(const ast::InList& tree) {
  if (const auto* const row = ast::find_as<ast::Row>(tree.value)) {
    Arguments any;
    for (const ast::Expr* const item : tree.items) {
      const auto* const other = ast::find_as<ast::Row>(item);
      if (other == nullptr) return context_.unsupported(item->location, "a row as a value");
      ExpressionRef equal = COPPICE_TRY(equal_rows(*row, *other, tree.location));
      any.push_back(std::move(equal));
    }
    if (any.size() == 1) return negate(context_, std::move(any.front()), tree.negated);
    return negate(context_, make_node(context_, Kind::kOr, type_oid::kBool, std::move(any)),
                  tree.negated);
  }
  ExpressionRef value = COPPICE_TRY(bind(*tree.value));
  ExpressionRef found = COPPICE_TRY(in_items(std::move(value), tree.items, tree.location));
  return negate(context_, std::move(found), tree.negated);
}

Result<ExpressionRef> ExpressionBinder::in_items(ExpressionRef value,
                                                 ast::List<const ast::Expr*> items,
                                                 ast::Location at) {
  Arguments all;
  all.push_back(std::move(value));
  for (const ast::Expr* const item : items) {
    ExpressionRef bound = COPPICE_TRY(bind(*item));
    all.push_back(std::move(bound));
  }
  if (all.size() == 2) return call_operator("=", std::move(all[0]), std::move(all[1]), at);
  const auto type = common_type(context_, all, "IN");
  if (!type) {
    // No common type: each is compared on its own, which words the error.
    for (std::size_t i = 1; i < all.size(); ++i)
      COPPICE_TRY(call_operator("=", all[0]->clone(), std::move(all[i]), at));
    return std::unexpected(type.error().clone());
  }
  COPPICE_TRY(call_operator("=", make_null(context_, *type), make_null(context_, *type), at));
  COPPICE_TRY(coerce_all(context_, all, *type, "IN"));
  const ast::Location leftmost = all.front()->location;
  return make_node(context_, Kind::kInList, type_oid::kBool, std::move(all), leftmost);
}

Result<ExpressionRef> ExpressionBinder::equal_rows(const ast::Row& left, const ast::Row& right,
                                                   ast::Location at) {
  if (left.items.size() != right.items.size())
    return context_.error(at, sqlstate::kSyntaxError,
                          "unequal number of entries in row expressions");
  Arguments all;
  for (std::size_t i = 0; i < left.items.size(); ++i) {
    ExpressionRef a = COPPICE_TRY(bind(*left.items[i]));
    ExpressionRef b = COPPICE_TRY(bind(*right.items[i]));
    ExpressionRef equal = COPPICE_TRY(call_operator("=", std::move(a), std::move(b), at));
    all.push_back(std::move(equal));
  }
  if (all.empty())
    return context_.error(at, sqlstate::kFeatureNotSupported, "cannot compare rows of zero length");
  if (all.size() == 1) return std::move(all.front());
  return make_node(context_, Kind::kAnd, type_oid::kBool, std::move(all), at);
}

Result<ExpressionRef> ExpressionBinder::like(const ast::Like& tree) {
  ExpressionRef value = COPPICE_TRY(bind(*tree.value));
  ExpressionRef pattern = COPPICE_TRY(bind(*tree.pattern));
  std::string_view name = tree.negated ? "!~~" : "~~";
  if (tree.type == ast::LikeKind::kILike) name = tree.negated ? "!~~*" : "~~*";
  if (tree.type == ast::LikeKind::kSimilar) name = tree.negated ? "!~" : "~";
  return call_operator(name, std::move(value), std::move(pattern), tree.location);
}

Result<ExpressionRef> ExpressionBinder::ordered_between(const ast::Expr& value,
                                                        const ast::Expr& low, const ast::Expr& high,
                                                        ast::Location at) {
  ExpressionRef first = COPPICE_TRY(bind(value));
  ExpressionRef from = COPPICE_TRY(bind(low));
  ExpressionRef at_least = COPPICE_TRY(call_operator(">=", std::move(first), std::move(from), at));
  ExpressionRef second = COPPICE_TRY(bind(value));
  ExpressionRef to = COPPICE_TRY(bind(high));
  ExpressionRef at_most = COPPICE_TRY(call_operator("<=", std::move(second), std::move(to), at));
  return make_node(context_, Kind::kAnd, type_oid::kBool,
                   pair(std::move(at_least), std::move(at_most)), at);
}

Result<ExpressionRef> ExpressionBinder::between(const ast::Between& tree) {
  ExpressionRef made =
      COPPICE_TRY(ordered_between(*tree.value, *tree.low, *tree.high, tree.location));
  if (tree.symmetric) {
    ExpressionRef other =
        COPPICE_TRY(ordered_between(*tree.value, *tree.high, *tree.low, tree.location));
    made = make_node(context_, Kind::kOr, type_oid::kBool, pair(std::move(made), std::move(other)),
                     tree.location);
  }
  return negate(context_, std::move(made), tree.negated);
}

Result<ExpressionRef> ExpressionBinder::collate(const ast::Collate& tree) {
  const ast::Name name = tree.collation.back();
  if (name != "C" && name != "POSIX" && name != "default" && name != "ucs_basic" &&
      name != "C.UTF-8")
    return context_.unsupported(tree.location, "collation " + quoted(name));
  ExpressionRef value = COPPICE_TRY(bind_typed(*tree.value));
  if (category_of(context_, value->type) != 'S') {
    return context_.error(
        tree.location, "42804",
        "collations are not supported by type " + context_.type_text(value->type));
  }
  return value;
}

Result<ExpressionRef> ExpressionBinder::sql_value(const ast::SqlValue& tree) {
  using K = ast::SqlValueKind;
  std::string_view name = "now";
  TypeOid type = 0;
  switch (tree.type) {
    case K::kCurrentDate:
      type = type_oid::kDate;
      break;
    case K::kCurrentTime:
      type = 1266;  // timetz
      break;
    case K::kCurrentTimestamp:
      break;
    case K::kLocalTime:
      type = type_oid::kTime;
      break;
    case K::kLocalTimestamp:
      type = type_oid::kTimestamp;
      break;
    case K::kCurrentRole:
    case K::kCurrentUser:
    case K::kUser:
      name = "current_user";
      break;
    case K::kSessionUser:
      name = "session_user";
      break;
    case K::kCurrentCatalog:
      name = "current_database";
      break;
    case K::kCurrentSchema:
      name = "current_schema";
      break;
  }
  ExpressionRef made = COPPICE_TRY(call_function(name, {}, tree.location));
  if (type == 0) type = made->type;
  return cast(context_, std::move(made), type, tree.precision, tree.location);
}

}  // namespace coppice::planner
