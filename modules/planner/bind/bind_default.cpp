// bind_default.cpp — a DEFAULT's text to an expression.
#include <utility>

#include "modules/planner/bind/bind.h"
#include "modules/planner/bind/expression_binder.h"

namespace coppice::planner {

Result<ExpressionRef> bind_default_text(std::string_view sql, TypeOid type, std::int32_t modifier,
                                        const PlanContext& context, const SqlRegistry& registry) {
  const std::string text = "SELECT (" + std::string(sql) + ")";
  const ParsedText parsed = COPPICE_TRY(parse(text));
  const auto* const select = parsed.statements.size() == 1
                                 ? ast::find_as<ast::Select>(parsed.statements[0].tree)
                                 : nullptr;
  if (select == nullptr || select->targets.size() != 1 || !select->from.empty())
    return std::unexpected(sql_error(sqlstate::kSyntaxError, "syntax error in a default"));
  BindContext bind(context, registry, text);
  Level level;
  ExpressionRef value = COPPICE_TRY(
      ExpressionBinder(bind, level, Place::kDefault).bind(*select->targets.front().value));
  const TypeOid source = value->type;
  const ast::Location at = value->location;
  ExpressionRef made =
      COPPICE_TRY(try_coerce(bind, std::move(value), type, modifier, CastContext::kAssignment, at));
  if (made != nullptr) {
    // Places of this text mean nothing in the statement's.
    rewrite(made, [](ExpressionRef& node) {
      node->location = ast::kNoLocation;
      return true;
    });
    return made;
  }
  return bind.error(ast::kNoLocation, "42804",
                    "default expression is of type " + bind.type_text(source) +
                        " but its column is of type " + bind.type_text(type),
                    "You will need to rewrite or cast the expression.");
}

}  // namespace coppice::planner
