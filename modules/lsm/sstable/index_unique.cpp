// index_unique.cpp — unique blocks, their files, lookup and merge.
#include "modules/lsm/sstable/index_unique.h"

#include <algorithm>

#include "kernel/base/assert.h"

namespace coppice::lsm {
namespace {

constexpr unsigned kNumbersBit = 1;
constexpr unsigned kStampsBit = 2;
constexpr std::size_t kNumberBytesMax = 8;

std::uint64_t load_number(ByteView bytes) {
  std::uint64_t number = 0;
  for (const std::byte byte : bytes) number = number << 8 | static_cast<std::uint64_t>(byte);
  return number;
}

}  // namespace

// --- block
// -----------------------------------------------------------------------------------------

Result<UniqueBlock> UniqueBlock::parse(const BlockRef& at, ByteView payload) {
  ByteReader in(payload);
  UniqueBlock block;
  const std::uint64_t size = in.varint();
  const unsigned flags = in.u8();
  if (size == 0 || size > kUniqueEntriesMax || flags > 3) return block_corrupt(at, "bad head");
  block.size_ = size;
  block.numbers_ = (flags & kNumbersBit) != 0;
  block.prefix_ = in.sized_bytes();
  if (block.numbers_) {
    block.suffix_bytes_ = in.u8();
    if (block.suffix_bytes_ > kNumberBytesMax) in.fail();
  } else {
    block.suffixes_ = in.sized_bytes();
  }
  if (!in.ok()) return block_corrupt(at, "keys do not parse");
  block.keys_ = LinearColumn::parse(in, block.size_);
  if (in.ok()) block.egids_ = LinearColumn::parse(in, block.size_);
  if (in.ok() && (flags & kStampsBit) != 0) block.stamps_ = LinearColumn::parse(in, block.size_);
  if (!in.done()) return block_corrupt(at, "columns do not parse");
  return block;
}

ByteView UniqueBlock::key(std::size_t i, ByteBuffer& scratch) const {
  scratch.assign(prefix_.begin(), prefix_.end());
  if (numbers_) {
    std::byte bytes[8];
    store_be(bytes, keys_[i]);
    append(scratch, ByteView(bytes).last(suffix_bytes_));
    return scratch;
  }
  // Ends out of order or range (bad bytes) give a short key, never a read outside.
  const std::uint64_t end = std::min<std::uint64_t>(keys_[i], suffixes_.size());
  const std::uint64_t begin = i == 0 ? 0 : std::min(keys_[i - 1], end);
  append(scratch, suffixes_.subspan(begin, end - begin));
  return scratch;
}

int UniqueBlock::compare(std::size_t i, ByteView key, ByteBuffer& scratch) const {
  return compare_keys(this->key(i, scratch), key);
}

std::size_t UniqueBlock::lower_bound(ByteView key, ByteBuffer& scratch) const {
  std::size_t low = 0, high = size_;
  if (numbers_ && key.size() == prefix_.size() + suffix_bytes_ &&
      compare_keys(key.first(prefix_.size()), prefix_) == 0) {
    const std::uint64_t number = load_number(key.last(suffix_bytes_));
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      keys_[middle] < number ? low = middle + 1 : high = middle;
    }
    return low;
  }
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    compare(middle, key, scratch) < 0 ? low = middle + 1 : high = middle;
  }
  return low;
}

// --- builder
// ---------------------------------------------------------------------------------------

UniqueFileBuilder::UniqueFileBuilder(IndexWriterOptions options, IndexSink sink)
    : writer_((options.kind = IndexFileKind::kUnique, options), std::move(sink)) {}

Status UniqueFileBuilder::add(ByteView key, std::span<const PostingOp> versions) {
  COPPICE_TRY(check_key_size(key));
  if (versions.size() > kUniqueEntriesMax / 2) {
    return fail(Code::kLimitExceeded, "too many versions of one unique key");
  }
  if (!entries_.empty() && (entries_.size() + versions.size() > kUniqueEntries ||
                            arena_.size() + key.size() > kEntryBlockTarget)) {
    COPPICE_TRY(end_block());
  }
  for (const PostingOp& op : versions) {
    append(arena_, key);
    ends_.push_back(arena_.size());
    entries_.push_back(op);
    ++properties_.entries;
    ++(op.stamp.is_add() ? properties_.ids : properties_.deltas);
    properties_.newest = std::max(properties_.newest, op.stamp.at());
  }
  writer_.add_key(key);
  if (properties_.entries == versions.size())
    properties_.smallest.key.assign(key.begin(), key.end());
  properties_.largest.key.assign(key.begin(), key.end());
  return {};
}

