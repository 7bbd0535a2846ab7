// wide_chunk.h — chunks: some values of a wide column, or one long value, compressed together.
//
// Role:     docs/formats/sstable.md, "Chunks". Decompressed once, when it enters the cache.
// Errors:   kCorruption naming file and offset.
#pragma once

#include "modules/lsm/sstable/block_format.h"
#include "modules/lsm/sstable/wide_codec.h"

namespace coppice::lsm {

inline constexpr std::uint32_t kChunkMagic = 0x31435743;  // "CWC1"
inline constexpr std::uint32_t kChunkHeaderBytes = 24;
inline constexpr std::size_t kChunkRawBytes = 8_KiB;  // a chunk closes when it reaches this
inline constexpr std::size_t kChunkRawMax = 64_KiB;
inline constexpr std::size_t kOverflowRawMax = 256_KiB;

// Appends a whole chunk, unsealed: seal_block() when its place is known. `rows` is 0 unless kChunk.
void append_chunk(BlockKind kind, std::uint16_t rows, ByteView raw,
                  const WideDictionary* dictionary, WideEncoder& encoder, ByteBuffer& to);

// A decompressed chunk. Owns its bytes.
class WideChunk {
 public:
  static Result<WideChunk> open(const BlockRef& at, ByteView stored,
                                const WideDictionarySet& dictionaries, WideDecoder& decoder,
                                Verify verify = Verify::kChecksum);

  std::uint32_t rows() const { return rows_; }
  ByteView raw() const { return raw_; }
  ByteView value(std::uint32_t row) const {  // kChunk, row < rows()
    const std::size_t from = row == 0 ? 0 : end(row - 1);
    return ByteView(raw_).subspan(rows_ * std::size_t{2} + from, end(row) - from);
  }

 private:
  std::size_t end(std::uint32_t row) const {
    return load_le<std::uint16_t>(raw_.data() + row * std::size_t{2});
  }
  std::uint32_t rows_ = 0;
  ByteBuffer raw_;  // kChunk: u16 ends, then the values
};

// Collects the values of one chunk.
class WideChunkBuilder {
 public:
  // Whether `value` still goes into this chunk; an empty chunk takes any up to kInlineValueMax.
  bool takes(ByteView value) const {
    return ends_.empty() || ends_.size() * 2 + values_.size() + 2 + value.size() <= kChunkRawBytes;
  }
  void add(ByteView value);
  bool empty() const { return ends_.empty(); }
  std::uint32_t rows() const { return static_cast<std::uint32_t>(ends_.size()); }
  // Appends the chunk, unsealed, and starts the next one.
  void finish(const WideDictionary* dictionary, WideEncoder& encoder, ByteBuffer& to);

 private:
  std::vector<std::uint16_t> ends_;
  ByteBuffer values_;
};

}  // namespace coppice::lsm
