// utility.cpp — statements that are not queries.
#include "modules/planner/bind/bind.h"

namespace coppice::planner {

Result<Statement> bind_utility(BindContext& context, const ast::Statement&, std::string_view) {
  return context.unsupported(ast::kNoLocation, "this kind of statement");
}

}  // namespace coppice::planner
