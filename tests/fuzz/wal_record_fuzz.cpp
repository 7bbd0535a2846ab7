// wal_record_fuzz.cpp — the log's decoders on hostile bytes: records, units, whole segments.
//
// The first byte chooses: bit 0 takes the input as the image of a segment, else of a bare record
// and unit; bit 1 puts the checksums right first, so that what lies behind them is reached.
#include <algorithm>
#include <array>

#include "kernel/base/assert.h"
#include "kernel/base/checksum.h"
#include "modules/raft/wal/chain.h"
#include "modules/raft/wal/payload.h"
#include "modules/raft/wal/scanner.h"

namespace coppice::raft {
namespace {

constexpr Generation kGeneration = 1;

class Counter final : public LogVisitor {
 public:
  Status on_record(const ScannedRecord& record) override {
    COPPICE_ASSERT(record.payload.size() == record.header.stored_bytes);
    COPPICE_ASSERT(record.end >= end_);
    end_ = record.end;
    bytes_ += record.payload.size();
    return {};
  }
  Status on_progress(LogOffset, LogIndex) override { return {}; }

  std::size_t bytes() const { return bytes_; }

 private:
  LogOffset end_ = 0;
  std::size_t bytes_ = 0;
};

void fix_segment_header(MutableByteView image) {
  store_le(image.data() + 16, std::uint32_t{1});
  store_le(image.data() + 8, std::uint64_t{0x4c41574350504f43});
  store_le(image.data() + 24, kGeneration);
  store_le(image.data() + 48, static_cast<std::uint64_t>(image.size()));
  store_le(image.data(), xxh3_64(ByteView(image).subspan(8, kBlockBytes - 8)));
}

// Every record at the front of a unit's stream gets its checksum, as long as lengths make sense.
void fix_records(MutableByteView stream) {
  while (stream.size() >= kRecordHeaderBytes) {
    const std::size_t stored = load_le<std::uint32_t>(stream.data() + 8);
    if (stored > stream.size() - kRecordHeaderBytes) return;
    const ByteView payload = ByteView(stream).subspan(kRecordHeaderBytes, stored);
    store_le(stream.data() + 16, kGeneration);
    store_le(stream.data(), xxh3_64(ByteView(stream).subspan(8, kRecordHeaderBytes - 8),
                                    xxh3_64(payload, kGeneration)));
    stream = stream.subspan(kRecordHeaderBytes + stored);
  }
}

void fix_units(MutableByteView image) {
  for (std::size_t at = kBlockBytes; at + kBlockBytes <= image.size();) {
    const MutableByteView rest = image.subspan(at);
    std::size_t bytes = load_le<std::uint32_t>(rest.data() + 48);
    if (bytes == 0 || bytes % kBlockBytes != 0 || bytes > rest.size()) bytes = kBlockBytes;
    store_le(rest.data() + 48, static_cast<std::uint32_t>(bytes));
    store_le(rest.data() + 8, std::uint16_t{0x5543});
    store_le(rest.data() + 10, std::uint8_t{1});
    store_le(rest.data() + 12, kGeneration);
    const std::size_t used = load_le<std::uint32_t>(rest.data() + 52);
    const std::size_t carry = load_le<std::uint32_t>(rest.data() + 56);
    if (used <= bytes - kUnitHeaderBytes && carry <= used)
      fix_records(rest.subspan(kUnitHeaderBytes + carry, used - carry));
    store_le(rest.data() + 64,
             xxh3_64(rest.subspan(kUnitHeaderBytes, bytes - kUnitHeaderBytes), kGeneration));
    store_le(rest.data(), xxh3_64(rest.subspan(8, kUnitHeaderBytes - 8), kGeneration));
    at += bytes;
  }
}

void scan_segment(MutableByteView image, bool fix) {
  if (fix) {
    fix_segment_header(image);
    fix_units(image);
  }
  static_cast<void>(holds_live_units(image, kGeneration));
  const auto header = decode_segment_header(image.first(kBlockBytes));
  if (!header) return;
  Counter counter;
  LogScanner scanner(counter);
  if (scanner.scan(*header, image, std::nullopt)) static_cast<void>(scanner.finish());
  COPPICE_ASSERT(counter.bytes() <= image.size());
}

void decode_bare(ByteView input) {
  if (input.size() >= kRecordHeaderBytes) {
    const auto header = decode_record_header(input.first(kRecordHeaderBytes));
    const std::size_t rest = input.size() - kRecordHeaderBytes;
    if (header && header->stored_bytes <= rest)
      static_cast<void>(check_record(input.first(kRecordHeaderBytes), header->generation,
                                     input.subspan(kRecordHeaderBytes, header->stored_bytes)));
  }
  static_cast<void>(decode_vote(input));
  static_cast<void>(decompress_payload({}, input, input.size()));
}

}  // namespace
}  // namespace coppice::raft

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace coppice;  // NOLINT: an entry point outside of any namespace
  if (size == 0) return 0;
  const std::uint8_t mode = data[0];
  const ByteView input = std::as_bytes(std::span(data + 1, size - 1));
  if ((mode & 1) == 0) {
    raft::decode_bare(input);
    return 0;
  }
  // Whole blocks: what is missing at the end is zero.
  ByteBuffer image(
      align_up(std::max<std::size_t>(input.size(), 2 * raft::kBlockBytes), raft::kBlockBytes));
  std::ranges::copy(input, image.begin());
  raft::scan_segment(image, (mode & 2) != 0);
  return 0;
}
