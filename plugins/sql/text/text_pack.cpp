// text_pack.cpp — the parts of the pack, in the order in which they need each other.
#include "plugins/sql/text/text_pack.h"

#include "plugins/sql/text/parts.h"

namespace coppice::sql_text {

Result<std::unique_ptr<SqlPack>> TextPack::create(const NoConfig&, PluginContext&) {
  return std::make_unique<TextPack>();
}

void TextPack::add_types(SqlRegistry& registry) const {
  add_text_types(registry);
  add_bytea_type(registry);
}

void TextPack::add_functions(SqlRegistry& registry) const {
  add_comparisons(registry);
  add_casts_between_texts(registry);
  add_string_functions(registry);
  add_case_functions(registry);
  add_quote_functions(registry);
  add_bytea_functions(registry);
  add_pattern_functions(registry);
  add_operators(registry);
  add_casts(registry);
  add_aggregates(registry);
}

void register_in(Inventory& inventory) {
  inventory.add_plugin<SqlPack, TextPack>();
}

}  // namespace coppice::sql_text
