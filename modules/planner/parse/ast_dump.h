// ast_dump.h — a syntax tree as text, for golden tests, the self-test and debugging.
//
// Role:     every field that is not at its default is printed, so that a field that was not copied
//           shows. One line: `Select{targets=[Target{value=Constant{integer=1 @7} @7}]}`, where @
//           is the location.
// Errors:   none; recursion is bounded by ast::kDepthMax.
#pragma once

#include <string>

#include "modules/planner/parse/ast.h"

namespace coppice::planner {

std::string dump(const ast::Statement& statement);
std::string dump(const ast::Expr& expr);

}  // namespace coppice::planner
