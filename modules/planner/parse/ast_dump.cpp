#include "modules/planner/parse/ast_dump.h"

#include "modules/planner/parse/ast_dumper.h"

namespace coppice::planner {

std::string dump(const ast::Statement& statement) {
  AstDumper dumper;
  dumper.dump(statement);
  return dumper.take();
}

std::string dump(const ast::Expr& expr) {
  AstDumper dumper;
  dumper.dump(expr);
  return dumper.take();
}

}  // namespace coppice::planner
