#include "modules/raft/wal/unit.h"

#include "kernel/base/assert.h"
#include "kernel/base/checksum.h"
#include "kernel/base/coding.h"

namespace coppice::raft {
namespace {

constexpr std::uint16_t kUnitMagic = 0x5543;  // "CU"
constexpr std::uint8_t kUnitVersion = 1;
constexpr std::uint8_t kFlagRestated = 1;
constexpr std::size_t kBodyChecksumAt = 64;

}  // namespace

void seal_unit(const UnitHeader& header, MutableByteView unit) {
  COPPICE_ASSERT(unit.size() == header.bytes && header.bytes % kBlockBytes == 0);
  COPPICE_ASSERT(header.used <= header.bytes - kUnitHeaderBytes && header.carry <= header.used);
  std::byte* to = unit.data();
  store_le(to + 8, kUnitMagic);
  store_le(to + 10, kUnitVersion);
  store_le(to + 11, header.restated ? kFlagRestated : std::uint8_t{0});
  store_le(to + 12, header.generation);
  store_le(to + 16, header.log_id);
  store_le(to + 24, header.offset);
  store_le(to + 32, header.durable_through);
  store_le(to + 40, header.commit.value);
  store_le(to + 48, header.bytes);
  store_le(to + 52, header.used);
  store_le(to + 56, header.carry);
  store_le(to + 60, header.oldest);
  store_le(to + kBodyChecksumAt, xxh3_64(unit.subspan(kUnitHeaderBytes), header.generation));
  store_le(to, xxh3_64(unit.subspan(8, kUnitHeaderBytes - 8), header.generation));
}

Result<UnitHeader> decode_unit_header(ByteView bytes, Generation generation, std::uint64_t log_id) {
  COPPICE_ASSERT(bytes.size() >= kBlockBytes);
  if (load_le<std::uint64_t>(bytes.data()) !=
      xxh3_64(bytes.subspan(8, kUnitHeaderBytes - 8), generation))
    return fail(Code::kCorruption, "unit header checksum mismatch");
  ByteReader reader(bytes.subspan(8, kUnitHeaderBytes - 8));
  const bool magic = reader.u16() == kUnitMagic;
  const bool version = reader.u8() == kUnitVersion;
  const std::uint8_t flags = reader.u8();
  UnitHeader header;
  header.restated = flags == kFlagRestated;
  header.generation = reader.u32();
  header.log_id = reader.u64();
  header.offset = reader.u64();
  header.durable_through = reader.u64();
  header.commit.value = reader.u64();
  header.bytes = reader.u32();
  header.used = reader.u32();
  header.carry = reader.u32();
  header.oldest = reader.u32();
  if (!magic || !version || flags > kFlagRestated)
    return fail(Code::kCorruption, "not a unit of this format");
  if (header.generation != generation || (log_id != 0 && header.log_id != log_id))
    return fail(Code::kCorruption, "unit of another segment");
  if (header.bytes == 0 || header.bytes % kBlockBytes != 0 || header.bytes > kUnitBytesMax ||
      header.used > header.bytes - kUnitHeaderBytes || header.carry > header.used)
    return fail(Code::kCorruption, "unit lengths out of range");
  if (header.durable_through > header.offset)
    return fail(Code::kCorruption, "unit durable before it was written");
  return header;
}

Status check_unit_body(const UnitHeader& header, ByteView unit) {
  COPPICE_ASSERT(unit.size() == header.bytes);
  if (load_le<std::uint64_t>(unit.data() + kBodyChecksumAt) !=
      xxh3_64(unit.subspan(kUnitHeaderBytes), header.generation))
    return fail(Code::kCorruption, "unit body checksum mismatch");
  return {};
}

}  // namespace coppice::raft
