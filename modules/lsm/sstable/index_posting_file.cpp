// index_posting_file.cpp — entries of posting files, written and found.
#include "modules/lsm/sstable/index_posting_file.h"

#include <algorithm>

#include "kernel/base/assert.h"
#include "kernel/base/coding.h"

namespace coppice::lsm {
namespace {

// First number of an entry's value: deltas << 2 | folded << 1 | long.
constexpr unsigned kLongBit = 1;
constexpr unsigned kFoldedBit = 2;
constexpr unsigned kDeltasShift = 2;

}  // namespace

// --- builder
// ---------------------------------------------------------------------------------------

IndexFileBuilder::IndexFileBuilder(const IndexWriterOptions& options, IndexSink sink)
    : writer_(options, std::move(sink)) {}

Status IndexFileBuilder::add(ByteView key, PostingOp op) {
  const bool same = !parts_.empty() && compare_keys(part_key_, key) == 0;
  if (!same) {
    COPPICE_TRY(close_part(0));
    part_key_.assign(key.begin(), key.end());
    parts_.start_key(0);
  } else if (parts_.should_close_before(op.egid)) {
    COPPICE_TRY(close_part(op.egid));
  }
  parts_.add(op);
  return {};
}

Status IndexFileBuilder::close_part(Egid next_first) {
  if (parts_.empty()) return {};
  const EncodedPart part = parts_.close(next_first);
  return add_part(part_key_, part.first_egid, part.bytes, part.stats);
}

Status IndexFileBuilder::add_part(ByteView key, Egid first_egid, ByteView part,
                                  const PartStats& stats) {
  COPPICE_DEBUG_ASSERT(
      properties_.entries == 0 ||
      compare_entries(properties_.largest.key, properties_.largest.egid, key, first_egid) < 0);
  COPPICE_TRY(check_key_size(key));
  const bool is_long = part.size() > kInlinePartBytesMax;
  value_.clear();
  ByteWriter out(value_);
  out.varint(std::uint64_t{stats.deltas} << kDeltasShift | (stats.folded ? kFoldedBit : 0) |
             (is_long ? kLongBit : 0));
  out.varint(stats.ids);
  if (is_long) {
    const IndexExtent extent = COPPICE_TRY(writer_.write(BlockKind::kPart, part));
    out.varint(extent.offset);
    out.varint(extent.length);
  } else {
    out.bytes(part);
  }
  if (entries_.empty()) block_first_ = {ByteBuffer(key.begin(), key.end()), first_egid};
  if (properties_.entries == 0) {
    properties_.smallest = {ByteBuffer(key.begin(), key.end()), first_egid};
  }
  writer_.add_key(key);
  entries_.add(key, first_egid, value_);
  ++properties_.entries;
  properties_.ids += stats.ids;
  properties_.deltas += stats.deltas;
  properties_.newest = std::max(properties_.newest, stats.newest);
  properties_.largest.key.assign(key.begin(), key.end());
  properties_.largest.egid = first_egid;
  block_ids_ += stats.ids + stats.deltas;
  return entries_.bytes() >= kEntryBlockTarget ? end_block() : Status();
}

Status IndexFileBuilder::end_block() {
  if (entries_.empty()) return {};
  COPPICE_TRY(
      writer_.write_entries(BlockKind::kEntries, entries_.finish(), block_first_, block_ids_));
  entries_.clear();
  block_ids_ = 0;
  return {};
}

Result<IndexProperties> IndexFileBuilder::finish() {
  COPPICE_TRY(close_part(0));
  COPPICE_TRY(end_block());
  COPPICE_TRY(writer_.finish(properties_));
  return std::move(properties_);
}

Result<PartEntry> parse_part_entry(const BlockRef& block, ByteView value) {
  ByteReader in(value);
  PartEntry entry;
  const std::uint64_t flags = in.varint();
  const std::uint64_t ids = in.varint();
  if (flags >> kDeltasShift > kPartDeltasMax || ids > kPartIdsMax) in.fail();
  entry.stats.deltas = static_cast<std::uint32_t>(flags >> kDeltasShift);
  entry.stats.ids = static_cast<std::uint32_t>(ids);
  entry.stats.folded = (flags & kFoldedBit) != 0;
  if ((flags & kLongBit) != 0) {
    entry.extent.offset = in.varint();
    const std::uint64_t length = in.varint();
    if (length < kIndexFrameBytes || length > UINT32_MAX || !in.done()) in.fail();
    entry.extent.length = static_cast<std::uint32_t>(length);
  } else {
    entry.inline_part = in.bytes(in.remaining());
  }
  if (!in.ok()) return block_corrupt(block, "entry does not parse");
  return entry;
}

namespace {

Result<PartView> parse_part(const BlockRef& block, ByteView bytes) {
  auto part = PartView::parse(bytes);
  if (!part) return block_corrupt(block, part.error().message());
  return part;
}

}  // namespace

// --- lookup
// ----------------------------------------------------------------------------------------

IndexLookup::IndexLookup(const IndexFile& file, ByteView key, Want want, Egid low, Egid high)
    : file_(&file),
      key_(key),
      want_(want),
      low_(low),
      high_(high),
      stage_(file.partitions().empty() ? Stage::kDone : Stage::kFilter) {
  const IndexProperties& known = file.properties();
  if (compare_keys(key, known.smallest.key) < 0 || compare_keys(key, known.largest.key) > 0) {
    stage_ = Stage::kDone;
  }
  if (stage_ == Stage::kDone) return;
  const auto& partition = file.partitions()[file.partition_of(key, low)];
  wanted_.push_back(file.ref(BlockKind::kFilter, partition.filter));
}

// Pins all of `wanted`, or lists what is missing.
bool IndexLookup::gather(IndexBlocks& blocks, std::span<const BlockRef> wanted) {
  missing_.clear();
  pins_.resize(wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (!pins_[i]) pins_[i] = blocks.find(wanted[i]);
    if (!pins_[i]) missing_.push_back(wanted[i]);
  }
  return missing_.empty();
}

Result<bool> IndexLookup::advance(IndexBlocks& blocks) {
  while (stage_ != Stage::kDone) {
    const Stage before = stage_;
    stage_ = COPPICE_TRY(run(blocks));
    if (stage_ == before) return false;
  }
  missing_.clear();
  return true;
}

// Gives the next stage, or the same one if blocks are missing.
Result<IndexLookup::Stage> IndexLookup::run(IndexBlocks& blocks) {
  if (!gather(blocks, wanted_)) return stage_;
  switch (stage_) {
    case Stage::kFilter:
      return read_filter(blocks);
    case Stage::kPartition:
      return read_partitions(blocks);
    case Stage::kEntries:
      return read_entries(blocks);
    case Stage::kParts:
      return read_parts(blocks);
    case Stage::kDone:
      break;
  }
  return Stage::kDone;
}

Result<IndexLookup::Stage> IndexLookup::read_filter(IndexBlocks&) {
  if (!filter_may_contain(payload_of(pins_[0]), filter_hash(key_))) return Stage::kDone;
  wanted_.clear();
  pins_.clear();
  for (std::size_t i = file_->partition_of(key_, low_); i < file_->partitions().size(); ++i) {
    const auto& partition = file_->partitions()[i];
    const bool beyond = compare_entries(partition.first.key, partition.first.egid, key_, high_) > 0;
    if (beyond && !wanted_.empty()) break;
    wanted_.push_back(file_->ref(BlockKind::kPartition, partition.index));
  }
  return Stage::kPartition;
}

Result<IndexLookup::Stage> IndexLookup::read_partitions(IndexBlocks&) {
  std::vector<BlockRef> entry_blocks;
  for (std::size_t i = 0; i < pins_.size(); ++i) {
    EntryCursor cursor(payload_of(pins_[i]));
    const bool found = i == 0 && cursor.seek(key_, low_);
    for (bool more = found || cursor.first(); more; more = cursor.next()) {
      if (compare_entries(cursor.key(), cursor.egid(), key_, high_) > 0) break;
      const IndexBlockEntry entry = COPPICE_TRY(parse_block_entry(wanted_[i], cursor.value()));
      entry_blocks.push_back(file_->ref(BlockKind::kEntries, entry.extent));
    }
    if (!cursor.ok()) return block_corrupt(wanted_[i], "does not parse");
  }
  wanted_ = std::move(entry_blocks);
  pins_.clear();
  return wanted_.empty() ? Stage::kDone : Stage::kEntries;
}

Result<IndexLookup::Stage> IndexLookup::read_entries(IndexBlocks&) {
  // A part that begins at or below `low` matters only if the next one begins above it.
  std::vector<Egid> firsts;
  for (std::size_t i = 0; i < pins_.size(); ++i) {
    EntryCursor cursor(payload_of(pins_[i]));
    const bool found = i == 0 && cursor.seek(key_, low_);
    for (bool more = found || cursor.first(); more; more = cursor.next()) {
      const int order = compare_keys(cursor.key(), key_);
      if (order > 0 || (order == 0 && cursor.egid() > high_)) break;
      if (order < 0) continue;
      PartEntry entry = COPPICE_TRY(parse_part_entry(wanted_[i], cursor.value()));
      entries_.push_back(entry);
      firsts.push_back(cursor.egid());
    }
    if (!cursor.ok()) return block_corrupt(wanted_[i], "does not parse");
  }
  std::size_t skip = 0;
  while (skip + 1 < firsts.size() && firsts[skip + 1] <= low_) ++skip;
  entries_.erase(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(skip));
  for (const PartEntry& entry : entries_) {
    ids_limit_ += entry.stats.ids + entry.stats.deltas;
    exact_ &= entry.stats.folded;
  }
  if (want_ == Want::kCounts || entries_.empty()) return Stage::kDone;
  kept_ = std::move(pins_);
  pins_.clear();
  wanted_.clear();
  for (const PartEntry& entry : entries_) {
    if (!entry.is_inline()) wanted_.push_back(file_->ref(BlockKind::kPart, entry.extent));
  }
  return Stage::kParts;
}

Result<IndexLookup::Stage> IndexLookup::read_parts(IndexBlocks&) {
  std::size_t block = 0;
  parts_.reserve(entries_.size());
  for (const PartEntry& entry : entries_) {
    const BlockRef where = entry.is_inline() ? file_->ref(BlockKind::kEntries, {}) : wanted_[block];
    const ByteView bytes = entry.is_inline() ? entry.inline_part : payload_of(pins_[block++]);
    const PartView part = COPPICE_TRY(parse_part(where, bytes));
    parts_.push_back(part);
  }
  for (BlockPin& pin : pins_) kept_.push_back(std::move(pin));
  pins_.clear();
  return Stage::kDone;
}

// --- cursor
// ----------------------------------------------------------------------------------------

Result<bool> IndexFileCursor::load_partition(std::size_t i) {
  if (i >= file_->partitions().size()) return false;
  partition_ = i;
  const BlockRef at = file_->ref(BlockKind::kPartition, file_->partitions()[i].index);
  partition_pin_ = COPPICE_TRY(blocks_->read(at));
  index_ = EntryCursor(payload_of(partition_pin_));
  return true;
}

// Opens the entry block that index_ stands at.
Result<bool> IndexFileCursor::load_entries() {
  const BlockRef partition =
      file_->ref(BlockKind::kPartition, file_->partitions()[partition_].index);
  const IndexBlockEntry entry = COPPICE_TRY(parse_block_entry(partition, index_.value()));
  entries_ref_ = file_->ref(BlockKind::kEntries, entry.extent);
  entries_pin_ = COPPICE_TRY(blocks_->read(entries_ref_));
  entries_ = EntryCursor(payload_of(entries_pin_));
  return true;
}

Status IndexFileCursor::parse() {
  entry_ = COPPICE_TRY(parse_part_entry(entries_ref_, entries_.value()));
  return {};
}

// `there`: entries_ stands at an entry.
Result<bool> IndexFileCursor::settle(bool there) {
  if (!entries_.ok()) return block_corrupt(entries_ref_, "does not parse");
  if (!index_.ok()) {
    return block_corrupt(file_->ref(BlockKind::kPartition, file_->partitions()[partition_].index),
                         "does not parse");
  }
  if (there) COPPICE_TRY(parse());
  return there;
}

Result<bool> IndexFileCursor::first() {
  const bool there = COPPICE_TRY(load_partition(0));
  if (!there) return false;
  if (!index_.first()) return settle(false);
  COPPICE_TRY(load_entries());
  return settle(entries_.first());
}

Result<bool> IndexFileCursor::last() {
  if (file_->partitions().empty()) return false;
  COPPICE_TRY(load_partition(file_->partitions().size() - 1));
  if (!index_.last()) return settle(false);
  COPPICE_TRY(load_entries());
  return settle(entries_.last());
}

Result<bool> IndexFileCursor::seek(ByteView key, Egid egid) {
  if (file_->partitions().empty()) return false;
  COPPICE_TRY(load_partition(file_->partition_of(key, egid)));
  if (!index_.seek(key, egid) && !index_.first()) return settle(false);
  COPPICE_TRY(load_entries());
  if (entries_.seek(key, egid)) return settle(true);
  return settle(entries_.ok() && entries_.first());
}

Result<bool> IndexFileCursor::next() {
  while (!entries_.next()) {
    if (!entries_.ok() || !index_.ok()) return settle(false);
    if (!index_.next()) {
      if (!index_.ok()) return settle(false);
      const bool more = COPPICE_TRY(load_partition(partition_ + 1));
      if (!more) return false;
      if (!index_.first()) return settle(false);
    }
    COPPICE_TRY(load_entries());
    if (entries_.first()) break;
  }
  return settle(true);
}

Result<bool> IndexFileCursor::previous() {
  while (!entries_.previous()) {
    if (!entries_.ok() || !index_.ok()) return settle(false);
    if (!index_.previous()) {
      if (!index_.ok() || partition_ == 0) return settle(false);
      COPPICE_TRY(load_partition(partition_ - 1));
      if (!index_.last()) return settle(false);
    }
    COPPICE_TRY(load_entries());
    if (entries_.last()) break;
  }
  return settle(true);
}

Result<PartView> IndexFileCursor::part() {
  if (entry_.is_inline()) return parse_part(entries_ref_, entry_.inline_part);
  const BlockRef at = file_->ref(BlockKind::kPart, entry_.extent);
  part_pin_ = COPPICE_TRY(blocks_->read(at));
  return parse_part(at, payload_of(part_pin_));
}

}  // namespace coppice::lsm
