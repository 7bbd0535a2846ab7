// catalog_pack.cpp — the parts of the pack, in the order in which they need each other.
#include "plugins/sql/catalog/catalog_pack.h"

#include "plugins/sql/catalog/parts.h"

namespace coppice::sql_catalog {

Result<std::unique_ptr<SqlPack>> CatalogPack::create(const NoConfig&, PluginContext&) {
  return std::make_unique<CatalogPack>();
}

void CatalogPack::add_types(SqlRegistry& registry) const {
  add_reg_types(registry);
  add_catalog_types(registry);
  add_array_types(registry);
}

void CatalogPack::add_functions(SqlRegistry& registry) const {
  add_reg_functions(registry);
  add_catalog_functions(registry);
  add_server_functions(registry);
  add_privilege_functions(registry);
  add_size_functions(registry);
  add_array_functions(registry);
  add_array_comparisons(registry);
}

void register_in(Inventory& inventory) {
  inventory.add_plugin<SqlPack, CatalogPack>();
}

}  // namespace coppice::sql_catalog