ByteBuffer UniqueFileBuilder::encode() const {
  const auto key_of = [&](std::size_t i) {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return ByteView(arena_).subspan(begin, ends_[i] - begin);
  };
  // Keys ascend, so that what the first and the last share, all share.
  const ByteView first = key_of(0), last = key_of(entries_.size() - 1);
  std::size_t shared = 0;
  while (shared < std::min(first.size(), last.size()) && first[shared] == last[shared]) ++shared;
  bool one_length = first.size() <= shared + kNumberBytesMax;
  bool stamped = false;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    one_length &= key_of(i).size() == first.size();
    stamped |= entries_[i].stamp != Stamp::folded();
  }
  ByteBuffer payload;
  ByteWriter out(payload);
  std::vector<std::uint64_t> column(entries_.size());
  out.varint(entries_.size());
  out.u8(static_cast<std::uint8_t>((one_length ? kNumbersBit : 0) | (stamped ? kStampsBit : 0)));
  out.sized_bytes(first.first(shared));
  if (one_length) {
    out.u8(static_cast<std::uint8_t>(first.size() - shared));
    for (std::size_t i = 0; i < column.size(); ++i)
      column[i] = load_number(key_of(i).subspan(shared));
  } else {
    ByteBuffer suffixes;
    for (std::size_t i = 0; i < column.size(); ++i) {
      append(suffixes, key_of(i).subspan(shared));
      column[i] = suffixes.size();
    }
    out.sized_bytes(suffixes);
  }
  write_linear(column, payload);
  for (std::size_t i = 0; i < column.size(); ++i) column[i] = entries_[i].egid;
  write_linear(column, payload);
  if (stamped) {
    for (std::size_t i = 0; i < column.size(); ++i) column[i] = entries_[i].stamp.value;
    write_linear(column, payload);
  }
  return payload;
}

Status UniqueFileBuilder::end_block() {
  if (entries_.empty()) return {};
  const IndexPosition first{
      ByteBuffer(arena_.begin(), arena_.begin() + static_cast<std::ptrdiff_t>(ends_[0])), 0};
  COPPICE_TRY(writer_.write_entries(BlockKind::kUnique, encode(), first, entries_.size()));
  arena_.clear();
  ends_.clear();
  entries_.clear();
  return {};
}

Result<IndexProperties> UniqueFileBuilder::finish() {
  COPPICE_TRY(end_block());
  COPPICE_TRY(writer_.finish(properties_));
  return std::move(properties_);
}

// --- lookup
// ----------------------------------------------------------------------------------------

UniqueLookup::UniqueLookup(const IndexFile& file, ByteView key, Hlc read)
    : file_(&file), key_(key), read_(read) {
  const IndexProperties& known = file.properties();
  if (file.partitions().empty() || compare_keys(key, known.smallest.key) < 0 ||
      compare_keys(key, known.largest.key) > 0) {
    return;
  }
  partition_ = file.partition_of(key, 0);
  stage_ = Stage::kFilter;
  wanted_ = file.ref(BlockKind::kFilter, file.partitions()[partition_].filter);
}

Result<bool> UniqueLookup::advance(IndexBlocks& blocks) {
  while (wanted_) {
    const BlockPin pin = blocks.find(*wanted_);
    if (!pin) return false;
    const BlockRef at = *wanted_;
    wanted_.reset();
    COPPICE_TRY(run(at, payload_of(pin)));
  }
  return true;
}

