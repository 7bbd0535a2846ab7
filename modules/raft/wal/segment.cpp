#include "modules/raft/wal/segment.h"

#include <algorithm>
#include <charconv>

#include "kernel/base/assert.h"
#include "kernel/base/checksum.h"
#include "kernel/base/coding.h"

namespace coppice::raft {
namespace {

constexpr std::uint64_t kSegmentMagic = 0x4c41574350504f43;  // "COPPCWAL", read forwards
constexpr std::uint32_t kSegmentVersion = 1;
constexpr std::uint32_t kFlagAfterRecovery = 1;
constexpr std::size_t kDigits = 8;

std::uint64_t checksum(ByteView block) {
  return xxh3_64(block.subspan(8));
}

std::string numbered(std::string_view prefix, std::uint32_t number) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string name(prefix);
  for (std::size_t digit = kDigits; digit-- > 0;) name += kHex[(number >> (4 * digit)) & 15];
  return name;
}

}  // namespace

Block encode_segment_header(const SegmentHeader& header) {
  COPPICE_ASSERT(header.generation != 0 && header.log_id != 0);
  COPPICE_ASSERT(header.previous < header.generation);
  Block block{};
  std::byte* to = block.data();
  store_le(to + 8, kSegmentMagic);
  store_le(to + 16, kSegmentVersion);
  store_le(to + 20, header.after_recovery ? kFlagAfterRecovery : std::uint32_t{0});
  store_le(to + 24, header.generation);
  store_le(to + 28, header.previous);
  store_le(to + 32, header.oldest);
  store_le(to + 40, header.log_id);
  store_le(to + 48, header.segment_bytes);
  store_le(to + 56, header.base);
  store_le(to + 64, header.durable_through);
  store_le(to + 72, header.stream.next_index.value);
  store_le(to + 80, header.stream.last_term.value);
  store_le(to + 88, header.stream.last_hlc.value);
  store_le(to + 96, header.commit.value);
  store_le(to + 104, header.stream.term.value);
  store_le(to + 112, header.stream.vote);
  store_le(to, checksum(block));
  return block;
}

Result<SegmentHeader> decode_segment_header(ByteView block) {
  COPPICE_ASSERT(block.size() == kBlockBytes);
  ByteReader reader(block);
  if (reader.u64() != checksum(block))
    return fail(Code::kCorruption, "segment header checksum mismatch");
  if (reader.u64() != kSegmentMagic) return fail(Code::kCorruption, "not a segment of a log");
  if (reader.u32() != kSegmentVersion)
    return fail(Code::kUnsupportedVersion, "segment of another version");
  SegmentHeader header;
  const std::uint32_t flags = reader.u32();
  header.after_recovery = flags == kFlagAfterRecovery;
  header.generation = reader.u32();
  header.previous = reader.u32();
  header.oldest = reader.u32();
  reader.u32();
  header.log_id = reader.u64();
  header.segment_bytes = reader.u64();
  header.base = reader.u64();
  header.durable_through = reader.u64();
  header.stream.next_index.value = reader.u64();
  header.stream.last_term.value = reader.u64();
  header.stream.last_hlc.value = reader.u64();
  header.commit.value = reader.u64();
  header.stream.term.value = reader.u64();
  header.stream.vote = reader.u64();
  if (flags > kFlagAfterRecovery || header.generation == 0 || header.log_id == 0 ||
      header.previous >= header.generation || header.oldest > header.generation ||
      header.base % kBlockBytes != 0 || header.segment_bytes % kBlockBytes != 0 ||
      header.segment_bytes < 2 * kBlockBytes || header.stream.next_index.value == 0)
    return fail(Code::kCorruption, "segment header out of range");
  return header;
}

std::string segment_name(Generation generation) {
  return numbered(kSegmentPrefix, generation);
}

std::string spare_name(std::uint32_t number) {
  return numbered(kSparePrefix, number);
}

std::optional<std::uint32_t> number_in_name(std::string_view prefix, std::string_view name) {
  if (!name.starts_with(prefix) || name.size() != prefix.size() + kDigits) return std::nullopt;
  const std::string_view digits = name.substr(prefix.size());
  std::uint32_t number = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), number, 16);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  if (numbered(prefix, number) != name) return std::nullopt;  // written another way
  return number;
}

std::uint64_t segment_bytes_for(std::uint64_t retention_bytes) {
  return std::clamp(align_up(retention_bytes / 8, kBlockBytes), kSegmentBytesMin, kSegmentBytesMax);
}

}  // namespace coppice::raft
