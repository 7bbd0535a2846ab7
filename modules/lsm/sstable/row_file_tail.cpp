#include "modules/lsm/sstable/row_file_tail.h"

#include <algorithm>

#include "kernel/base/assert.h"
#include "modules/lsm/sstable/key_block.h"
#include "modules/lsm/sstable/row_block.h"

namespace coppice::lsm {
namespace {

constexpr std::size_t kHistoryBlockBytes = 16_KiB;  // of tuples, before it is closed

void append_int(VectorBuffer& to, std::uint64_t value) {
  to.append(Datum::of(static_cast<std::int64_t>(value)));
}

// Collects int64 columns and makes an index block of them.
class IndexBlockWriter {
 public:
  explicit IndexBlockWriter(std::size_t columns) {
    for (std::size_t i = 0; i < columns; ++i) {
      ids_.push_back({static_cast<std::uint16_t>(i)});
      columns_.emplace_back(PhysicalType::kInt64);
    }
  }
  void set_id(std::size_t column, ColumnId id) { ids_[column] = id; }
  void add(std::size_t column, std::uint64_t value) { append_int(columns_[column], value); }
  std::uint32_t rows() const { return columns_[0].size(); }
  Status write(SinkWriter& out, std::uint8_t which, Egid first_egid, std::vector<BlockRef>& to) {
    if (rows() == 0) return {};
    RowBlockWriter writer({BlockKind::kIndex, which, 0, first_egid}, rows(),
                          static_cast<std::uint32_t>(columns_.size()));
    for (std::size_t i = 0; i < columns_.size(); ++i) writer.add(ids_[i], columns_[i]);
    ByteBuffer block = writer.finish();
    const BlockRef at = COPPICE_TRY(out.write_block(BlockKind::kIndex, block));
    to.push_back(at);
    for (VectorBuffer& column : columns_) column.clear();
    return {};
  }

