#include "modules/lsm/sstable/row_file_scan.h"

#include <algorithm>

namespace coppice::lsm {
namespace {

// A column with a place for every row of the block, null where a row does not have the group.
Vector spread(const Vector& column, const KeyBlock& keys, std::uint32_t group) {
  auto storage = std::make_shared<VectorBuffer>(column.type());
  for (std::uint32_t row = 0; row < keys.rows(); ++row) {
    const std::uint32_t position = keys.position(row, group);
    if ((keys.mask(row) >> group & 1) != 0 && position < column.size())
      storage->append(column.datum_at(position));
    else
      storage->append_null();
  }
  Vector vector = storage->view();
  vector.set_owner(std::move(storage));
  return vector;
}

}  // namespace

RowFileScan::RowFileScan(const RowFileReader& file, const TableSchema& schema,
                         std::span<const std::uint32_t> columns, Hlc read_at, const FileClip& clip,
                         Direction direction)
    : file_(file),
      schema_(schema),
      columns_(columns.begin(), columns.end()),
      read_at_(std::min(read_at, clip.cap)),
      clip_(clip),
      direction_(direction),
      next_(file.find_block(clip.from)),
      end_(std::min(file.find_block(clip.to) + 1, file.block_count())) {
  for (const std::uint32_t column : columns_)
    wanted_ |= GroupMask{1} << schema.columns[column].group;
  wanted_ &= file.properties().all_groups();  // younger groups have one value for all rows
}

Result<bool> RowFileScan::next(BlockSource& source, ScanBatch& to) {
  if (next_ >= end_) return false;
  const std::uint32_t block = direction_ == Direction::kForward ? next_++ : --end_;
  BlockColumns loaded;
  COPPICE_TRY(load_columns(file_, block, schema_, columns_, source, loaded));
  to.others.clear();
  to.zones = loaded.zones;
  to.batch.rows = loaded.entry.rows;
  to.batch.columns = std::move(loaded.columns);
  if (loaded.keys == nullptr) {
    to.batch.egids = Vector::sequence(PhysicalType::kInt64, loaded.entry.rows,
                                      static_cast<std::int64_t>(loaded.entry.first_egid), 1);
  } else {
    to.batch.egids = loaded.keys->keys().egids();
    to.batch.egids.set_owner(loaded.keys);
    for (std::size_t i = 0; i < columns_.size(); ++i)
      if (to.batch.columns[i].size() != loaded.entry.rows)
        to.batch.columns[i] =
            spread(to.batch.columns[i], loaded.keys->keys(), schema_.columns[columns_[i]].group);
  }
  for (const Vector& column : to.batch.columns)
    if (column.size() != loaded.entry.rows)
      return block_corrupt(loaded.entry.keys, "rows without keys");
  select(loaded, to);
  return true;
}

void RowFileScan::select(const BlockColumns& block, ScanBatch& to) const {
  const KeyBlock* keys = block.key_block();
  const std::uint32_t rows = block.entry.rows;
  if (keys == nullptr && block.entry.first_egid >= clip_.from &&
      block.entry.last_egid <= clip_.to) {
    if (block.entry.max_timestamp <= read_at_) {
      to.batch.selection = Selection::all(rows);
    } else {
      to.batch.selection = Selection::from_mask({}, rows);
    }
    return;
  }
  Selection::Mask mask{};
  for (std::uint32_t row = 0; row < rows; ++row) {
    const Egid egid = keys == nullptr ? block.entry.first_egid + row : keys->egid(row);
    if (!clip_.holds(egid)) continue;
    if (keys == nullptr) {
      if (block.entry.max_timestamp <= read_at_) mask[row / 64] |= std::uint64_t{1} << (row % 64);
      continue;
    }
    const bool visible = keys->timestamp(row) <= read_at_;
    if (visible && keys->deleted(row)) continue;
    if (visible && (keys->mask(row) & wanted_) == wanted_) {
      mask[row / 64] |= std::uint64_t{1} << (row % 64);
    } else if (visible || keys->has_older(row)) {
      to.others.push_back(egid);
    }
  }
  to.batch.selection = Selection::from_mask(mask, rows);
}

}  // namespace coppice::lsm
