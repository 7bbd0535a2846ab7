// pg_index.cpp — indexes, with their keys as vectors.
#include "modules/catalog/pg_catalog/builtin_data.h"
#include "modules/catalog/pg_catalog/copy_text.h"
#include "modules/catalog/pg_catalog/pg_catalog.h"

namespace coppice::catalog {

namespace {

// The default operator class of a type, from the rows of pg_opclass: oid, method, name, schema,
// owner, family, type, default.
std::string operator_class(TypeOid type) {
  if (type == type_oid::kVarchar) type = type_oid::kText;
  std::string_view text = builtin_rows("pg_opclass");
  while (const auto line = take_line(text)) {
    const auto fields = copy_fields(*line);
    if (fields.size() >= 8 && fields[6] == std::to_string(type) && fields[7] == "t")
      return *fields[0];
  }
  return "0";
}

void append(std::string& to, const std::string& item) {
  if (!to.empty()) to += ' ';
  to += item;
}

bool is_text(TypeOid type) {
  return type == type_oid::kText || type == type_oid::kVarchar || type == type_oid::kBpchar;
}

}  // namespace

void fill_pg_index(const RelationContext& context, RelationRows& rows) {
  for (const TableInfoRef& table : context.view.tables()) {
    for (const auto& index : table->indexes) {
      std::string keys, classes, options, collations;
      for (const IndexColumn& key : index->columns) {
        const ColumnInfo* const column = table->find_column(key.attribute);
        const TypeOid type = column == nullptr ? 0 : column->type;
        append(keys, std::to_string(key.attribute));
        append(classes, operator_class(type));
        append(collations, is_text(type) ? "100" : "0");
        append(options,
               std::to_string((key.order.descending ? 1 : 0) | (key.order.nulls_first ? 2 : 0)));
      }
      rows.begin();
      rows.set("indexrelid", index->oid);
      rows.set("indrelid", table->oid);
      rows.set("indnatts", index->columns.size());
      rows.set("indnkeyatts", index->columns.size());
      rows.set("indisunique", index->unique);
      rows.set("indnullsnotdistinct", index->nulls_not_distinct);
      rows.set("indisprimary", index->primary);
      rows.set("indimmediate", true);
      rows.set("indisvalid", index->state == IndexState::kReadable);
      rows.set("indisready", index->state != IndexState::kInvalid);
      rows.set("indislive", true);
      rows.set("indkey", keys);
      rows.set("indcollation", collations);
      rows.set("indclass", classes);
      rows.set("indoption", options);
    }
  }
}

}  // namespace coppice::catalog
