// core_pack.cpp — the parts of the pack, in the order in which they need each other.
#include "plugins/sql/core/core_pack.h"

#include "plugins/sql/core/parts.h"

namespace coppice::sql_core {

Result<std::unique_ptr<SqlPack>> CorePack::create(const NoConfig&, PluginContext&) {
  return std::make_unique<CorePack>();
}

void CorePack::add_types(SqlRegistry& registry) const {
  add_bool_type(registry);
  add_integer_types(registry);
  add_float_types(registry);
  add_pseudo_types(registry);
}

void CorePack::add_functions(SqlRegistry& registry) const {
  add_integer_comparisons(registry);
  add_other_comparisons(registry);
  add_integer_functions(registry);
  add_float_functions(registry);
  add_series(registry);
  add_operators(registry);
  add_casts(registry);
  add_aggregates(registry);
  add_float_moments(registry);
  add_extremes(registry);
}

void register_in(Inventory& inventory) {
  inventory.add_plugin<SqlPack, CorePack>();
}

}  // namespace coppice::sql_core
