// expression_calls.cpp — operators, functions, aggregates: which one, and with what casts.
#include <algorithm>
#include <utility>

#include "modules/planner/bind/expression_binder.h"
#include "modules/planner/bind/overload.h"

namespace coppice::planner {

namespace {

using Kind = Expression::Kind;

std::vector<TypeOid> types_of(const std::vector<ExpressionRef>& arguments) {
  std::vector<TypeOid> types;
  types.reserve(arguments.size());
  for (const ExpressionRef& argument : arguments) types.push_back(argument->type);
  return types;
}

// Names of pg_catalog, qualified or not; nothing else is there yet.
bool is_builtin_name(ast::Names names) {
  return names.size() == 1 || (names.size() == 2 && names[0] == "pg_catalog");
}

std::string written(ast::Names names) {
  std::string text;
  for (const ast::Name name : names) {
    if (!text.empty()) text += '.';
    text += name;
  }
  return text;
}

// The declared arguments for `count` inputs; nothing if it does not take so many.
std::optional<std::vector<TypeOid>> arguments_for(const SqlFunction& function, std::size_t count) {
  if (function.arguments.size() == count) return function.arguments;
  if (!function.variadic || function.arguments.empty() || count < function.arguments.size())
    return {};
  std::vector<TypeOid> types = function.arguments;
  types.resize(count, function.arguments.back());
  return types;
}

const SqlOperator* find_operator(const BindContext& context, std::string_view name, TypeOid left,
                                 TypeOid right, bool& ambiguous) {
  const std::span<const SqlOperator* const> all = context.registry().operators(name);
  const bool prefix = left == 0;
  TypeOid exact_left = left, exact_right = right;
  if (!prefix && left == type_oid::kUnknown) exact_left = right;
  if (!prefix && right == type_oid::kUnknown) exact_right = left;
  for (const SqlOperator* const op : all)
    if (op->left == exact_left && op->right == exact_right) return op;
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if ((all[i]->left == 0) != prefix) continue;
    Candidate candidate{.arguments = {}, .index = i};
    if (!prefix) candidate.arguments.push_back(all[i]->left);
    candidate.arguments.push_back(all[i]->right);
    candidates.push_back(std::move(candidate));
  }
  std::vector<TypeOid> inputs;
  if (!prefix) inputs.push_back(left);
  inputs.push_back(right);
  const Choice choice = choose(context, inputs, std::move(candidates));
  ambiguous = choice.kind == Choice::Kind::kAmbiguous;
  return choice.kind == Choice::Kind::kOne ? all[choice.index] : nullptr;
}

ast::Location leftmost(ast::Location a, ast::Location b) {
  return a < 0 ? b : b < 0 ? a : std::min(a, b);
}

// The type that the polymorphic arguments stand for.
TypeOid element_of(const BindContext& context, std::span<const TypeOid> declared,
                   const std::vector<ExpressionRef>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const TypeOid type = declared[std::min(i, declared.size() - 1)];
    const SqlType* const actual = context.registry().find_type(arguments[i]->type);
    if (actual == nullptr) continue;
    if (type == type_oid::kAnyarray || type == 5078) return actual->info().element;
    if (is_polymorphic(type) && type != type_oid::kAny) return actual->info().oid;
  }
  return 0;
}

TypeOid result_of(const BindContext& context, TypeOid declared_result,
                  std::span<const TypeOid> declared, const std::vector<ExpressionRef>& arguments) {
  if (!is_polymorphic(declared_result) || declared.empty()) return declared_result;
  const TypeOid element = element_of(context, declared, arguments);
  if (declared_result != type_oid::kAnyarray && declared_result != 5078) return element;
  const SqlType* const type = context.registry().find_type(element);
  return type == nullptr ? 0 : type->info().array;
}

}  // namespace