// Sets what is wanted next, or nothing when done.
Status UniqueLookup::run(const BlockRef& at, ByteView payload) {
  if (stage_ == Stage::kFilter) {
    if (!filter_may_contain(payload, filter_hash(key_))) return {};
    stage_ = Stage::kPartition;
    wanted_ = file_->ref(BlockKind::kPartition, file_->partitions()[partition_].index);
    return {};
  }
  if (stage_ == Stage::kPartition) {
    EntryCursor cursor(payload);
    const bool there = cursor.seek(key_, 0);
    if (!cursor.ok()) return block_corrupt(at, "does not parse");
    if (!there) return {};
    stage_ = Stage::kEntries;
    const IndexBlockEntry entry = COPPICE_TRY(parse_block_entry(at, cursor.value()));
    wanted_ = file_->ref(BlockKind::kUnique, entry.extent);
    return {};
  }
  const UniqueBlock block = COPPICE_TRY(UniqueBlock::parse(at, payload));
  ByteBuffer scratch;
  for (std::size_t i = block.lower_bound(key_, scratch); i < block.size(); ++i) {
    if (compare_keys(block.key(i, scratch), key_) != 0) break;
    const PostingOp version = block.entry(i);
    if (!version.stamp.visible_at(read_)) continue;
    found_ = version;
    break;
  }
  return {};
}

// --- cursor
// ----------------------------------------------------------------------------------------

Result<bool> UniqueFileCursor::load_partition(std::size_t i) {
  if (i >= file_->partitions().size()) return false;
  partition_ = i;
  const BlockRef at = file_->ref(BlockKind::kPartition, file_->partitions()[i].index);
  partition_pin_ = COPPICE_TRY(blocks_->read(at));
  index_ = EntryCursor(payload_of(partition_pin_));
  return true;
}

Status UniqueFileCursor::load_block() {
  const BlockRef partition =
      file_->ref(BlockKind::kPartition, file_->partitions()[partition_].index);
  const IndexBlockEntry entry = COPPICE_TRY(parse_block_entry(partition, index_.value()));
  const BlockRef at = file_->ref(BlockKind::kUnique, entry.extent);
  block_pin_ = COPPICE_TRY(blocks_->read(at));
  block_ = COPPICE_TRY(UniqueBlock::parse(at, payload_of(block_pin_)));
  return {};
}

// All entries with the key of entry `i`, which is their first or their last.
void UniqueFileCursor::group_from(std::size_t i) {
  const ByteView key = block_.key(i, key_);
  begin_ = i;
  end_ = i + 1;
  while (end_ < block_.size() && compare_keys(block_.key(end_, scratch_), key) == 0) ++end_;
  while (begin_ > 0 && compare_keys(block_.key(begin_ - 1, scratch_), key) == 0) --begin_;
  versions_.clear();
  for (std::size_t at = begin_; at < end_; ++at) versions_.push_back(block_.entry(at));
}

Result<bool> UniqueFileCursor::next_block() {
  while (!index_.next()) {
    if (!index_.ok()) return fail(Code::kCorruption, "index partition does not parse");
    const bool more = COPPICE_TRY(load_partition(partition_ + 1));
    if (!more) return false;
    if (index_.first()) break;
  }
  COPPICE_TRY(load_block());
  return true;
}

Result<bool> UniqueFileCursor::previous_block() {
  while (!index_.previous()) {
    if (!index_.ok()) return fail(Code::kCorruption, "index partition does not parse");
    if (partition_ == 0) return false;
    COPPICE_TRY(load_partition(partition_ - 1));
    if (index_.last()) break;
  }
  COPPICE_TRY(load_block());
  return true;
}

Result<bool> UniqueFileCursor::first() {
  return seek({});
}

Result<bool> UniqueFileCursor::last() {
  if (file_->partitions().empty()) return false;
  COPPICE_TRY(load_partition(file_->partitions().size() - 1));
  if (!index_.last()) return false;
  COPPICE_TRY(load_block());
  group_from(block_.size() - 1);
  return true;
}

Result<bool> UniqueFileCursor::seek(ByteView key) {
  if (file_->partitions().empty()) return false;
  COPPICE_TRY(load_partition(file_->partition_of(key, 0)));
  if (!index_.seek(key, 0) && !index_.first()) return false;
  COPPICE_TRY(load_block());
  std::size_t at = block_.lower_bound(key, scratch_);
  if (at == block_.size()) {
    const bool more = COPPICE_TRY(next_block());
    if (!more) return false;
    at = 0;
  }
  group_from(at);
  return true;
}

