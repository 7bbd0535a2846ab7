// numeric_pack.cpp — the parts of the pack, in the order in which they need each other.
#include "plugins/sql/numeric/numeric_pack.h"

#include "plugins/sql/numeric/parts.h"

namespace coppice::sql_numeric {

Result<std::unique_ptr<SqlPack>> NumericPack::create(const NoConfig&, PluginContext&) {
  return std::make_unique<NumericPack>();
}

void NumericPack::add_types(SqlRegistry& registry) const {
  add_numeric_type(registry);
}

void NumericPack::add_functions(SqlRegistry& registry) const {
  add_comparisons(registry);
  sql_numeric::add_functions(registry);
  add_casts(registry);
  add_operators(registry);
  add_aggregates(registry);
  add_variances(registry);
  add_series(registry);
}

void register_in(Inventory& inventory) {
  inventory.add_plugin<SqlPack, NumericPack>();
}

}  // namespace coppice::sql_numeric