Result<ExpressionRef> ExpressionBinder::call_operator(std::string_view name, ExpressionRef left,
                                                      ExpressionRef right, ast::Location at) {
  bool ambiguous = false;
  const TypeOid left_type = left == nullptr ? 0 : left->type;
  const SqlOperator* const op = find_operator(context_, name, left_type, right->type, ambiguous);
  if (op == nullptr) {
    const std::string operands = (left == nullptr ? "" : context_.type_text(left_type) + " ") +
                                 std::string(name) + " " + context_.type_text(right->type);
    if (ambiguous) {
      return context_.error(at, "42725", "operator is not unique: " + operands,
                            "Could not choose a best candidate operator. You might need to add "
                            "explicit type casts.");
    }
    return context_.error(at, sqlstate::kUndefinedFunction, "operator does not exist: " + operands,
                          left == nullptr
                              ? "No operator matches the given name and argument type. You might "
                                "need to add an explicit type cast."
                              : "No operator matches the given name and argument types. You might "
                                "need to add explicit type casts.");
  }
  ast::Location from = at;
  Arguments arguments;
  if (left != nullptr) {
    from = leftmost(left->location, at);
    left = COPPICE_TRY(coerce_argument(context_, *op->function, std::move(left), op->left));
    arguments.push_back(std::move(left));
  }
  right = COPPICE_TRY(coerce_argument(context_, *op->function, std::move(right), op->right));
  arguments.push_back(std::move(right));
  const TypeOid declared[] = {op->left != 0 ? op->left : op->right, op->right};
  const TypeOid result = result_of(context_, op->result, declared, arguments);
  return make_call(context_, *op->function, result, std::move(arguments), from);
}

Result<ExpressionRef> ExpressionBinder::operation(const ast::Operator& tree) {
  if (ast::find_as<ast::Row>(tree.left) != nullptr && ast::find_as<ast::Row>(tree.right) != nullptr)
    return row_comparison(tree);
  ExpressionRef left;
  if (tree.left != nullptr) left = COPPICE_TRY(bind(*tree.left));
  ExpressionRef right = COPPICE_TRY(bind(*tree.right));
  if (!is_builtin_name(tree.name)) {
    return context_.error(tree.location, sqlstate::kUndefinedFunction,
                          "operator does not exist: " +
                              (left == nullptr ? "" : context_.type_text(left->type) + " ") +
                              written(tree.name) + " " + context_.type_text(right->type),
                          "No operator matches the given name and argument types. You might need "
                          "to add explicit type casts.");
  }
  return call_operator(tree.name.back(), std::move(left), std::move(right), tree.location);
}

Result<ExpressionRef> ExpressionBinder::row_comparison(const ast::Operator& tree) {
  const auto& left = ast::as<ast::Row>(*tree.left);
  const auto& right = ast::as<ast::Row>(*tree.right);
  const ast::Name name = tree.name.back();
  if (name != "=" && name != "<>") return context_.unsupported(tree.location, "the order of rows");
  ExpressionRef equal = COPPICE_TRY(equal_rows(left, right, tree.location));
  if (name == "=") return equal;
  Arguments arguments;
  arguments.push_back(std::move(equal));
  return make_node(context_, Kind::kNot, type_oid::kBool, std::move(arguments), tree.location);
}

