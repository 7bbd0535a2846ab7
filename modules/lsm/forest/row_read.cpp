#include "modules/lsm/forest/row_read.h"

#include <algorithm>

namespace coppice::lsm {

RowRead::RowRead(const FileStore& store, const ReadView& view, TableRef ref, TablePtr table,
                 DefinitionRef definition)
    : definition_(std::move(definition)),
      table_(std::move(table)),
      read_at_(view.snapshot->read_at()),
      io_class_(view.io_class),
      blocks_(store, view.io_class) {
  if (table_ != nullptr) tree_ = table_->rows().load();
  if (view.own != nullptr) own_ = own_of(view)->own_rows(ref);
}

Result<std::vector<std::uint32_t>> RowRead::positions(std::span<const ColumnId> columns) const {
  std::vector<std::uint32_t> result;
  for (const ColumnId id : columns) {
    const Column* column = schema().find(id);
    if (column == nullptr)
      return fail(Code::kInvalidArgument, "no column " + std::to_string(id.value));
    result.push_back(static_cast<std::uint32_t>(column - schema().columns.data()));
  }
  return result;
}

Status claim_all(const RowTreeVersion& tree, RowFetch& fetch, BlockSource& blocks) {
  if (fetch.rows() == 0) return {};
  for (const RowMemoryRef& memory : tree.memory) memory->table.claim(fetch);
  for (const RowFileRef& file : tree.level0) COPPICE_TRY(file->reader->claim(fetch, blocks));
  const Egid first = fetch.egid(0);
  const Egid last = fetch.egid(fetch.rows() - 1);
  auto file = std::ranges::lower_bound(tree.last, first, {}, [](const RowFileRef& candidate) {
    return candidate->reader->properties().max_egid;
  });
  for (; file != tree.last.end() && (*file)->reader->properties().min_egid <= last; ++file)
    COPPICE_TRY((*file)->reader->claim(fetch, blocks));
  return {};
}

Result<RowBatch> RowRead::fetch(std::span<const Egid> rows,
                                std::span<const std::uint32_t> columns) {
  std::vector<Egid> committed;
  for (const Egid row : rows) {
    if (!is_provisional(row)) committed.push_back(row);
  }
  RowFetch fetch(schema(), read_at_, columns, committed);
  if (tree_ != nullptr) {
    COPPICE_TRY(claim_all(*tree_, fetch, blocks_));
    COPPICE_TRY(fetch.read(blocks_));
  }
  if (!own_) return fetch.to_batch();

  BatchBuilder batch(schema(), columns);
  std::uint32_t at = 0;
  for (const Egid row : rows) {
    if (is_provisional(row)) {
      append_own(row, columns, batch);
      continue;
    }
    const std::uint32_t position = at++;
    const OwnRows::Row* change = own_->rows->find(row);
    if (!fetch.exists(position) || (change != nullptr && change->erased)) continue;
    batch.begin_row(row);
    for (std::uint32_t i = 0; i < columns.size(); ++i) {
      const Datum* value = &fetch.value(position, i);
      if (change != nullptr) {
        const auto changed = change->values.find(schema().columns[columns[i]].id);
        if (changed != change->values.end()) value = &changed->second;
      }
      batch.value(i, *value);
    }
  }
  return batch.finish();
}

// False: the row was erased again, or never there.
bool RowRead::append_own(Egid row, std::span<const std::uint32_t> columns, BatchBuilder& to) const {
  const OwnRows::Row* change = own_->rows->find(row);
  if (change != nullptr && change->erased) return false;
  const auto& inserts = own_->writes->inserts;
  auto insert = std::ranges::upper_bound(inserts, row, {}, &RowWrites::Insert::first);
  if (insert == inserts.begin()) return false;
  --insert;
  if (row - insert->first >= insert->rows) return false;
  const auto position = static_cast<std::uint32_t>(row - insert->first);
  const std::vector<Column>& stored = insert->definition->schema.columns;
  to.begin_row(row);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Column& column = schema().columns[columns[i]];
    if (change != nullptr) {
      const auto changed = change->values.find(column.id);
      if (changed != change->values.end()) {
        to.value(i, changed->second);
        continue;
      }
    }
    const auto found = std::ranges::find(stored, column.id, &Column::id);
    to.value(
        i, found == stored.end()
               ? column.missing_value()
               : insert->columns[static_cast<std::size_t>(found - stored.begin())].view().datum_at(
                     position));
  }
  return true;
}

}  // namespace coppice::lsm