 private:
  std::vector<ColumnId> ids_;
  std::vector<VectorBuffer> columns_;
};

constexpr std::uint8_t kIndexOfBlocks = 0;
constexpr std::uint8_t kIndexOfHistory = 1;

// Columns of history blocks other than the tuple.
constexpr ColumnId kHistoryNumbers[] = {kEgidColumn,       kTimestampColumn,   kMaskColumn,
                                        kFlagsColumn,      kHistoryLongOffset, kHistoryLongLength,
                                        kHistoryLongBytes, kHistoryLongChain};

}  // namespace

void BlockKeys::clear() {
  egids.clear();
  timestamps.clear();
  masks.clear();
  flags.clear();
}

bool BlockKeys::is_plain(GroupMask all_groups) const {
  return egids.back() - egids.front() + 1 == egids.size() &&
         std::ranges::all_of(timestamps, [&](Hlc t) { return t == timestamps.front(); }) &&
         std::ranges::all_of(masks, [&](GroupMask mask) { return mask == all_groups; }) &&
         std::ranges::all_of(flags, [](std::uint8_t bits) { return bits == 0; });
}

ByteBuffer BlockKeys::to_block(std::uint32_t schema_version) const {
  VectorBuffer egid(PhysicalType::kInt64), timestamp(PhysicalType::kInt64),
      mask(PhysicalType::kInt64), flag(PhysicalType::kInt64);
  for (std::size_t i = 0; i < egids.size(); ++i) {
    append_int(egid, egids[i]);
    append_int(timestamp, timestamps[i].value);
    append_int(mask, masks[i]);
    append_int(flag, flags[i]);
  }
  RowBlockWriter writer({BlockKind::kKeys, 0, schema_version, egids.front()}, rows(), 4);
  writer.add(kEgidColumn, egid);
  writer.add(kTimestampColumn, timestamp);
  writer.add(kMaskColumn, mask);
  writer.add(kFlagsColumn, flag);
  return writer.finish();
}

RowFileTail::RowFileTail(std::uint32_t schema_version)
    : schema_version_(schema_version), tuples_(PhysicalType::kBytes) {
  for (std::size_t i = 0; i < std::size(kHistoryNumbers); ++i)
    numbers_.emplace_back(PhysicalType::kInt64);
}

std::size_t RowFileTail::add_keys(ByteBuffer block) {
  bytes_ += block.size();
  keys_.push_back(std::move(block));
  return keys_.size() - 1;
}

void RowFileTail::add_index(BlockIndexEntry entry) {
  bytes_ += sizeof entry + entry.groups.size() * sizeof(BlockIndexEntry::Place);
  index_.push_back(std::move(entry));
}

void RowFileTail::add_history(Egid egid, Hlc timestamp, GroupMask mask, std::uint8_t flags,
                              ByteView tuple, const std::optional<BlockRef>& long_at,
                              std::uint64_t long_bytes, bool chain) {
  if (tuples_.size() == 0) history_.push_back({egid, timestamp, {}});
  const std::uint64_t values[] = {egid,
                                  timestamp.value,
                                  mask,
                                  flags,
                                  long_at ? long_at->offset : 0,
                                  long_at ? long_at->length : 0,
                                  long_bytes,
                                  chain ? std::uint64_t{1} : 0};
  for (std::size_t i = 0; i < std::size(values); ++i) append_int(numbers_[i], values[i]);
  tuples_.append(Datum::of(long_at ? ByteView() : tuple));
  if (tuples_.size() == kVectorRows || tuples_.heap_bytes() >= kHistoryBlockBytes)
    finish_history_block();
}

void RowFileTail::finish_history_block() {
  if (tuples_.size() == 0) return;
  RowBlockWriter writer({BlockKind::kHistory, 0, schema_version_, history_.back().first_egid},
                        tuples_.size(), static_cast<std::uint32_t>(std::size(kHistoryNumbers)) + 1);
  for (std::size_t i = 0; i < std::size(kHistoryNumbers); ++i)
    writer.add(kHistoryNumbers[i], numbers_[i]);
  writer.add(kHistoryTuple, tuples_);
  history_.back().bytes = writer.finish();
  bytes_ += history_.back().bytes.size();
  for (VectorBuffer& column : numbers_) column.clear();
  tuples_.clear();
}

Status RowFileTail::write_history(SinkWriter& out, std::vector<BlockRef>& to) {
  finish_history_block();
  IndexBlockWriter index(4);
  Egid first_egid = 0;
  for (HistoryBlock& block : history_) {
    const BlockRef at = COPPICE_TRY(out.write_block(BlockKind::kHistory, block.bytes));
    if (index.rows() == 0) first_egid = block.first_egid;
    index.add(kHistoryFirstEgid.value, block.first_egid);
    index.add(kHistoryFirstTimestamp.value, block.first_timestamp.value);
    index.add(kHistoryOffset.value, at.offset);
    index.add(kHistoryLength.value, at.length);
    if (index.rows() == kVectorRows) {
      // Index blocks interleave with history blocks; both are found through their references.
      COPPICE_TRY(index.write(out, kIndexOfHistory, first_egid, to));
    }
  }
  return index.write(out, kIndexOfHistory, first_egid, to);
}

Status RowFileTail::write_index(SinkWriter& out, std::vector<BlockRef>& to,
                                std::span<const BlockIndexEntry::Place> keys) {
  const std::size_t groups = index_.empty() ? 0 : index_[0].groups.size();
  IndexBlockWriter index(kIndexKeysLength.value + std::size_t{1} + 2 * groups);
  const std::size_t first_group = kIndexKeysLength.value + std::size_t{1};
  for (std::uint32_t group = 0; group < groups; ++group) {
    index.set_id(first_group + 2 * group, index_group_offset(group));
    index.set_id(first_group + 2 * group + 1, index_group_length(group));
  }
  Egid first_egid = 0;
  for (const BlockIndexEntry& entry : index_) {
    if (index.rows() == 0) first_egid = entry.first_egid;
    index.add(kIndexFirstEgid.value, entry.first_egid);
    index.add(kIndexLastEgid.value, entry.last_egid);
    index.add(kIndexRows.value, entry.rows);
    index.add(kIndexMinTimestamp.value, entry.min_timestamp.value);
    index.add(kIndexMaxTimestamp.value, entry.max_timestamp.value);
    index.add(kIndexKeysOffset.value, entry.keys ? keys[*entry.keys].offset : 0);
    index.add(kIndexKeysLength.value, entry.keys ? keys[*entry.keys].length : 0);
    for (std::size_t group = 0; group < groups; ++group) {
      index.add(first_group + 2 * group, entry.groups[group].offset);
      index.add(first_group + 2 * group + 1, entry.groups[group].length);
    }
    if (index.rows() == kVectorRows) COPPICE_TRY(index.write(out, kIndexOfBlocks, first_egid, to));
  }
  return index.write(out, kIndexOfBlocks, first_egid, to);
}

Status RowFileTail::finish(SinkWriter& out, RowFileProperties& properties) {
  std::vector<BlockIndexEntry::Place> keys;
  properties.keys_offset = out.offset();
  for (ByteBuffer& block : keys_) {
    const BlockRef at = COPPICE_TRY(out.write_block(BlockKind::kKeys, block));
    keys.push_back({at.offset, at.length});
  }
  properties.keys_length = out.offset() - properties.keys_offset;
  COPPICE_TRY(write_history(out, properties.history_index));
  return write_index(out, properties.index, keys);
}

}  // namespace coppice::lsm