// x = ANY (ARRAY[a, b]) is x IN (a, b); over other arrays the executor compares.
Result<ExpressionRef> ExpressionBinder::array_comparison(const ast::ArrayComparison& tree) {
  const ast::Name name = tree.name.back();
  const bool any_equal = name == "=" && !tree.all;
  const bool all_different = name == "<>" && tree.all;
  if (!any_equal && !all_different)
    return context_.unsupported(tree.location, "this comparison with an array");
  ExpressionRef value = COPPICE_TRY(bind(*tree.left));
  ExpressionRef made;
  if (const auto* const list = ast::find_as<ast::Array>(tree.array);
      list != nullptr && !list->elements.empty()) {
    made = COPPICE_TRY(in_items(std::move(value), list->elements, tree.location));
  } else {
    ExpressionRef array = COPPICE_TRY(bind(*tree.array));
    if (array->type == type_oid::kUnknown)
      value = COPPICE_TRY(resolve_unknown(context_, std::move(value)));
    const SqlType* const element = context_.registry().find_type(value->type);
    if (array->type == type_oid::kUnknown && element != nullptr && element->info().array != 0)
      array = COPPICE_TRY(coerce_implicit(context_, std::move(array), element->info().array));
    const SqlType* const type = context_.registry().find_type(array->type);
    if (type == nullptr || type->info().element == 0) {
      return context_.error(tree.location, "42809",
                            "op ANY/ALL (array) requires array on right side");
    }
    value = COPPICE_TRY(coerce_implicit(context_, std::move(value), type->info().element));
    Arguments arguments;
    arguments.push_back(std::move(value));
    arguments.push_back(std::move(array));
    made =
        make_node(context_, Kind::kArrayAny, type_oid::kBool, std::move(arguments), tree.location);
  }
  if (any_equal) return made;
  Arguments arguments;
  arguments.push_back(std::move(made));
  return make_node(context_, Kind::kNot, type_oid::kBool, std::move(arguments), tree.location);
}

TypeOid ExpressionBinder::array_type(TypeOid element) const {
  const SqlType* const type = context_.registry().find_type(element);
  if (type == nullptr || context_.registry().find_type(type->info().array) == nullptr) return 0;
  return type->info().array;
}

Result<ExpressionRef> ExpressionBinder::array(const ast::Array& tree) {
  if (tree.elements.empty()) {
    return context_.error(tree.location, "42P18", "cannot determine type of empty array",
                          "Explicitly cast to the desired type, for example ARRAY[]::integer[].");
  }
  Arguments items = COPPICE_TRY(bind_all(tree.elements));
  const TypeOid element = COPPICE_TRY(common_type(context_, items, "ARRAY"));
  const TypeOid type = array_type(element);
  if (type == 0 || tree.elements.front()->kind == ast::ExprKind::kArray) {
    return context_.unsupported(tree.location,
                                "an array of type " + context_.type_text(element) + "[]");
  }
  for (ExpressionRef& item : items)
    item = COPPICE_TRY(coerce_to_common(context_, std::move(item), element, "ARRAY"));
  return make_node(context_, Kind::kArray, type, std::move(items), tree.location);
}

Result<ExpressionRef> ExpressionBinder::indirection(const ast::Indirection& tree) {
  ExpressionRef value = COPPICE_TRY(bind_typed(*tree.value));
  for (const ast::Step& step : tree.steps) {
    if (step.kind != ast::StepKind::kSubscript)
      return context_.unsupported(tree.location, "a slice or a field of a row");
    const SqlType* const type = context_.registry().find_type(value->type);
    if (type == nullptr || type->info().element == 0) {
      return context_.error(tree.location, "42804",
                            "cannot subscript type " + context_.type_text(value->type) +
                                " because it does not support subscripting");
    }
    ExpressionRef index = COPPICE_TRY(bind(*step.upper));
    const ast::Location at = index->location;
    index = COPPICE_TRY(
        try_coerce(context_, std::move(index), type_oid::kInt4, -1, CastContext::kAssignment, at));
    if (index == nullptr)
      return context_.error(at, "42804", "array subscript must have type integer");
    Arguments arguments;
    arguments.push_back(std::move(value));
    arguments.push_back(std::move(index));
    value = make_node(context_, Kind::kSubscript, type->info().element, std::move(arguments),
                      tree.location);
  }
  return value;
}

Result<ExpressionRef> ExpressionBinder::call(const SqlFunction& function, Arguments arguments,
                                             ast::Location at) {
  if (function.set_kernel != nullptr && !set_allowed_) {
    return context_.error(
        at, sqlstate::kFeatureNotSupported,
        "set-returning functions are not allowed in " + std::string(place_name(place_)));
  }
  const std::vector<TypeOid> declared = *arguments_for(function, arguments.size());
  for (std::size_t i = 0; i < arguments.size(); ++i)
    arguments[i] =
        COPPICE_TRY(coerce_argument(context_, function, std::move(arguments[i]), declared[i]));
  const TypeOid result = result_of(context_, function.result, declared, arguments);
  return make_call(context_, function, result, std::move(arguments), at);
}

