// pg_settings.cpp — what the session answers to the question "pg_settings": its settings as COPY
// text, one line each, fields in the order of the columns.
#include "modules/catalog/pg_catalog/copy_text.h"
#include "modules/catalog/pg_catalog/pg_catalog.h"

namespace coppice::catalog {

void fill_pg_settings(const RelationContext& context, RelationRows& rows) {
  if (context.calls == nullptr) return;
  const std::optional<std::string> settings = context.calls->ask("pg_settings", {});
  if (!settings) return;
  std::string_view text = *settings;
  while (const auto line = take_line(text)) {
    rows.begin();
    rows.set("pending_restart", false);
    rows.set_all(copy_fields(*line));
  }
}

}  // namespace coppice::catalog
