// index_block.cpp — frames, entry lists.
#include "modules/lsm/sstable/index_block.h"

#include <algorithm>

#include "interfaces/types/key.h"
#include "kernel/base/assert.h"
#include "kernel/base/coding.h"

namespace coppice::lsm {
namespace {

// checksum u64, raw size u32, codec u8, kind u8, zero u16, then the payload.
constexpr std::size_t kRawSizeAt = 8;
constexpr std::size_t kCodecAt = 12;
constexpr std::size_t kKindAt = 13;
constexpr std::size_t kZeroAt = 14;

}  // namespace

Status frame_block(BlockKind kind, ByteView payload, const Codec* codec, std::uint64_t file,
                   std::uint64_t offset, ByteBuffer& to) {
  if (payload.size() > kIndexBlockBytesMax) {
    return fail(Code::kLimitExceeded, "an index block would be too large");
  }
  const std::size_t start = to.size();
  to.resize(start + kIndexFrameBytes);
  CodecWireId wire_id = kStoredPlain;
  if (codec != nullptr) {
    to.resize(start + kIndexFrameBytes + codec->max_compressed_size(payload.size()));
    const std::size_t packed = COPPICE_TRY(
        codec->compress(payload, MutableByteView(to).subspan(start + kIndexFrameBytes)));
    if (packed <= payload.size() - payload.size() / 8) wire_id = codec->wire_id();
    to.resize(start + kIndexFrameBytes + (wire_id == kStoredPlain ? 0 : packed));
  }
  if (wire_id == kStoredPlain) append(to, payload);
  store_le(to.data() + start + kRawSizeAt, static_cast<std::uint32_t>(payload.size()));
  to[start + kCodecAt] = std::byte{wire_id};
  to[start + kKindAt] = static_cast<std::byte>(kind);
  seal_block(MutableByteView(to).subspan(start), file, offset);
  return {};
}

Result<std::unique_ptr<IndexBlock>> IndexBlock::open(const BlockRef& at, ByteView stored,
                                                     CodecSet codecs, Verify verify) {
  if (verify == Verify::kChecksum) COPPICE_TRY(verify_block(at, stored));
  if (stored.size() < kIndexFrameBytes) return block_corrupt(at, "too short");
  const auto raw_size = load_le<std::uint32_t>(stored.data() + kRawSizeAt);
  const auto wire_id = static_cast<CodecWireId>(stored[kCodecAt]);
  if (static_cast<BlockKind>(stored[kKindAt]) != at.kind) return block_corrupt(at, "other kind");
  if (load_le<std::uint16_t>(stored.data() + kZeroAt) != 0 || raw_size > kIndexBlockBytesMax) {
    return block_corrupt(at, "bad frame");
  }
  const ByteView packed = stored.subspan(kIndexFrameBytes);
  auto block = std::make_unique<IndexBlock>();
  if (wire_id == kStoredPlain) {
    if (packed.size() != raw_size) return block_corrupt(at, "size differs from its frame's");
    block->payload_.assign(packed.begin(), packed.end());
    return block;
  }
  const auto codec = std::ranges::find_if(
      codecs, [&](const Codec* candidate) { return candidate->wire_id() == wire_id; });
  if (codec == codecs.end()) {
    return block_corrupt(at, "codec " + std::to_string(wire_id) + " is not in this binary");
  }
  block->payload_.resize(raw_size);
  if (!(*codec)->decompress(packed, block->payload_)) return block_corrupt(at, "does not unpack");
  return block;
}

// --- entry lists
// -----------------------------------------------------------------------------------

int compare_entries(ByteView a, Egid a_egid, ByteView b, Egid b_egid) {
  const int order = compare_keys(a, b);
  if (order != 0) return order;
  return a_egid == b_egid ? 0 : (a_egid < b_egid ? -1 : 1);
}

void EntryWriter::add(ByteView key, Egid egid, ByteView value) {
  ByteWriter out(bytes_);
  std::size_t shared = 0;
  if (entries_ % kEntriesPerRestart == 0) {
    restarts_.push_back(static_cast<std::uint32_t>(bytes_.size()));
  } else {
    const std::size_t common = std::min(key.size(), last_key_.size());
    while (shared < common && key[shared] == last_key_[shared]) ++shared;
  }
  ++entries_;
  out.varint(shared);
  out.sized_bytes(key.subspan(shared));
  out.varint(egid);
  out.sized_bytes(value);
  last_key_.assign(key.begin(), key.end());
}

ByteView EntryWriter::finish() {
  ByteWriter out(bytes_);
  for (const std::uint32_t offset : restarts_) out.u32(offset);
  out.u32(static_cast<std::uint32_t>(restarts_.size()));
  return bytes_;
}

void EntryWriter::clear() {
  bytes_.clear();
  last_key_.clear();
  restarts_.clear();
  entries_ = 0;
}

EntryCursor::EntryCursor(ByteView payload) {
  if (payload.size() < 4) {
    fail();
    return;
  }
  const std::size_t body = payload.size() - 4;
  const auto count = load_le<std::uint32_t>(payload.data() + body);
  if (count > body / 4) {
    fail();
    return;
  }
  restart_count_ = count;
  entries_ = payload.first(body - 4 * restart_count_);
  restarts_ = payload.subspan(entries_.size(), 4 * restart_count_);
}

bool EntryCursor::fail() {
  ok_ = false;
  return false;
}

std::uint32_t EntryCursor::restart(std::size_t i) const {
  return load_le<std::uint32_t>(restarts_.data() + 4 * i);
}

bool EntryCursor::read_at(std::size_t offset) {
  if (!ok_ || offset >= entries_.size()) return false;
  ByteReader in(entries_.subspan(offset));
  const std::uint64_t shared = in.varint();
  const ByteView suffix = in.sized_bytes();
  const Egid egid = in.varint();
  const ByteView value = in.sized_bytes();
  if (!in.ok() || shared > key_.size() || shared + suffix.size() > kIndexKeyBytesMax) return fail();
  key_.resize(shared);
  append(key_, suffix);
  egid_ = egid;
  value_ = value;
  start_ = offset;
  end_ = offset + in.position();
  return true;
}

bool EntryCursor::start_at_restart(std::size_t i) {
  key_.clear();
  return read_at(restart(i));
}

bool EntryCursor::first() {
  return restart_count_ > 0 && start_at_restart(0);
}

bool EntryCursor::next() {
  return read_at(end_);
}

bool EntryCursor::last() {
  if (restart_count_ == 0 || !start_at_restart(restart_count_ - 1)) return false;
  while (end_ < entries_.size()) {
    if (!next()) return false;
  }
  return true;
}

bool EntryCursor::previous() {
  const std::size_t target = start_;
  std::size_t low = 0, high = restart_count_;  // the last restart before `target`
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    restart(middle) < target ? low = middle + 1 : high = middle;
  }
  if (low == 0 || !start_at_restart(low - 1)) return false;
  while (end_ < target) {
    if (!next()) return false;
  }
  return true;
}

