// table_writer.cpp — check, lock, look, write.
#include "modules/executor/changes/table_writer.h"

#include <algorithm>

#include "kernel/base/assert.h"
#include "modules/executor/changes/violations.h"

namespace coppice::executor {

TableWriter::TableWriter(const TableInfo& table, Execution& execution)
    : table_(table), execution_(execution), keys_(table.indexes.size()) {
  execution.txn().writes().expect_epoch(table.storage, table.epoch);
}

Status TableWriter::check_not_null(const RowImage& image) const {
  std::uint32_t first = UINT32_MAX;
  const ColumnInfo* failing = nullptr;
  for (const ColumnInfo& column : table_.columns) {
    if (column.dropped || !column.not_null) continue;
    const Vector* const values = image.column(column.attribute);
    if (values == nullptr || !values->has_nulls()) continue;
    image.rows.for_each([&](std::uint32_t row) {
      if (row >= first || !values->is_null(row)) return;
      first = row;
      failing = &column;
    });
  }
  if (failing == nullptr) return {};
  return std::unexpected(not_null_violation(execution_, table_, *failing, image, first));
}

Status TableWriter::lock_keys(const IndexInfo& index, const KeyBatch& keys) {
  std::vector<ByteView> wanted;
  for (const KeyBatch::Key& key : keys.keys) {
    if (!may_repeat(index, key)) wanted.push_back(keys.view(key));
  }
  if (wanted.empty()) return {};
  return execution_.txn().lock_keys(index.storage, wanted);
}

Result<std::optional<std::uint32_t>> TableWriter::find_collision(const IndexInfo& index,
                                                                 const KeyBatch& keys) {
  std::vector<const KeyBatch::Key*> wanted;
  for (const KeyBatch::Key& key : keys.keys) {
    if (!may_repeat(index, key)) wanted.push_back(&key);
  }
  if (wanted.empty()) return std::nullopt;
  std::sort(wanted.begin(), wanted.end(), [&](const KeyBatch::Key* a, const KeyBatch::Key* b) {
    const int order = compare_keys(keys.view(*a), keys.view(*b));
    return order != 0 ? order < 0 : a->row < b->row;
  });
  std::optional<std::uint32_t> first;
  const auto collides = [&](std::uint32_t row) { first = std::min(row, first.value_or(row)); };
  std::vector<ByteView> views;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    views.push_back(keys.view(*wanted[i]));
    if (i != 0 && compare_keys(views[i - 1], views[i]) == 0) collides(wanted[i]->row);
  }
  const auto found = COPPICE_TRY(
      execution_.engine().find_unique(execution_.txn().newest_view(), index.storage, views));
  COPPICE_ASSERT(found.size() == views.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i]) collides(wanted[i]->row);
  }
  return first;
}

Status TableWriter::write_ops(const IndexInfo& index, const KeyBatch& keys,
                              std::span<const Egid> rows, bool add) {
  if (keys.keys.empty()) return {};
  std::vector<IndexOp> ops;
  ops.reserve(keys.keys.size());
  for (const KeyBatch::Key& key : keys.keys)
    ops.push_back({.key = keys.view(key),
                   .row = rows[key.row],
                   .add = add,
                   .never_collides = index.unique && may_repeat(index, key)});
  return execution_.txn().writes().index(index.storage, ops);
}

Status TableWriter::remove_keys(const IndexInfo& index, const KeyBatch& keys,
                                std::span<const Egid> rows) {
  COPPICE_TRY(lock_keys(index, keys));
  return write_ops(index, keys, rows, false);
}

Status TableWriter::add_keys(const IndexInfo& index, const RowImage& image, const KeyBatch& keys,
                             std::span<const Egid> rows) {
  COPPICE_TRY(lock_keys(index, keys));
  const auto collision = COPPICE_TRY(find_collision(index, keys));
  if (collision)
    return std::unexpected(unique_violation(execution_, table_, index, image, *collision));
  return write_ops(index, keys, rows, true);
}

Result<Egid> TableWriter::insert(const RowImage& image) {
  COPPICE_TRY(check_not_null(image));
  const IndexInfo* refused = nullptr;
  std::uint32_t refused_row = UINT32_MAX;
  for (std::size_t i = 0; i < table_.indexes.size(); ++i) {
    const IndexInfo& index = *table_.indexes[i];
    if (!is_maintained(index)) continue;
    COPPICE_TRY(make_keys(execution_, table_, index, image, keys_[i]));
    COPPICE_TRY(lock_keys(index, keys_[i]));
    const auto collision = COPPICE_TRY(find_collision(index, keys_[i]));
    if (!collision || *collision >= refused_row) continue;
    refused = &index;
    refused_row = *collision;
  }
  if (refused != nullptr)
    return std::unexpected(unique_violation(execution_, table_, *refused, image, refused_row));

  RowBatch batch;
  batch.rows = image.size;
  batch.selection = image.rows;
  for (const Vector* const column : image.columns) batch.columns.push_back(*column);
  const Egid first = COPPICE_TRY(execution_.txn().writes().insert(table_.storage, batch));
  std::vector<Egid> rows(image.size);
  Egid next = first;
  image.rows.for_each([&](std::uint32_t row) { rows[row] = next++; });
  for (std::size_t i = 0; i < table_.indexes.size(); ++i) {
    if (is_maintained(*table_.indexes[i]))
      COPPICE_TRY(write_ops(*table_.indexes[i], keys_[i], rows, true));
  }
  return first;
}

}  // namespace coppice::executor
