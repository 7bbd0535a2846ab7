// regex_pack.cpp — the parts of the pack.
#include "plugins/sql/regex/regex_pack.h"

#include "plugins/sql/regex/parts.h"

namespace coppice::sql_regex {

Result<std::unique_ptr<SqlPack>> RegexPack::create(const NoConfig&, PluginContext&) {
  return std::make_unique<RegexPack>();
}

void RegexPack::add_functions(SqlRegistry& registry) const {
  add_matches(registry);
}

void register_in(Inventory& inventory) {
  inventory.add_plugin<SqlPack, RegexPack>();
}

}  // namespace coppice::sql_regex
