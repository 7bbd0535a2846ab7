// pg_attribute.cpp — columns of tables and of indexes.
#include "modules/catalog/pg_catalog/pg_catalog.h"

namespace coppice::catalog {

namespace {

constexpr Oid kDefaultCollation = 100, kCCollation = 950;

Oid collation_of(TypeOid type) {
  if (type == type_oid::kName) return kCCollation;
  const bool text =
      type == type_oid::kText || type == type_oid::kVarchar || type == type_oid::kBpchar;
  return text ? kDefaultCollation : 0;
}

void add(const RelationContext& context, RelationRows& rows, Oid relation, const ColumnInfo& column,
         std::size_t number) {
  const SqlType* const type = context.registry.find_type(column.type);
  const std::int16_t size = type == nullptr ? std::int16_t{-1} : type->info().size;
  rows.begin();
  rows.set("attrelid", relation);
  rows.set("attname", column.dropped ? "........pg.dropped." + std::to_string(number) + "........"
                                     : column.name);
  rows.set("atttypid", column.dropped ? 0 : column.type);
  rows.set("attstattarget", -1);
  rows.set("attlen", size);
  rows.set("attnum", number);
  rows.set("attcacheoff", -1);
  rows.set("atttypmod", column.modifier);
  rows.set("attbyval", size == 1 || size == 2 || size == 4 || size == 8);
  rows.set("attalign", size == 8 ? 'd' : size == 2 ? 's' : size == 1 ? 'c' : 'i');
  rows.set("attstorage", size >= 0 ? 'p' : column.type == type_oid::kNumeric ? 'm' : 'x');
  rows.set("attisdropped", column.dropped);
  rows.set("attislocal", true);
  rows.set("attcollation", collation_of(column.type));
}

}  // namespace

void fill_pg_attribute(const RelationContext& context, RelationRows& rows) {
  for (const TableInfoRef& table : context.view.tables()) {
    for (const ColumnInfo& column : table->columns) {
      add(context, rows, table->oid, column, static_cast<std::size_t>(column.attribute));
      rows.set("attnotnull", column.not_null);
      rows.set("atthasdef", !column.default_sql.empty());
    }
    for (const auto& index : table->indexes) {
      for (std::size_t i = 0; i < index->columns.size(); ++i) {
        const ColumnInfo* const column = table->find_column(index->columns[i].attribute);
        if (column != nullptr) add(context, rows, index->oid, *column, i + 1);
      }
    }
  }
}

}  // namespace coppice::catalog
