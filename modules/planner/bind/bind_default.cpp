// bind_default.cpp — a DEFAULT's text to an expression.
#include "modules/planner/bind/bind.h"

namespace coppice::planner {

Result<ExpressionRef> bind_default_text(std::string_view sql, TypeOid, std::int32_t,
                                        const PlanContext& context, const SqlRegistry& registry) {
  const BindContext bind(context, registry, sql);
  return bind.unsupported(ast::kNoLocation, "DEFAULT");
}

}  // namespace coppice::planner
