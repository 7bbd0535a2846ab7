// index_ddl.cpp — CREATE INDEX as far as it is definitions, and DROP INDEX.
#include <algorithm>
#include <set>

#include "interfaces/types/sql_error.h"
#include "modules/catalog/errors.h"
#include "modules/catalog/row_io.h"
#include "modules/catalog/stored_catalog.h"

namespace coppice::catalog {

namespace {

constexpr std::size_t kIndexColumnsMax = 32;  // INDEX_MAX_KEYS

Error missing_column(const NewIndex& index, const std::string& column) {
  return sql_error(sqlstate::kUndefinedColumn,
                   "column " + quoted(column) +
                       (index.constraint ? " named in key does not exist" : " does not exist"));
}

std::string kind_of(const NewIndex& index) {
  return index.primary ? "primary key" : "unique";
}

bool maintained(IndexState state) {
  return state != IndexState::kInvalid;
}

}  // namespace

Status StoredCatalog::check_new_index(const TableInfo& table, const NewIndex& index) const {
  if (index.columns.size() > kIndexColumnsMax)
    return std::unexpected(sql_error("54011", "cannot use more than 32 columns in an index"));
  if (index.columns.empty())
    return std::unexpected(sql_error("42P17", "an index needs at least one column"));
  std::set<std::string_view> seen;
  for (const auto& [name, order] : index.columns) {
    const ColumnInfo* const column = table.find_column(name);
    if (column == nullptr) return std::unexpected(missing_column(index, name));
    if (index.constraint && !seen.insert(name).second)
      return std::unexpected(sql_error("42701", "column " + quoted(name) + " appears twice in " +
                                                    kind_of(index) + " constraint"));
    const SqlType* const type = registry_.find_type(column->type);
    if (type == nullptr || !type->info().ordered)
      return std::unexpected(
          sql_error("42704", "data type " + (type == nullptr ? "???" : type->info().display_name) +
                                 " has no default operator class for access method \"btree\"")
              .note(sql_field::kHint,
                    "You must specify an operator class for the index or define a default operator "
                    "class for the data type."));
  }
  return {};
}

Result<IndexRow> StoredCatalog::define_index(Transaction& txn, const TableInfo& table,
                                             const NewIndex& index, std::string name,
                                             IndexState state) {
  std::vector<IndexColumn> columns;
  for (const auto& [column, order] : index.columns)
    columns.push_back({table.find_column(column)->attribute, order});
  IndexRow row;
  row.oid = COPPICE_TRY(oids_.next());
  row.name = std::move(name);
  row.table = table.oid;
  row.storage = row.oid;
  row.unique = index.unique || index.primary;
  row.primary = index.primary;
  row.constraint = index.constraint || index.primary;
  row.nulls_not_distinct = index.nulls_not_distinct;
  row.state = static_cast<std::int16_t>(state);
  row.columns = encode_index_columns(columns);
  const NamespaceId ns = table.storage.ns;
  COPPICE_TRY(insert_row(txn.writes(), ns, row));
  COPPICE_TRY(
      txn.writes().create_table({.table = {ns, {row.storage}},
                                 .kind = row.unique ? TableKind::kUnique : TableKind::kIndex,
                                 .rows = table.storage}));
  return row;
}

Result<std::shared_ptr<const IndexInfo>> StoredCatalog::create_index(Transaction& txn,
                                                                     NamespaceId ns, Oid table,
                                                                     const NewIndex& index,
                                                                     IndexState state) {
  const RelationLock mode =
      state == IndexState::kWriteOnly ? RelationLock::kShareUpdateExclusive : RelationLock::kShare;
  const Locked locked = COPPICE_TRY(lock_table(txn, ns, table, mode));
  const TableInfo& on = *locked.table;
  COPPICE_TRY(check_new_index(on, index));
  if (index.primary && on.primary_key() != nullptr)
    return std::unexpected(sql_error(
        "42P16", "multiple primary keys for table " + quoted(on.name) + " are not allowed"));
  COPPICE_TRY(txn.lock_relation({ns, {on.schema}}, RelationLock::kAccessShare, LockWait::kWait));
  std::vector<std::string> names;
  COPPICE_TRY(claim_names(txn, ns, on.schema, on.name, false, std::span(&index, 1), names));
  const IndexRow row = COPPICE_TRY(define_index(txn, on, index, names.front(), state));
  txn.writes().advance_epoch(on.storage);
  txn.writes().advance_epoch(epoch_table(ns));
  const NamespaceViewRef now = COPPICE_TRY(newest(txn, ns));
  auto made = now->find_index(row.oid);
  if (made == nullptr) return fail(Code::kInternal, "catalog: a new index is not seen");
  return made;
}

Status StoredCatalog::set_index_state(Transaction& txn, NamespaceId ns, Oid index, IndexState state,
                                      Hlc valid_from) {
  const Locked locked =
      COPPICE_TRY(lock_table_of(txn, ns, index, RelationLock::kShareUpdateExclusive));
  const NamespaceRows& rows = locked.view->rows();
  for (IndexRow row : rows.indexes) {
    if (row.oid != index) continue;
    // Writers need to know only whether they must maintain it.
    if (maintained(state) != maintained(static_cast<IndexState>(row.state)))
      txn.writes().advance_epoch(locked.table->storage);
    row.state = static_cast<std::int16_t>(state);
    row.valid_from = static_cast<std::int64_t>(valid_from.value);
    COPPICE_TRY(update_row(txn.writes(), ns, row));
  }
  txn.writes().advance_epoch(epoch_table(ns));
  return {};
}

Status StoredCatalog::drop_index(Transaction& txn, NamespaceId ns, Oid index) {
  const Locked locked = COPPICE_TRY(lock_table_of(txn, ns, index, RelationLock::kAccessExclusive));
  const auto info = locked.view->find_index(index);
  if (info->constraint) {
    const std::string constraint = "constraint " + info->name + " on table " + locked.table->name;
    return std::unexpected(sql_error("2BP01", "cannot drop index " + info->name + " because " +
                                                  constraint + " requires it")
                               .note(sql_field::kHint, "You can drop " + constraint + " instead."));
  }
  COPPICE_TRY(txn.lock_relation(info->storage, RelationLock::kAccessExclusive, LockWait::kWait));
  const NamespaceRows& rows = locked.view->rows();
  for (const IndexRow& row : rows.indexes) {
    if (row.oid == index) COPPICE_TRY(erase_row(txn.writes(), ns, row));
  }
  COPPICE_TRY(txn.writes().drop_table(info->storage));
  txn.writes().advance_epoch(locked.table->storage);
  txn.writes().advance_epoch(epoch_table(ns));
  return {};
}

}  // namespace coppice::catalog
