// datetime_pack.cpp — the parts of the pack, in the order in which they need each other.
#include "plugins/sql/datetime/datetime_pack.h"

#include "plugins/sql/datetime/parts.h"
#include "plugins/sql/datetime/zone_table.h"

namespace coppice::sql_datetime {

Result<std::unique_ptr<SqlPack>> DatetimePack::create(const NoConfig&, PluginContext&) {
  find_zone("UTC");  // reads the zones now, not within the first statement
  return std::make_unique<DatetimePack>();
}

void DatetimePack::add_types(SqlRegistry& registry) const {
  add_date_types(registry);
}

void DatetimePack::add_functions(SqlRegistry& registry) const {
  add_comparisons(registry);
  add_arithmetic(registry);
  add_clock_functions(registry);
  add_truncation(registry);
  add_extraction(registry);
  add_series(registry);
  add_operators(registry);
  add_casts(registry);
  add_aggregates(registry);
}

void register_in(Inventory& inventory) {
  inventory.add_plugin<SqlPack, DatetimePack>();
}

}  // namespace coppice::sql_datetime
