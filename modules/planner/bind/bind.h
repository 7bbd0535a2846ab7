// bind.h — syntax trees to bound statements: the doors of this folder.
//
// Role:     bind_statement() sends queries to bind_query(), everything else to bind_utility().
// Errors:   as PostgreSQL words them, with position; 0A000 naming what is not supported.
// Parks:    bind_query(), when it asks the engine for counts.
#pragma once

#include "interfaces/planner.h"
#include "modules/planner/bind/bind_context.h"
#include "modules/planner/parse/ast.h"

namespace coppice::planner {

// `own_text` is the statement's part of context.text().
Result<Statement> bind_statement(BindContext& context, const ast::Statement& tree,
                                 std::string_view own_text);

struct BulkTuples;  // bulk/bulk_tuples.h

// INSERT of the tuple in `tree` and of `more`. An error says only that the whole text is to be
// bound instead.
Result<std::shared_ptr<const QueryPlan>> bind_bulk_insert(BindContext& context,
                                                          const ast::Insert& tree,
                                                          const BulkTuples& more);

// SELECT (with VALUES and set operations), INSERT, UPDATE, DELETE; anything else is 0A000.
Result<std::shared_ptr<const QueryPlan>> bind_query(BindContext& context,
                                                    const ast::Statement& tree);

// Everything else of statement.h.
Result<Statement> bind_utility(BindContext& context, const ast::Statement& tree,
                               std::string_view own_text);

// Expressions without columns, as EXECUTE's arguments: of their own type, or coerced to `type` as
// in an assignment where one is given.
Result<ExpressionRef> bind_constant_expression(BindContext& context, const ast::Expr& tree,
                                               TypeOid type = 0, std::int32_t modifier = -1);

// A column's DEFAULT as CREATE TABLE has it: for its errors.
Status check_column_default(BindContext& context, const ast::Expr& tree, std::string_view column,
                            TypeOid type, std::int32_t modifier);

// A DEFAULT's text.
Result<ExpressionRef> bind_default_text(std::string_view sql, TypeOid type, std::int32_t modifier,
                                        const PlanContext& context, const SqlRegistry& registry);

}  // namespace coppice::planner
