// index_block.h — blocks of an index file: the frame around each, and lists of prefix-compressed
// entries inside.
//
// Role:     the frame says how the payload is compressed; payloads are cached decompressed, ready
//           to be read in place. docs/formats/index.md.
// Owns:     an IndexBlock its payload; EntryCursor the current key.
// Errors:   kCorruption naming file and offset; a cursor fails for good (ok()).
// Threads:  blocks are const once opened. Parks: only what IndexBlocks does.
#pragma once

#include <memory>

#include "interfaces/block_cache.h"
#include "interfaces/codec.h"
#include "interfaces/types/egid.h"
#include "kernel/base/bytes.h"
#include "kernel/base/result.h"
#include "modules/lsm/sstable/block_format.h"

namespace coppice::lsm {

using CodecSet = std::span<const Codec* const>;

inline constexpr CodecWireId kStoredPlain = 0;
inline constexpr std::size_t kIndexFrameBytes = 16;
inline constexpr std::size_t kIndexBlockBytesMax = kCodecBytesMax;  // raw

// Where a block is within its file.
struct IndexExtent {
  std::uint64_t offset = 0;
  std::uint32_t length = 0;
  friend bool operator==(IndexExtent, IndexExtent) = default;
};

// Appends the framed block; it will lie at `offset` of `file`. Compresses with `codec` if there is
// one and an eighth is saved.
Status frame_block(BlockKind kind, ByteView payload, const Codec* codec, std::uint64_t file,
                   std::uint64_t offset, ByteBuffer& to);

class IndexBlock final : public CachedBlock {
 public:
  // Checks and decompresses what was read at `at`.
  static Result<std::unique_ptr<IndexBlock>> open(const BlockRef& at, ByteView stored,
                                                  CodecSet codecs, Verify verify);
  std::size_t charge() const override { return sizeof *this + payload_.capacity(); }
  ByteView payload() const { return payload_; }

 private:
  ByteBuffer payload_;
};
inline ByteView payload_of(const BlockPin& pin) {
  return static_cast<const IndexBlock&>(*pin).payload();
}

// Where readers get blocks from; the engine puts cache and vfs behind it.
class IndexBlocks {
 public:
  virtual ~IndexBlocks() = default;
  virtual BlockPin find(const BlockRef& at) = 0;          // empty when not at hand; never parks
  virtual Result<BlockPin> read(const BlockRef& at) = 0;  // may park
};

// A list of (key, egid) → value in order, keys prefix-compressed with a restart every
// kEntriesPerRestart.
inline constexpr std::size_t kEntriesPerRestart = 16;

class EntryWriter {
 public:
  void add(ByteView key, Egid egid, ByteView value);
  bool empty() const { return entries_ == 0; }
  std::size_t bytes() const { return bytes_.size() + restarts_.size() * 4 + 4; }
  ByteView finish();  // the payload; valid until the next add() or clear()
  void clear();

 private:
  ByteBuffer bytes_;
  ByteBuffer last_key_;
  std::vector<std::uint32_t> restarts_;
  std::size_t entries_ = 0;
};

// Walks a payload that outlives it, both ways.
class EntryCursor {
 public:
  EntryCursor() = default;
  explicit EntryCursor(ByteView payload);

  bool first();
  bool last();
  bool next();
  bool previous();
  // To the last entry at or before (key, egid); false, and nowhere, if there is none.
  bool seek(ByteView key, Egid egid);

  ByteView key() const { return key_; }
  Egid egid() const { return egid_; }
  ByteView value() const { return value_; }
  // False once the bytes turned out not to be an entry list.
  bool ok() const { return ok_; }

 private:
  bool read_at(std::size_t offset);
  std::uint32_t restart(std::size_t i) const;
  bool start_at_restart(std::size_t i);
  int compare_restart(std::size_t i, ByteView key, Egid egid);
  bool fail();

  ByteView entries_;
  ByteView restarts_;
  std::size_t restart_count_ = 0;
  std::size_t start_ = 0;  // of the current entry
  std::size_t end_ = 0;
  ByteBuffer key_;
  Egid egid_ = 0;
  ByteView value_;
  bool ok_ = true;
};

int compare_entries(ByteView a, Egid a_egid, ByteView b, Egid b_egid);

}  // namespace coppice::lsm