Result<bool> UniqueFileCursor::next() {
  if (end_ == block_.size()) {
    const bool more = COPPICE_TRY(next_block());
    if (!more) return false;
    group_from(0);
    return true;
  }
  group_from(end_);
  return true;
}

Result<bool> UniqueFileCursor::previous() {
  if (begin_ == 0) {
    const bool more = COPPICE_TRY(previous_block());
    if (!more) return false;
    group_from(block_.size() - 1);
    return true;
  }
  group_from(begin_ - 1);
  return true;
}

// --- merge
// -----------------------------------------------------------------------------------------

namespace {

class RunInput final : public UniqueInput {
 public:
  RunInput(IndexRunRef run, ByteView low) : run_(std::move(run)), next_(run_->lower_bound(low)) {}
  Result<bool> next() override {
    at_ = next_;
    if (at_ == run_->keys()) return false;
    ++next_;
    return true;
  }
  ByteView key() const override { return run_->key(at_); }
  std::span<const PostingOp> versions() const override { return run_->ops(at_); }

 private:
  IndexRunRef run_;
  std::size_t at_ = 0;
  std::size_t next_;
};

class FileInput final : public UniqueInput {
 public:
  FileInput(const IndexFile& file, IndexBlocks& blocks, ByteBuffer low, Hlc cap)
      : cursor_(file, blocks), low_(std::move(low)), cap_(cap) {}
  Result<bool> next() override {
    bool there = false;
    do {
      auto moved = started_ ? cursor_.next() : cursor_.seek(low_);
      there = COPPICE_TRY(std::move(moved));
      started_ = true;
      versions_.clear();
      if (!there) break;
      for (const PostingOp& op : cursor_.versions()) {
        if (op.stamp.visible_at(cap_)) versions_.push_back(op);
      }
    } while (versions_.empty());
    return there;
  }
  ByteView key() const override { return cursor_.key(); }
  std::span<const PostingOp> versions() const override { return versions_; }

 private:
  UniqueFileCursor cursor_;
  ByteBuffer low_;
  Hlc cap_;
  bool started_ = false;
  std::vector<PostingOp> versions_;
};

}  // namespace

std::unique_ptr<UniqueInput> unique_run_input(IndexRunRef run, ByteView low) {
  return std::make_unique<RunInput>(std::move(run), low);
}
std::unique_ptr<UniqueInput> unique_file_input(const IndexFile& file, IndexBlocks& blocks,
                                               ByteBuffer low, Hlc cap) {
  return std::make_unique<FileInput>(file, blocks, std::move(low), cap);
}

void UniqueMerge::fold() {
  std::ranges::sort(versions_, std::greater<>(), &PostingOp::stamp);
  std::size_t kept = 0;
  for (const PostingOp op : versions_) {
    if (kept > 0 && versions_[kept - 1] == op) continue;
    const bool last = op.stamp.visible_at(options_.snap);
    const bool at_bottom = last && options_.bottom;
    if (!at_bottom) versions_[kept++] = op;
    if (at_bottom && op.stamp.is_add()) versions_[kept++] = {op.egid, Stamp::folded()};
    if (last) break;
  }
  versions_.resize(kept);
}

Result<bool> UniqueMerge::next() {
  if (more_.empty()) {
    for (auto& input : inputs_) {
      const bool there = COPPICE_TRY(input->next());
      more_.push_back(there ? 1 : 0);
    }
  }
  do {
    std::optional<std::size_t> least;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (more_[i] == 0) continue;
      if (!least || compare_keys(inputs_[i]->key(), inputs_[*least]->key()) < 0) least = i;
    }
    if (!least) return false;
    const ByteView key = inputs_[*least]->key();
    if (options_.high && compare_keys(key, *options_.high) >= 0) return false;
    key_.assign(key.begin(), key.end());
    versions_.clear();
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (more_[i] == 0 || compare_keys(inputs_[i]->key(), key_) != 0) continue;
      const auto versions = inputs_[i]->versions();
      versions_.insert(versions_.end(), versions.begin(), versions.end());
      more_[i] = COPPICE_TRY(inputs_[i]->next()) ? 1 : 0;
    }
    fold();
  } while (versions_.empty());
  return true;
}

}  // namespace coppice::lsm
