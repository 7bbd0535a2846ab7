// restrictions.cpp — conditions taken apart.
#include "modules/planner/plan/restrictions.h"

#include <algorithm>
#include <utility>

#include "modules/planner/plan/operators.h"

namespace coppice::planner {

namespace {

using Kind = Expression::Kind;

bool is_integer_type(TypeOid type) {
  return type == type_oid::kInt2 || type == type_oid::kInt4 || type == type_oid::kInt8;
}

bool is_varying_text(TypeOid type) {
  return type == type_oid::kText || type == type_oid::kVarchar;
}

// A value of `type` has the column's keys: the executor fits integers of other widths.
bool same_keys(TypeOid column, TypeOid type) {
  return column == type || (is_integer_type(column) && is_integer_type(type)) ||
         (is_varying_text(column) && is_varying_text(type));
}

TypeOid type_of(const Relation& relation, std::int16_t attribute) {
  for (const RelationColumn& column : relation.columns)
    if (column.attribute == attribute) return column.type;
  return type_oid::kInt8;  // egid
}

// The column under a cast that only widens an integer.
const Expression& without_widening(const Expression& expression) {
  const bool widens =
      expression.kind == Kind::kCall && expression.arguments.size() == 1 &&
      is_integer_type(expression.type) && is_integer_type(expression.arguments.front()->type) &&
      expression.function->volatility == Volatility::kImmutable &&
      fixed_bytes(expression.physical) > fixed_bytes(expression.arguments.front()->physical) &&
      expression.function->name.starts_with("int");
  return widens ? *expression.arguments.front() : expression;
}

bool is_usable_value(const Relation& relation, const Expression& value, bool outside) {
  if (!outside) return is_runtime_constant(value);
  return !any_of(value, [&](const Expression& node) {
    return node.subplan != nullptr || attribute_of(relation, node).has_value();
  }) && !is_volatile(value);
}

// The beginning of a LIKE pattern up to its first wildcard; `exact` if only a % follows it.
std::string like_prefix(std::string_view pattern, bool& exact) {
  std::string prefix;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == '%' || c == '_') {
      exact = c == '%' && i + 1 == pattern.size();
      return prefix;
    }
    if (c == '\\') {
      if (++i == pattern.size()) break;
      prefix.push_back(pattern[i]);
      continue;
    }
    prefix.push_back(c);
  }
  exact = false;  // no wildcard: the value is the prefix and nothing more
  return prefix;
}

std::optional<Restriction> like_restriction(const BindContext& context, std::int16_t attribute,
                                            const Expression& pattern) {
  if (!is_constant(pattern) || pattern.value.null || pattern.type != type_oid::kText) return {};
  Restriction made;
  made.kind = Restriction::Kind::kPrefix;
  made.attribute = attribute;
  const std::string prefix = like_prefix(pattern.value.bytes, made.exact);
  if (prefix.empty()) return {};
  made.values.push_back(
      make_constant(context, type_oid::kText, Value(Datum::of(as_bytes(prefix)))));
  return made;
}

std::optional<Restriction> comparison(const BindContext& context, const Relation& relation,
                                      const Expression& condition, bool outside) {
  const SqlOperator* const op = operator_of(context, condition);
  if (op == nullptr || op->strategy == IndexStrategy::kNone) return {};
  const Expression* column = &without_widening(*condition.arguments[0]);
  const Expression* value = condition.arguments[1].get();
  IndexStrategy strategy = op->strategy;
  std::optional<std::int16_t> attribute = attribute_of(relation, *column);
  if (!attribute || !is_usable_value(relation, *value, outside)) {
    column = &without_widening(*condition.arguments[1]);
    value = condition.arguments[0].get();
    attribute = attribute_of(relation, *column);
    strategy = mirrored(strategy);
    if (!attribute || !is_usable_value(relation, *value, outside)) return {};
  }
  if (strategy == IndexStrategy::kNone) return {};
  const TypeOid type = type_of(relation, *attribute);
  if (strategy == IndexStrategy::kPrefix)
    return is_varying_text(type) ? like_restriction(context, *attribute, *value) : std::nullopt;
  if (!same_keys(type, value->type)) return {};
  Restriction made;
  made.attribute = *attribute;
  made.values.push_back(value->clone());
  switch (strategy) {
    case IndexStrategy::kEqual:
      break;
    case IndexStrategy::kGreater:
    case IndexStrategy::kGreaterEqual:
      made.kind = Restriction::Kind::kFrom;
      made.inclusive = strategy == IndexStrategy::kGreaterEqual;
      break;
    default:
      made.kind = Restriction::Kind::kTo;
      made.inclusive = strategy == IndexStrategy::kLessEqual;
      break;
  }
  return made;
}

}  // namespace

std::optional<std::int16_t> attribute_of(const Relation& relation, const Expression& expression) {
  if (expression.kind != Kind::kColumn) return {};
  if (relation.egid == expression.ordinal) return std::int16_t{0};
  for (const RelationColumn& column : relation.columns)
    if (column.id == expression.ordinal) return column.attribute;
  return {};
}

std::optional<Restriction> restriction_of(const BindContext& context, const Relation& relation,
                                          const Expression& condition, bool outside) {
  Restriction made;
  switch (condition.kind) {
    case Kind::kCall:
      return comparison(context, relation, condition, outside);
    case Kind::kIsNull: {
      const auto attribute = attribute_of(relation, *condition.arguments.front());
      if (!attribute || *attribute == 0) return {};
      made.kind = Restriction::Kind::kIsNull;
      made.attribute = *attribute;
      return made;
    }
    case Kind::kInList: {
      const auto attribute = attribute_of(relation, without_widening(*condition.arguments.front()));
      if (!attribute) return {};
      made.kind = Restriction::Kind::kIn;
      made.attribute = *attribute;
      for (std::size_t i = 1; i < condition.arguments.size(); ++i) {
        const Expression& item = *condition.arguments[i];
        if (!same_keys(type_of(relation, *attribute), item.type) ||
            !is_usable_value(relation, item, outside))
          return {};
        made.values.push_back(item.clone());
      }
      return made;
    }
    case Kind::kColumn:
    case Kind::kNot: {
      // A boolean column by itself: b = true.
      const bool negated = condition.kind == Kind::kNot;
      const Expression& column = negated ? *condition.arguments.front() : condition;
      const auto attribute = attribute_of(relation, column);
      if (!attribute || column.type != type_oid::kBool) return {};
      made.attribute = *attribute;
      made.values.push_back(make_bool(!negated));
      return made;
    }
    default:
      return {};
  }
}

}  // namespace coppice::planner