Result<ExpressionRef> ExpressionBinder::call_function(std::string_view name, Arguments arguments,
                                                      ast::Location at) {
  const std::vector<TypeOid> inputs = types_of(arguments);
  const std::span<const SqlFunction* const> functions = context_.registry().functions(name);
  for (const SqlFunction* const function : functions)
    if (function->arguments == inputs) return call(*function, std::move(arguments), at);
  return context_.unsupported(at, "function " + std::string(name));
}

std::unexpected<Error> ExpressionBinder::no_such_function(const ast::FunctionCall& tree,
                                                          const Arguments& arguments,
                                                          bool ambiguous) const {
  std::string text = "function " + written(tree.name) + "(";
  for (const ExpressionRef& argument : arguments) {
    if (&argument != &arguments.front()) text += ", ";
    text += context_.type_text(argument->type);
  }
  text += ")";
  if (ambiguous) {
    return context_.error(tree.location, "42725", text + " is not unique",
                          "Could not choose a best candidate function. You might need to add "
                          "explicit type casts.");
  }
  return context_.error(tree.location, sqlstate::kUndefinedFunction, text + " does not exist",
                        "No function matches the given name and argument types. You might need "
                        "to add explicit type casts.");
}

bool ExpressionBinder::names_cast(std::string_view name, std::span<const TypeOid> inputs) const {
  const SqlType* const type = context_.registry().find_type(name);
  if (type == nullptr || inputs.size() != 1) return false;
  if (inputs.front() == type_oid::kUnknown) return true;
  const SqlCast* const known = context_.registry().find_cast(inputs.front(), type->info().oid);
  return known == nullptr || known->function == nullptr;
}

Result<ExpressionRef> ExpressionBinder::cast_by_name(std::string_view name, Arguments& arguments,
                                                     ast::Location at) {
  const SqlType* const type = context_.registry().find_type(name);
  return try_coerce(context_, std::move(arguments.front()), type->info().oid, -1,
                    CastContext::kExplicit, at);
}

Result<ExpressionRef> ExpressionBinder::function(const ast::FunctionCall& tree) {
  if (tree.over != nullptr) return context_.unsupported(tree.location, "a window function");
  if (tree.variadic) return context_.unsupported(tree.location, "VARIADIC");
  if (tree.within_group) return context_.unsupported(tree.location, "WITHIN GROUP");
  if (tree.name.size() == 2 && context_.catalog().find_schema(tree.name[0]) == nullptr) {
    return context_.error(tree.location, "3F000",
                          "schema " + quoted(tree.name[0]) + " does not exist");
  }
  const bool was_in_aggregate = in_aggregate_;
  const std::string_view name = tree.name.back();
  std::span<const SqlFunction* const> functions;
  std::span<const SqlAggregate* const> aggregates;
  if (is_builtin_name(tree.name)) {
    functions = context_.registry().functions(name);
    aggregates = context_.registry().aggregates(name);
  }
  const bool set_allowed = std::exchange(set_allowed_, false);
  if (!aggregates.empty()) in_aggregate_ = true;
  auto bound = bind_all(tree.arguments);
  in_aggregate_ = was_in_aggregate;
  set_allowed_ = set_allowed;
  if (!bound) return std::unexpected(std::move(bound).error());
  Arguments arguments = *std::move(bound);
  if (name == "pg_typeof" && arguments.size() == 1) {
    const PhysicalType physical = physical_of(context_, type_oid::kRegtype);
    return make_constant(context_, type_oid::kRegtype,
                         Value(Datum::integer(physical, arguments.front()->type)), tree.location);
  }
  const std::vector<TypeOid> inputs = types_of(arguments);
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < functions.size() && !tree.star; ++i) {
    auto declared = arguments_for(*functions[i], inputs.size());
    if (!declared) continue;
    if (*declared == inputs) return call(*functions[i], std::move(arguments), tree.location);
    candidates.push_back({.arguments = *std::move(declared), .index = i});
  }
  for (std::size_t i = 0; i < aggregates.size(); ++i) {
    const std::vector<TypeOid>& declared = aggregates[i]->arguments;
    if (declared.empty() && inputs.empty() && !tree.star) {
      return context_.error(
          tree.location, "42809",
          written(tree.name) + "(*) must be used to call a parameterless aggregate function");
    }
    if (declared.size() != inputs.size() || tree.star != declared.empty()) continue;
    if (declared == inputs) return aggregate(tree, *aggregates[i], std::move(arguments));
    candidates.push_back({.arguments = declared, .index = functions.size() + i});
  }
  // f(x) where f is a type: a cast that costs nothing, or goes by text.
  if (names_cast(name, inputs)) {
    ExpressionRef made = COPPICE_TRY(cast_by_name(name, arguments, tree.location));
    if (made != nullptr) return made;
    arguments = COPPICE_TRY(bind_all(tree.arguments));
  }
  const Choice choice = choose(context_, inputs, std::move(candidates));
  if (choice.kind != Choice::Kind::kOne)
    return no_such_function(tree, arguments, choice.kind == Choice::Kind::kAmbiguous);
  if (choice.index >= functions.size())
    return aggregate(tree, *aggregates[choice.index - functions.size()], std::move(arguments));
  return call(*functions[choice.index], std::move(arguments), tree.location);
}

