// pg_catalog.cpp — the list of relations that have rows.
#include "modules/catalog/pg_catalog/pg_catalog.h"

#include <algorithm>

#include "modules/catalog/pg_catalog/builtin_data.h"
#include "modules/catalog/pg_catalog/copy_text.h"

namespace coppice::catalog {

namespace {

using Fill = void (*)(const RelationContext&, RelationRows&);

struct Filled {
  std::string_view relation;
  Fill fill;
};
constexpr Filled kFilled[] = {
    {"pg_attrdef", fill_pg_attrdef},
    {"pg_attribute", fill_pg_attribute},
    {"pg_authid", fill_pg_authid},
    {"pg_class", fill_pg_class},
    {"pg_constraint", fill_pg_constraint},
    {"pg_database", fill_pg_database},
    {"pg_index", fill_pg_index},
    {"pg_indexes", fill_pg_indexes},
    {"pg_namespace", fill_pg_namespace},
    {"pg_operator", fill_pg_operator},
    {"pg_proc", fill_pg_proc},
    {"pg_roles", fill_pg_roles},
    {"pg_settings", fill_pg_settings},
    {"pg_tables", fill_pg_tables},
    {"pg_user", fill_pg_user},
};

class PgRelation final : public VirtualRelation {
 public:
  PgRelation(const SqlRegistry& registry, const TableInfo& info)
      : registry_(registry), info_(info), builtin_(builtin_rows(info.name)) {
    const auto* const filled = std::ranges::find(kFilled, info.name, &Filled::relation);
    if (filled != std::end(kFilled)) fill_ = filled->fill;
  }

  std::unique_ptr<RowCursor> open(const CatalogView& view, CallContext* calls) const override {
    RelationRows rows(info_, registry_);
    if (fill_ != nullptr) fill_({view, registry_, calls}, rows);
    std::string_view text = builtin_;
    while (const auto line = take_line(text)) {
      rows.begin();
      rows.set_all(copy_fields(*line));
    }
    return rows.finish();
  }

 private:
  const SqlRegistry& registry_;
  const TableInfo& info_;
  std::string_view builtin_;
  Fill fill_ = nullptr;
};

// What a session tells of itself and its database, as COPY text, asked by the relation's name.
class ToldRelation final : public VirtualRelation {
 public:
  ToldRelation(const SqlRegistry& registry, const TableInfo& info)
      : registry_(registry), info_(info) {}

  std::unique_ptr<RowCursor> open(const CatalogView&, CallContext* calls) const override {
    RelationRows rows(info_, registry_);
    const std::optional<std::string> told =
        calls == nullptr ? std::nullopt : calls->ask(info_.schema_name + "." + info_.name, {});
    std::string_view text = told ? std::string_view(*told) : std::string_view();
    while (const auto line = take_line(text)) {
      rows.begin();
      rows.set_all(copy_fields(*line));
    }
    return rows.finish();
  }

 private:
  const SqlRegistry& registry_;
  const TableInfo& info_;
};

struct ToldColumns {
  Oid oid;
  std::string_view relation;
  std::string_view texts;    // columns of type text, then
  std::string_view numbers;  // columns of type int8
};
constexpr std::string_view kResources =
    "cpu_ticks,reads,read_bytes,writes,write_bytes,log_bytes,network_bytes,rows_read,rows_returned";
constexpr ToldColumns kTold[] = {
    {12990, "statement_usage", "pid,user_name,client_address,state,query",
     "started_us,duration_us,@,memory_peak_bytes,statements"},
    {12991, "tenant_usage", "database_name", "@"},
};

void add_columns(TableInfo& info, std::string_view names, TypeOid type) {
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(','), names.size());
    const std::string_view name = names.substr(0, end);
    names.remove_prefix(std::min(end + 1, names.size()));
    if (name == "@") {
      add_columns(info, kResources, type);
      continue;
    }
    const auto number = static_cast<std::int16_t>(info.columns.size() + 1);
    info.columns.push_back({.name = std::string(name),
                            .attribute = number,
                            .type = type,
                            .modifier = -1,
                            .not_null = false,
                            .dropped = false,
                            .default_sql = {},
                            .storage = {static_cast<std::uint16_t>(number)}});
  }
}

}  // namespace

PgCatalog::PgCatalog(const SqlRegistry& registry) {
  for (const BuiltinRelation& relation : builtin_relations()) {
    auto info = std::make_shared<TableInfo>();
    info->oid = relation.oid;
    info->schema = kPgCatalogOid;
    info->schema_name = "pg_catalog";
    info->name = relation.name;
    info->kind = relation.kind;
    for (const BuiltinColumn& column : relation.columns) {
      const auto number = static_cast<std::int16_t>(info->columns.size() + 1);
      info->columns.push_back({.name = std::string(column.name),
                               .attribute = number,
                               .type = column.type,
                               .modifier = -1,
                               .not_null = column.not_null,
                               .dropped = false,
                               .default_sql = {},
                               .storage = {static_cast<std::uint16_t>(number)}});
    }
    computed_.push_back(std::make_unique<PgRelation>(registry, *info));
    info->computed = computed_.back().get();
    relations_.push_back(std::move(info));
  }
  for (const ToldColumns& told : kTold) {
    auto info = std::make_shared<TableInfo>();
    info->oid = told.oid;
    info->schema = kCoppiceSchemaOid;
    info->schema_name = "coppice";
    info->name = told.relation;
    info->kind = 'v';
    add_columns(*info, told.texts, type_oid::kText);
    add_columns(*info, told.numbers, type_oid::kInt8);
    computed_.push_back(std::make_unique<ToldRelation>(registry, *info));
    info->computed = computed_.back().get();
    relations_.push_back(std::move(info));
  }
  std::ranges::sort(relations_, {}, [](const TableInfoRef& table) { return table->oid; });
}

}  // namespace coppice::catalog
