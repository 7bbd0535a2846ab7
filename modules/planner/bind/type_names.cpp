// type_names.cpp — which type a name means, and what its modifiers are.
#include "modules/planner/bind/type_names.h"

#include <utility>

namespace coppice::planner {

namespace {

std::string written(const ast::TypeName& name) {
  std::string text;
  for (const ast::Name part : name.names) {
    if (part == "pg_catalog" && name.names.size() > 1 && text.empty()) continue;
    if (!text.empty()) text += '.';
    text += part;
  }
  if (!name.array_bounds.empty()) text += "[]";
  return text;
}

const SqlType* find_named(const BindContext& context, const ast::TypeName& name) {
  if (name.names.empty() || name.names.size() > 2) return nullptr;
  if (name.names.size() == 2 && name.names[0] != "pg_catalog") return nullptr;
  return context.registry().find_type(name.names.back());
}

Result<std::vector<std::int64_t>> modifiers_of(const BindContext& context,
                                               const ast::TypeName& name) {
  std::vector<std::int64_t> values;
  for (const ast::Expr* const item : name.modifiers) {
    const auto* const constant = ast::find_as<ast::Constant>(item);
    if (constant == nullptr || constant->type != ast::ConstantKind::kInteger) {
      return context.error(name.location, sqlstate::kSyntaxError,
                           "type modifiers must be simple constants or identifiers");
    }
    values.push_back(constant->integer);
  }
  return values;
}

}  // namespace

Result<ResolvedType> resolve_type(const BindContext& context, const ast::TypeName& name) {
  if (name.percent_type) return context.unsupported(name.location, "%TYPE");
  if (name.setof)
    return context.error(name.location, "42P13", "SETOF is not allowed for this type name");
  const SqlType* const type = find_named(context, name);
  if (type == nullptr) {
    return context.error(name.location, "42704",
                         "type " + quoted(written(name)) + " does not exist");
  }
  const std::vector<std::int64_t> modifiers = COPPICE_TRY(modifiers_of(context, name));
  ResolvedType resolved{.oid = type->info().oid};
  auto modifier = type->modifier_of(modifiers);
  if (!modifier) {
    return std::unexpected(context.located(std::move(modifier).error(), name.location));
  }
  resolved.modifier = *modifier;
  if (name.array_bounds.empty()) return resolved;
  resolved.oid = type->info().array;
  if (resolved.oid == 0 || context.registry().find_type(resolved.oid) == nullptr)
    return context.unsupported(name.location, "type " + written(name));
  return resolved;
}

}  // namespace coppice::planner
