// record_test.cpp — records of the log, bit by bit.
#include "modules/raft/wal/record.h"

#include <doctest/doctest.h>

#include "modules/raft/wal/unit.h"
#include "tests/modules/raft/log_image.h"

namespace coppice::raft {
namespace {

RecordHeader sample() {
  RecordHeader header = entry_header(7, 3, 5);
  header.generation = 9;
  return header;
}

TEST_CASE("a record header comes back as it was written") {
  const RecordHeaderBytes bytes = encode_record_header(sample(), as_bytes("hello"));
  const auto header = decode_record_header(bytes);
  REQUIRE(header);
  CHECK(header->kind == RecordKind::kEntry);
  CHECK(header->generation == 9);
  CHECK(header->stored_bytes == 5);
  CHECK(header->term.value == 3);
  CHECK(header->index.value == 7);
  CHECK(header->hlc.value == 70);
  CHECK(check_record(bytes, 9, as_bytes("hello")));
}

TEST_CASE("every flipped bit of a record is found, in header and payload") {
  ByteBuffer whole;
  append(whole, encode_record_header(sample(), as_bytes("hello")));
  append(whole, as_bytes("hello"));
  for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
    ByteBuffer bad = whole;
    bad[bit / 8] ^= std::byte{1} << (bit % 8);
    const ByteView view = bad;
    CAPTURE(bit);
    CHECK_FALSE(check_record(view.first(kRecordHeaderBytes), 9, view.subspan(kRecordHeaderBytes)));
  }
}

TEST_CASE("a record of another generation does not pass") {
  const RecordHeaderBytes bytes = encode_record_header(sample(), as_bytes("hello"));
  CHECK_FALSE(check_record(bytes, 10, as_bytes("hello")));
}

TEST_CASE("record headers out of range are refused before the checksum is known") {
  const auto with = [](std::size_t at, std::uint32_t value) {
    RecordHeaderBytes bytes = encode_record_header(sample(), as_bytes("hello"));
    store_le(bytes.data() + at, value);
    return decode_record_header(bytes).has_value();
  };
  CHECK(with(8, 5));
  CHECK_FALSE(with(8, 6));                    // stored more than raw
  CHECK_FALSE(with(8, 4));                    // differs, without the flag
  CHECK_FALSE(with(12, kEntryBytesMax + 1));  // too large
  CHECK_FALSE(with(20, 0));                   // no kind
  CHECK_FALSE(with(20, 4));                   // a part, which is never written
  CHECK_FALSE(with(20, 7));                   // unknown kind
  CHECK_FALSE(with(20, 0x0201));              // unknown flag
  CHECK_FALSE(with(20, 0x10001));             // reserved
}

TEST_CASE("every flipped bit of a unit is found, in header, stream and padding") {
  LogImage log(4);
  log.segment(1, 0);
  log.entry(1, 1, "payload");
  const std::uint64_t at = log.unit();
  const ByteView unit = ByteView(log.images[0]).subspan(at, kBlockBytes);
  const auto passes = [](ByteView bytes) {
    const auto header = decode_unit_header(bytes, 1, 77);
    return header && check_unit_body(*header, bytes);
  };
  REQUIRE(passes(unit));
  for (std::size_t bit = 0; bit < unit.size() * 8; ++bit) {
    ByteBuffer bad(unit.begin(), unit.end());
    bad[bit / 8] ^= std::byte{1} << (bit % 8);
    CAPTURE(bit);
    CHECK_FALSE(passes(bad));
  }
}

TEST_CASE("every flipped bit of a segment header is found") {
  LogImage log(4);
  log.segment(1, 0);
  const ByteView block = ByteView(log.images[0]).first(kBlockBytes);
  REQUIRE(decode_segment_header(block));
  for (std::size_t bit = 0; bit < block.size() * 8; ++bit) {
    ByteBuffer bad(block.begin(), block.end());
    bad[bit / 8] ^= std::byte{1} << (bit % 8);
    CAPTURE(bit);
    CHECK_FALSE(decode_segment_header(bad));
  }
}

TEST_CASE("segment names") {
  CHECK(segment_name(0x1a) == "log/segment-0000001a");
  CHECK(number_in_name(kSegmentPrefix, "log/segment-0000001a") == 0x1a);
  CHECK_FALSE(number_in_name(kSegmentPrefix, "log/segment-0000001A"));
  CHECK_FALSE(number_in_name(kSegmentPrefix, "log/segment-1a"));
  CHECK_FALSE(number_in_name(kSegmentPrefix, "log/segment-0000001g"));
  CHECK_FALSE(number_in_name(kSegmentPrefix, "log/spare-0000001a"));
}

TEST_CASE("a segment is an eighth of the retention, within bounds") {
  CHECK(segment_bytes_for(0) == 4_MiB);
  CHECK(segment_bytes_for(128_MiB) == 16_MiB);
  CHECK(segment_bytes_for(1_TiB) == 64_MiB);
  CHECK(segment_bytes_for(100'000'001) % kBlockBytes == 0);
}

}  // namespace
}  // namespace coppice::raft
