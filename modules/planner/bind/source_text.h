// source_text.h — parts of a statement as the client wrote them: what the tree does not keep.
//
// Role:     a DEFAULT is stored as its text, PREPARE keeps its statement's text. The text has been
//           parsed before: tokens here are whole.
// Threads:  any.   Parks: never.
#pragma once

#include <string_view>

#include "modules/planner/parse/ast.h"

namespace coppice::planner {

// The expression that begins with the first token after the one at `at` (a DEFAULT keyword), up to
// the next constraint, column, or the end of the list.
std::string_view default_text(std::string_view text, ast::Location at);

// What follows the first AS outside parentheses; empty: there is none.
std::string_view text_after_as(std::string_view text);

}  // namespace coppice::planner
