// options.h — what `name [=] value` in WITH (…), COPY (…), EXPLAIN (…) means.
//
// Source:   PostgreSQL 15, define.c (defGetBoolean, defGetString).
// Errors:   42601 as there.
#pragma once

#include <string>

#include "modules/planner/bind/bind_context.h"

namespace coppice::planner {

// No value: true.
Result<bool> option_boolean(const BindContext& context, const ast::Option& option);
Result<std::string> option_text(const BindContext& context, const ast::Option& option);

// 42601 conflicting or redundant options, at the second of a name.
Status check_no_duplicates(const BindContext& context, ast::List<ast::Option> options);

std::string lower(std::string_view text);  // ASCII only, as PostgreSQL folds these

}  // namespace coppice::planner
