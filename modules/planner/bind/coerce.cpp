// coerce.cpp — casts.
#include "modules/planner/bind/coerce.h"

#include <algorithm>
#include <array>
#include <utility>

namespace coppice::planner {

namespace {

using Kind = Expression::Kind;

constexpr char kStringCategory = 'S';

// Types whose values are names: read when the statement runs, since only then the catalog answers.
constexpr std::array<TypeOid, 11> kNameTypes = {24,   2202, 2203, 2204, 2205, 2206,
                                                4096, 4089, 3734, 3769, 4191};

struct CastPath {
  enum class Kind : std::uint8_t { kNone, kRelabel, kFunction, kText } kind = Kind::kNone;
  const SqlFunction* function = nullptr;
};

int strength(CastContext how) {
  return how == CastContext::kImplicit ? 0 : how == CastContext::kAssignment ? 1 : 2;
}

CastPath find_path(const BindContext& context, TypeOid from, TypeOid to, CastContext how) {
  if (from == to) return {CastPath::Kind::kRelabel};
  if (const SqlCast* const known = context.registry().find_cast(from, to)) {
    if (strength(known->context) > strength(how)) return {};
    if (known->function == nullptr) return {CastPath::Kind::kRelabel};
    return {CastPath::Kind::kFunction, known->function};
  }
  const SqlType* const source = context.registry().find_type(from);
  const SqlType* const target = context.registry().find_type(to);
  if (source == nullptr || target == nullptr) return {};
  const TypeOid element = source->info().element, wanted = target->info().element;
  // int2vector and int2[]: arrays of one element type have one form.
  if (element != 0 && element == wanted) return {CastPath::Kind::kRelabel};
  if (element != 0 && wanted != 0 &&
      find_path(context, element, wanted, how).kind != CastPath::Kind::kNone)
    return {CastPath::Kind::kText};  // element by element
  if (how != CastContext::kImplicit && category_of(context, to) == kStringCategory)
    return {CastPath::Kind::kText};
  if (how == CastContext::kExplicit && category_of(context, from) == kStringCategory)
    return {CastPath::Kind::kText};
  return {};
}

ExpressionRef text_cast(const BindContext& context, ExpressionRef from, TypeOid to,
                        ast::Location at) {
  std::vector<ExpressionRef> arguments;
  arguments.push_back(std::move(from));
  return make_node(context, Kind::kTextCast, to, std::move(arguments), at);
}

Result<ExpressionRef> read_literal(const BindContext& context, ExpressionRef literal, TypeOid to,
                                   std::int32_t modifier) {
  if (literal->value.null) return make_null(context, to, literal->location);
  const SqlType* const type = context.registry().find_type(to);
  if (type == nullptr) return context.unsupported(literal->location, "this type");
  const ast::Location at = literal->location;
  if (std::find(kNameTypes.begin(), kNameTypes.end(), to) != kNameTypes.end()) {
    literal->type = type_oid::kText;
    return text_cast(context, std::move(literal), to, at);
  }
  VectorBuffer out(type->info().physical);
  // Intervals read their fields by the modifier; all others are cut to length afterwards.
  const std::int32_t reading = to == type_oid::kInterval ? modifier : -1;
  const Status read = type->parse(WireForm::kText, as_bytes(literal->value.bytes), reading,
                                  context.settings(), out);
  if (!read) return std::unexpected(context.located(read.error().clone(), at));
  return make_constant(context, to, Value(out.view().datum_at(0)), at);
}

Result<ExpressionRef> type_parameter(BindContext& context, ExpressionRef parameter, TypeOid to) {
  const int number = static_cast<int>(parameter->ordinal) + 1;
  const TypeOid known = COPPICE_TRY(context.parameter_type(number, parameter->location));
  if (known != 0 && known != to) {
    Error error =
        sql_error_at(context.text(), parameter->location, "42P08",
                     "inconsistent types deduced for parameter $" + std::to_string(number))
            .note(sql_field::kDetail,
                  context.type_text(known) + " versus " + context.type_text(to));
    return std::unexpected(std::move(error));
  }
  context.set_parameter_type(number, to);
  parameter->type = to;
  parameter->physical = physical_of(context, to);
  return parameter;
}

// varchar(3), numeric(10,2): the cast of the type to itself.
Result<ExpressionRef> coerce_length(const BindContext& context, ExpressionRef from,
                                    std::int32_t modifier, CastContext how, ast::Location at) {
  if (modifier < 0 || from->modifier == modifier) return from;
  const TypeOid type = from->type;
  const SqlCast* const known = context.registry().find_cast(type, type);
  ExpressionRef made;
  if (known == nullptr || known->function == nullptr) {
    if (type == type_oid::kInterval && is_constant(*from)) {
      made = std::move(from);
    } else {
      made = text_cast(context, std::move(from), type, at);
    }
  } else {
    std::vector<ExpressionRef> arguments;
    arguments.push_back(std::move(from));
    arguments.push_back(make_int4(modifier));
    if (known->function->arguments.size() > 2)
      arguments.push_back(make_bool(how == CastContext::kExplicit));
    made = make_call(context, *known->function, type, std::move(arguments), at);
  }
  made->modifier = modifier;
  return made;
}

Result<ExpressionRef> follow(const BindContext& context, const CastPath& path, ExpressionRef from,
                             TypeOid to, ast::Location at) {
  switch (path.kind) {
    case CastPath::Kind::kNone:
      return ExpressionRef();
    case CastPath::Kind::kRelabel:
      if (from->type != to && from->kind == Kind::kTextCast) {  // its type says what is read
        std::vector<ExpressionRef> only;
        only.push_back(std::move(from));
        return make_node(context, Kind::kCoalesce, to, std::move(only), at);
      }
      if (from->type != to) from->modifier = -1;
      from->type = to;
      return from;
    case CastPath::Kind::kText:
      return text_cast(context, std::move(from), to, at);
    case CastPath::Kind::kFunction:
      break;
  }
  std::vector<ExpressionRef> arguments;
  arguments.push_back(std::move(from));
  if (path.function->arguments.size() > 1) arguments.push_back(make_int4(-1));
  if (path.function->arguments.size() > 2) arguments.push_back(make_bool(false));
  return make_call(context, *path.function, to, std::move(arguments), at);
}

}  // namespace

bool is_polymorphic(TypeOid type) {
  constexpr std::array<TypeOid, 10> kPolymorphic = {2276, 2277, 2283, 2776, 3500,
                                                    3831, 5077, 5078, 5079, 5080};
  return std::find(kPolymorphic.begin(), kPolymorphic.end(), type) != kPolymorphic.end();
}

char category_of(const BindContext& context, TypeOid type) {
  const SqlType* const known = context.registry().find_type(type);
  return known == nullptr ? 'U' : known->info().category;
}

bool is_preferred(const BindContext& context, TypeOid type) {
  const SqlType* const known = context.registry().find_type(type);
  return known != nullptr && known->info().preferred;
}

bool can_coerce(const BindContext& context, TypeOid from, TypeOid to, CastContext how) {
  if (from == to || from == type_oid::kUnknown) return true;
  if (to == type_oid::kAnyarray || to == 5078)  // anyarray, anycompatiblearray
    return context.registry().find_type(from) != nullptr &&
           context.registry().find_type(from)->info().element != 0;
  if (is_polymorphic(to)) return true;
  return find_path(context, from, to, how).kind != CastPath::Kind::kNone;
}

Result<ExpressionRef> try_coerce(BindContext& context, ExpressionRef from, TypeOid to,
                                 std::int32_t modifier, CastContext how, ast::Location at) {
  if (is_polymorphic(to)) return resolve_unknown(context, std::move(from));
  ExpressionRef typed;
  if (from->type == to) {
    typed = std::move(from);
  } else if (from->type == type_oid::kUnknown && from->kind == Kind::kConstant) {
    typed = COPPICE_TRY(read_literal(context, std::move(from), to, modifier));
  } else if (from->type == type_oid::kUnknown && from->kind == Kind::kParameter) {
    typed = COPPICE_TRY(type_parameter(context, std::move(from), to));
  } else if (from->type == type_oid::kUnknown) {
    typed = text_cast(context, std::move(from), to, at);
  } else {
    const CastPath path = find_path(context, from->type, to, how);
    typed = COPPICE_TRY(follow(context, path, std::move(from), to, at));
  }
  if (typed == nullptr) return typed;
  return coerce_length(context, std::move(typed), modifier, how, at);
}

Result<ExpressionRef> cast(BindContext& context, ExpressionRef from, TypeOid to,
                           std::int32_t modifier, ast::Location at) {
  const TypeOid source = from->type;
  ExpressionRef made =
      COPPICE_TRY(try_coerce(context, std::move(from), to, modifier, CastContext::kExplicit, at));
  if (made != nullptr) return made;
  return context.error(
      at, "42846",
      "cannot cast type " + context.type_text(source) + " to " + context.type_text(to));
}

Result<ExpressionRef> coerce_implicit(BindContext& context, ExpressionRef from, TypeOid to) {
  const ast::Location at = from->location;
  const TypeOid source = from->type;
  ExpressionRef made =
      COPPICE_TRY(try_coerce(context, std::move(from), to, -1, CastContext::kImplicit, at));
  if (made != nullptr) return made;
  return context.error(
      at, "42846",
      "cannot cast type " + context.type_text(source) + " to " + context.type_text(to));
}

Result<ExpressionRef> coerce_argument(BindContext& context, const SqlFunction& function,
                                      ExpressionRef from, TypeOid declared) {
  ExpressionRef given = COPPICE_TRY(coerce_implicit(context, std::move(from), declared));
  const bool any = declared == type_oid::kAny || declared == type_oid::kAnynonarray ||
                   declared == type_oid::kAnyelement;
  if (!function.any_as_text || !any) return given;
  given = COPPICE_TRY(resolve_unknown(context, std::move(given)));
  if (given->type == type_oid::kText) return given;
  const ast::Location at = given->location;
  return text_cast(context, std::move(given), type_oid::kText, at);
}

Result<ExpressionRef> coerce_to_boolean(BindContext& context, ExpressionRef from,
                                        std::string_view construct) {
  const TypeOid source = from->type;
  const ast::Location at = from->location;
  ExpressionRef made = COPPICE_TRY(
      try_coerce(context, std::move(from), type_oid::kBool, -1, CastContext::kAssignment, at));
  if (made != nullptr) return made;
  return context.error(at, "42804",
                       "argument of " + std::string(construct) +
                           " must be type boolean, not type " + context.type_text(source));
}

Result<TypeOid> common_type(const BindContext& context, std::span<const ExpressionRef> items,
                            std::string_view construct) {
  TypeOid chosen = items.front()->type;
  for (const ExpressionRef& item : items.subspan(1)) {
    const TypeOid next = item->type;
    if (next == chosen || next == type_oid::kUnknown) continue;
    if (chosen == type_oid::kUnknown) {
      chosen = next;
    } else if (category_of(context, next) != category_of(context, chosen)) {
      return context.error(item->location, "42804",
                           std::string(construct) + " types " + context.type_text(chosen) +
                               " and " + context.type_text(next) + " cannot be matched");
    } else if (!is_preferred(context, chosen) &&
               can_coerce(context, chosen, next, CastContext::kImplicit) &&
               !can_coerce(context, next, chosen, CastContext::kImplicit)) {
      chosen = next;
    }
  }
  return chosen == type_oid::kUnknown ? type_oid::kText : chosen;
}

Result<ExpressionRef> coerce_to_common(BindContext& context, ExpressionRef from, TypeOid to,
                                       std::string_view construct) {
  const TypeOid source = from->type;
  const ast::Location at = from->location;
  ExpressionRef made =
      COPPICE_TRY(try_coerce(context, std::move(from), to, -1, CastContext::kImplicit, at));
  if (made != nullptr) return made;
  return context.error(at, "42846",
                       std::string(construct) + " could not convert type " +
                           context.type_text(source) + " to " + context.type_text(to));
}

Result<ExpressionRef> resolve_unknown(BindContext& context, ExpressionRef from) {
  if (from->type != type_oid::kUnknown) return from;
  const ast::Location at = from->location;
  return try_coerce(context, std::move(from), type_oid::kText, -1, CastContext::kImplicit, at);
}

}  // namespace coppice::planner
