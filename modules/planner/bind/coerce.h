// coerce.h — from one type to another, as PostgreSQL's parser does it.
//
// Role:     which casts apply where (implicit, assignment, explicit), literals without a type yet,
//           parameters without a type yet, length coercion, common types.
// Errors:   42804, 42846, 42P08; of a literal what its type's input says, at the literal.
// Source:   PostgreSQL 15, parse_coerce.c.
#pragma once

#include "modules/planner/bind/expressions.h"

namespace coppice::planner {

bool is_polymorphic(TypeOid type);
char category_of(const BindContext& context, TypeOid type);
bool is_preferred(const BindContext& context, TypeOid type);

bool can_coerce(const BindContext& context, TypeOid from, TypeOid to, CastContext how);

// Null where no cast leads there. `at` is the place of the cast; for literals their own counts.
Result<ExpressionRef> try_coerce(BindContext& context, ExpressionRef from, TypeOid to,
                                 std::int32_t modifier, CastContext how, ast::Location at);
// An explicit cast, 42846 where there is none.
Result<ExpressionRef> cast(BindContext& context, ExpressionRef from, TypeOid to,
                           std::int32_t modifier, ast::Location at);
// For places where can_coerce() said yes.
Result<ExpressionRef> coerce_implicit(BindContext& context, ExpressionRef from, TypeOid to);
// The same for an argument of a function, which may want values of any type as text.
Result<ExpressionRef> coerce_argument(BindContext& context, const SqlFunction& function,
                                      ExpressionRef from, TypeOid declared);

// "argument of WHERE must be type boolean, not type integer".
Result<ExpressionRef> coerce_to_boolean(BindContext& context, ExpressionRef from,
                                        std::string_view construct);

// The type that all can take, `construct` names where: CASE, UNION, VALUES … 42804.
Result<TypeOid> common_type(const BindContext& context, std::span<const ExpressionRef> items,
                            std::string_view construct);
Result<ExpressionRef> coerce_to_common(BindContext& context, ExpressionRef from, TypeOid to,
                                       std::string_view construct);

// Literals and parameters that nothing gave a type become text.
Result<ExpressionRef> resolve_unknown(BindContext& context, ExpressionRef from);

}  // namespace coppice::planner
