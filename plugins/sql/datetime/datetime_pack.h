// datetime_pack.h — dates, times, timestamps, intervals and time zones.
#pragma once

#include <memory>
#include <string_view>

#include "interfaces/sql_pack.h"
#include "kernel/core/inventory.h"
#include "kernel/core/plugin.h"

namespace coppice::sql_datetime {

class DatetimePack final : public SqlPack {
 public:
  static constexpr std::string_view kKind = "datetime";
  using Config = NoConfig;
  static Result<std::unique_ptr<SqlPack>> create(const NoConfig&, PluginContext&);

  std::string_view name() const override { return kKind; }
  void add_types(SqlRegistry& registry) const override;
  void add_functions(SqlRegistry& registry) const override;
};

void register_in(Inventory& inventory);

}  // namespace coppice::sql_datetime