Result<ExpressionRef> ExpressionBinder::aggregate(const ast::FunctionCall& tree,
                                                  const SqlAggregate& aggregate,
                                                  Arguments arguments) {
  switch (place_) {
    case Place::kTarget:
    case Place::kHaving:
    case Place::kOrderBy:
      break;
    default:
      return context_.error(
          tree.location, "42803",
          "aggregate functions are not allowed in " + std::string(place_name(place_)));
  }
  if (in_aggregate_)
    return context_.error(tree.location, "42803", "aggregate function calls cannot be nested");
  if (!tree.order_by.empty())
    return context_.unsupported(tree.location, "ORDER BY in an aggregate");
  for (std::size_t i = 0; i < arguments.size(); ++i)
    arguments[i] =
        COPPICE_TRY(coerce_implicit(context_, std::move(arguments[i]), aggregate.arguments[i]));
  AggregateUse use;
  use.type = result_of(context_, aggregate.result, aggregate.arguments, arguments);
  use.call.aggregate = &aggregate;
  use.call.arguments = std::move(arguments);
  use.call.distinct = tree.distinct;
  if (tree.filter != nullptr) {
    ExpressionBinder filter(context_, level_, Place::kFilter);
    use.call.filter = COPPICE_TRY(filter.bind_boolean(*tree.filter, "FILTER"));
  }
  level_.has_aggregates = true;
  const auto same = [&](const AggregateUse& other) {
    const AggregateCall& a = other.call;
    const AggregateCall& b = use.call;
    if (a.aggregate != b.aggregate || a.distinct != b.distinct ||
        (a.filter == nullptr) != (b.filter == nullptr) || a.arguments.size() != b.arguments.size())
      return false;
    if (a.filter != nullptr && !same_expression(*a.filter, *b.filter)) return false;
    for (std::size_t i = 0; i < a.arguments.size(); ++i)
      if (!same_expression(*a.arguments[i], *b.arguments[i])) return false;
    return true;
  };
  const auto found = std::find_if(level_.aggregates.begin(), level_.aggregates.end(), same);
  if (found != level_.aggregates.end())
    return make_column(context_, found->id, found->type, -1, tree.location);
  use.id = context_.new_column_id();
  const std::uint32_t id = use.id;
  const TypeOid type = use.type;
  level_.aggregates.push_back(std::move(use));
  return make_column(context_, id, type, -1, tree.location);
}

}  // namespace coppice::planner
