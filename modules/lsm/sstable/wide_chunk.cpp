#include "modules/lsm/sstable/wide_chunk.h"

#include "kernel/base/assert.h"

namespace coppice::lsm {
namespace {

constexpr std::size_t kMagicAt = 8;
constexpr std::size_t kKindAt = 12;
constexpr std::size_t kCompressionAt = 13;
constexpr std::size_t kRowsAt = 14;
constexpr std::size_t kDictionaryAt = 16;
constexpr std::size_t kRawBytesAt = 20;

std::size_t raw_max(BlockKind kind) {
  return kind == BlockKind::kChunk ? kChunkRawMax : kOverflowRawMax;
}

bool values_are_in_order(ByteView raw, std::uint32_t rows) {
  const std::size_t ends = rows * std::size_t{2};
  if (rows == 0 || raw.size() < ends) return false;
  std::uint16_t before = 0;
  for (std::uint32_t row = 0; row < rows; ++row) {
    const auto end = load_le<std::uint16_t>(raw.data() + row * std::size_t{2});
    if (end < before) return false;
    before = end;
  }
  return before == raw.size() - ends;
}

}  // namespace

void append_chunk(BlockKind kind, std::uint16_t rows, ByteView raw,
                  const WideDictionary* dictionary, WideEncoder& encoder, ByteBuffer& to) {
  COPPICE_ASSERT(raw.size() <= raw_max(kind));
  const std::size_t at = to.size();
  to.resize(at + kChunkHeaderBytes);
  const WideCompression compression = encoder.encode(raw, dictionary, to);
  std::byte* header = to.data() + at;
  store_le(header + kMagicAt, kChunkMagic);
  header[kKindAt] = static_cast<std::byte>(kind);
  header[kCompressionAt] = static_cast<std::byte>(compression);
  store_le(header + kRowsAt, rows);
  store_le(header + kDictionaryAt,
           compression == WideCompression::kZstdDictionary ? dictionary->id() : std::uint32_t{0});
  store_le(header + kRawBytesAt, static_cast<std::uint32_t>(raw.size()));
}

Result<WideChunk> WideChunk::open(const BlockRef& at, ByteView stored,
                                  const WideDictionarySet& dictionaries, WideDecoder& decoder,
                                  Verify verify) {
  if (stored.size() < kChunkHeaderBytes) return block_corrupt(at, "shorter than a header");
  if (verify == Verify::kChecksum) COPPICE_TRY(verify_block(at, stored));
  const std::byte* header = stored.data();
  if (load_le<std::uint32_t>(header + kMagicAt) != kChunkMagic)
    return block_corrupt(at, "not a chunk");
  if (static_cast<BlockKind>(header[kKindAt]) != at.kind)
    return block_corrupt(at, "of another kind");
  const auto compression = static_cast<WideCompression>(header[kCompressionAt]);
  const auto raw_bytes = load_le<std::uint32_t>(header + kRawBytesAt);
  if (raw_bytes > raw_max(at.kind)) return block_corrupt(at, "impossible size");
  const auto dictionary_id = load_le<std::uint32_t>(header + kDictionaryAt);
  const WideDictionary* dictionary = dictionaries.find(dictionary_id);
  if (compression == WideCompression::kZstdDictionary && dictionary == nullptr)
    return block_corrupt(at, "unknown dictionary " + std::to_string(dictionary_id));
  WideChunk chunk;
  chunk.rows_ = load_le<std::uint16_t>(header + kRowsAt);
  chunk.raw_.resize(raw_bytes);
  if (!decoder.decode(compression, stored.subspan(kChunkHeaderBytes), dictionary, chunk.raw_))
    return block_corrupt(at, "cannot be decompressed");
  if (at.kind == BlockKind::kChunk && !values_are_in_order(chunk.raw_, chunk.rows_))
    return block_corrupt(at, "values out of bounds");
  return chunk;
}

void WideChunkBuilder::add(ByteView value) {
  COPPICE_ASSERT(takes(value));
  append(values_, value);
  ends_.push_back(static_cast<std::uint16_t>(values_.size()));
}

void WideChunkBuilder::finish(const WideDictionary* dictionary, WideEncoder& encoder,
                              ByteBuffer& to) {
  COPPICE_ASSERT(!empty());
  ByteBuffer raw(ends_.size() * 2);
  std::memcpy(raw.data(), ends_.data(), raw.size());
  append(raw, values_);
  append_chunk(BlockKind::kChunk, static_cast<std::uint16_t>(ends_.size()), raw, dictionary,
               encoder, to);
  ends_.clear();
  values_.clear();
}

}  // namespace coppice::lsm
