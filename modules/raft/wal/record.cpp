#include "modules/raft/wal/record.h"

#include "kernel/base/assert.h"
#include "kernel/base/checksum.h"
#include "kernel/base/coding.h"

namespace coppice::raft {
namespace {

constexpr std::size_t kChecksumBytes = 8;
constexpr std::uint8_t kFlagCompressed = 1;

// The payload's hash is the seed of the header's, so that neither has to be copied next to the
// other.
std::uint64_t checksum(ByteView header, Generation generation, ByteView payload) {
  return xxh3_64(header.subspan(kChecksumBytes), xxh3_64(payload, generation));
}

bool known(std::uint8_t kind) {
  return kind >= static_cast<std::uint8_t>(RecordKind::kEntry) &&
         kind <= static_cast<std::uint8_t>(RecordKind::kControl) &&
         kind != static_cast<std::uint8_t>(RecordKind::kPart);
}

}  // namespace

RecordHeaderBytes encode_record_header(const RecordHeader& header, ByteView payload) {
  COPPICE_ASSERT(payload.size() == header.stored_bytes);
  COPPICE_ASSERT(header.generation != 0);
  RecordHeaderBytes bytes{};
  store_le(bytes.data() + 8, header.stored_bytes);
  store_le(bytes.data() + 12, header.raw_bytes);
  store_le(bytes.data() + 16, header.generation);
  store_le(bytes.data() + 20, static_cast<std::uint8_t>(header.kind));
  store_le(bytes.data() + 21, header.compressed ? kFlagCompressed : std::uint8_t{0});
  store_le(bytes.data() + 24, header.term.value);
  store_le(bytes.data() + 32, header.index.value);
  store_le(bytes.data() + 40, header.hlc.value);
  store_le(bytes.data(), checksum(bytes, header.generation, payload));
  return bytes;
}

Result<RecordHeader> decode_record_header(ByteView bytes) {
  COPPICE_ASSERT(bytes.size() == kRecordHeaderBytes);
  ByteReader reader(bytes.subspan(kChecksumBytes));
  RecordHeader header;
  header.stored_bytes = reader.u32();
  header.raw_bytes = reader.u32();
  header.generation = reader.u32();
  const std::uint8_t kind = reader.u8();
  const std::uint8_t flags = reader.u8();
  const std::uint16_t reserved = reader.u16();
  header.term.value = reader.u64();
  header.index.value = reader.u64();
  header.hlc.value = reader.u64();
  header.kind = static_cast<RecordKind>(kind);
  header.compressed = flags == kFlagCompressed;
  if (!known(kind)) return fail(Code::kCorruption, "unknown record kind");
  if (flags > kFlagCompressed || reserved != 0)
    return fail(Code::kCorruption, "unknown record flags");
  // Frames are made only when they are smaller, so the raw size bounds both.
  if (header.raw_bytes > kEntryBytesMax || header.stored_bytes > header.raw_bytes)
    return fail(Code::kCorruption, "record length out of range");
  if (!header.compressed && header.stored_bytes != header.raw_bytes)
    return fail(Code::kCorruption, "record lengths differ");
  return header;
}

Status check_record(ByteView header, Generation generation, ByteView payload) {
  COPPICE_ASSERT(header.size() == kRecordHeaderBytes);
  if (load_le<std::uint64_t>(header.data()) != checksum(header, generation, payload))
    return fail(Code::kCorruption, "record checksum mismatch");
  return {};
}

ByteBuffer encode_vote(std::uint64_t vote) {
  ByteBuffer payload;
  ByteWriter(payload).u64(vote);
  return payload;
}

Result<std::uint64_t> decode_vote(ByteView payload) {
  ByteReader reader(payload);
  const std::uint64_t vote = reader.u64();
  if (!reader.done()) return fail(Code::kCorruption, "hard state record of a wrong length");
  return vote;
}

}  // namespace coppice::raft