// At a restart the whole key is there: compared in place. Bad bytes compare as greater.
int EntryCursor::compare_restart(std::size_t i, ByteView key, Egid egid) {
  const std::size_t offset = restart(i);
  if (offset >= entries_.size()) return fail() ? 0 : 1;
  ByteReader in(entries_.subspan(offset));
  const std::uint64_t shared = in.varint();
  const ByteView there = in.sized_bytes();
  const Egid there_egid = in.varint();
  if (!in.ok() || shared != 0) return fail() ? 0 : 1;
  return compare_entries(there, there_egid, key, egid);
}

bool EntryCursor::seek(ByteView key, Egid egid) {
  std::size_t low = 0, high = restart_count_;  // the last restart at or before the target
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    compare_restart(middle, key, egid) <= 0 ? low = middle + 1 : high = middle;
  }
  if (!ok_ || low == 0 || !start_at_restart(low - 1)) return false;
  // Within the group: stop before the first entry that is beyond.
  const std::size_t group_end = low < restart_count_ ? restart(low) : entries_.size();
  while (end_ < group_end) {
    const std::size_t here = start_;
    if (!next()) return false;
    if (compare_entries(key_, egid_, key, egid) <= 0) continue;
    // One too far: read the group again up to there, since keys build on each other.
    if (!start_at_restart(low - 1)) return false;
    while (start_ < here) {
      if (!next()) return false;
    }
    return true;
  }
  return true;
}

}  // namespace coppice::lsm
