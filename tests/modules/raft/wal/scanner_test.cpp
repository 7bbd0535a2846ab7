// scanner_test.cpp — where the log ends, and what is damage, block by block.
#include "modules/raft/wal/scanner.h"

#include <doctest/doctest.h>

#include "kernel/base/random.h"
#include "tests/modules/raft/log_image.h"

namespace coppice::raft {
namespace {

using Texts = std::vector<std::string>;

// Two units acknowledged one by one, sealed.
LogImage small_sealed_log() {
  LogImage log(6);
  log.segment(1, 0);
  log.entry(1, 1, "one");
  log.unit();
  log.durable = log.end;
  log.entry(2, 1, std::string(kBlockBytes + 100, 'x'));
  log.unit(2);
  log.seal();
  return log;
}

TEST_CASE("an empty log is empty") {
  LogImage log(4);
  log.segment(1, 0);
  const Scan scan = recover(log.headers, log.images);
  REQUIRE(scan.end);
  CHECK(scan.entries.empty());
  CHECK(scan.end->end == 0);
}

TEST_CASE("records come back in order") {
  LogImage log = small_sealed_log();
  const Scan scan = recover(log.headers, log.images);
  REQUIRE(scan.end);
  REQUIRE(scan.entries.size() == 2);
  CHECK(scan.entries[0] == "1:one");
  CHECK(scan.end->end == log.end);
}

TEST_CASE("every flipped bit of what was acknowledged is found and named") {
  LogImage log = small_sealed_log();
  const std::uint64_t acknowledged_end = log.headers[0].file_offset(log.durable);
  REQUIRE(acknowledged_end == 4 * kBlockBytes);
  for (std::uint64_t bit = 0; bit < acknowledged_end * 8; ++bit) {
    auto& byte = log.images[0][bit / 8];
    byte ^= std::byte{1} << (bit % 8);
    const Scan scan = recover(log.headers, log.images);
    byte ^= std::byte{1} << (bit % 8);
    CAPTURE(bit);
    REQUIRE_FALSE(scan.end);
    REQUIRE(scan.end.error().code() == Code::kCorruption);
    const std::uint64_t block = bit / 8 / kBlockBytes;  // block 3 belongs to the unit at 2
    const std::string named = "log/segment-00000001 offset " +
                              std::to_string(std::min<std::uint64_t>(block, 2) * kBlockBytes);
    REQUIRE(scan.end.error().message().starts_with(named + ":"));
  }
}

TEST_CASE("every torn tail is only a tail") {
  // Two units in flight, each of three blocks; every subset of their blocks may be on the disk.
  LogImage log(10);
  log.segment(1, 0);
  log.entry(1, 1, "acknowledged");
  log.unit();
  log.durable = log.end;
  const std::uint64_t from = log.headers[0].file_offset(log.end);
  for (std::uint64_t index : {2u, 3u}) {
    log.entry(index, 1, std::string(2 * kBlockBytes + 500, static_cast<char>('a' + index)));
    log.unit(3);
  }
  const ByteBuffer whole = log.images[0];
  for (unsigned there = 0; there < 64; ++there) {
    ByteBuffer image = whole;
    for (unsigned block = 0; block < 6; ++block)
      if ((there >> block & 1) == 0)
        std::fill_n(image.begin() + static_cast<long>(from + block * kBlockBytes), kBlockBytes,
                    std::byte{0});
    const Scan scan = recover(log.headers, {image});
    CAPTURE(there);
    REQUIRE(scan.end);
    const std::size_t expected = (there & 7) != 7 ? 1 : there == 63 ? 3 : 2;
    CHECK(scan.entries.size() == expected);
  }
}

TEST_CASE("a torn unit is damage once a later unit knows that it was durable") {
  LogImage log(8);
  log.segment(1, 0);
  log.entry(1, 1, "one");
  const std::uint64_t at = log.unit();
  log.durable = log.end;
  log.entry(2, 1, "two");
  const std::uint64_t later = log.unit();
  log.images[0][at + 100] ^= std::byte{1};
  const Scan damaged = recover(log.headers, log.images);
  REQUIRE_FALSE(damaged.end);
  CHECK(damaged.end.error().message() ==
        "log/segment-00000001 offset 4096: unit body checksum mismatch");
  log.images[0][later + 20] ^= std::byte{1};  // the only witness is gone: now it is a tail
  const Scan tail = recover(log.headers, log.images);
  REQUIRE(tail.end);
  CHECK(tail.entries.empty());
}

TEST_CASE("records span units and segments") {
  LogImage log(3);
  log.segment(1, 0);
  const std::string large(5 * kBlockBytes, 'L');
  log.entry(1, 1, "small");
  log.entry(2, 1, large);
  log.entry(3, 1, "after");
  log.unit(2);
  for (Generation generation = 2; !log.queue.empty(); ++generation) {
    log.durable = log.end;
    log.segment(generation, log.end);
    log.unit(1);
    log.unit(1);
  }
  REQUIRE(log.headers.size() >= 3);
  const Scan scan = recover(log.headers, log.images);
  REQUIRE(scan.end);
  CHECK(scan.entries == Texts{"1:small", "2:" + large, "3:after"});

  SUBCASE("a chain that begins inside a record skips the rest of it") {
    const std::vector headers(log.headers.begin() + 1, log.headers.end());
    const std::vector images(log.images.begin() + 1, log.images.end());
    const Scan rest(headers, images);
    REQUIRE(rest.end);
    CHECK(rest.entries == Texts{"3:after"});
  }
  SUBCASE("a missing segment is named") {
    log.headers.erase(log.headers.begin() + 1);
    log.images.erase(log.images.begin() + 1);
    const Scan gap = recover(log.headers, log.images);
    REQUIRE_FALSE(gap.end);
    CHECK(gap.end.error().message() == "log/segment-00000002: segment is missing");
  }
}

TEST_CASE("headers of records are found wherever a unit ends") {
  // 1 to 60 bytes of the second record fit into the first unit.
  for (std::size_t fits = 0; fits <= 60; ++fits) {
    LogImage log(4);
    log.segment(1, 0);
    log.entry(1, 1, std::string(kBlockBytes - kUnitHeaderBytes - kRecordHeaderBytes - fits, 'a'));
    log.entry(2, 1, "0123456789");
    log.unit();
    log.durable = log.end;
    if (!log.queue.empty()) log.unit();
    const Scan scan = recover(log.headers, log.images);
    CAPTURE(fits);
    REQUIRE(scan.end);
    REQUIRE(scan.entries.size() == 2);
    CHECK(scan.entries[1] == "2:0123456789");
  }
}

TEST_CASE("bytes of a recycled segment never pass") {
  LogImage old(6);
  old.segment(1, 0);
  for (std::uint64_t index = 1; index <= 4; ++index) {
    old.entry(index, 1, "old");
    old.unit();
    old.durable = old.end;
  }
  // Begun anew under generation 2, at the same log offsets even.
  LogImage log(6);
  log.segment(2, 0);
  log.entry(1, 1, "new");
  log.unit();
  ByteBuffer image = old.images[0];
  std::copy_n(log.images[0].begin(), 2 * kBlockBytes, image.begin());
  const Scan scan = recover(log.headers, {image});
  REQUIRE(scan.end);
  CHECK(scan.entries == Texts{"1:new"});
}

TEST_CASE("after a recovery the discarded tail stays discarded") {
  LogImage log(6);
  log.segment(1, 0);
  log.entry(1, 1, "kept");
  log.unit();
  log.durable = log.end;
  log.entry(2, 1, "torn");
  const std::uint64_t torn = log.unit();
  log.entry(3, 1, "whole, but behind the torn one");
  log.unit();
  log.images[0][torn + 80] ^= std::byte{1};
  REQUIRE(recover(log.headers, log.images).entries == Texts{"1:kept"});

  log.segment(2, log.durable, true);
  log.entry(2, 2, "again");
  log.unit();
  log.durable = log.end;
  log.seal();
  const Scan scan = recover(log.headers, log.images);
  REQUIRE(scan.end);
  CHECK(scan.entries == Texts{"1:kept", "2:again"});
}

TEST_CASE("a record cut short by a recovery is dropped") {
  LogImage log(6);
  log.segment(1, 0);
  log.entry(1, 1, "kept");
  log.entry(2, 1, std::string(2 * kBlockBytes, 'x'));
  log.unit();
  log.durable = log.end;
  log.queue = {};
  log.segment(2, log.durable, true);
  log.entry(2, 2, "instead");
  log.unit();
  const Scan scan = recover(log.headers, log.images);
  REQUIRE(scan.end);
  CHECK(scan.entries == Texts{"1:kept", "2:instead"});
}

TEST_CASE("a segment whose header was never written does not count, restated units or not") {
  LogImage log(6);
  log.segment(1, 0);
  log.entry(1, 1, "kept");
  log.unit();
  log.durable = log.end;
  log.segment(2, log.durable, true);
  log.restated = true;
  log.entry(1, 1, "restated");
  log.unit();
  std::fill_n(log.images[1].begin(), kBlockBytes, std::byte{0});
  const Scan begun = recover(log.headers, log.images);
  REQUIRE(begun.end);
  CHECK(begun.entries == Texts{"1:kept"});
  SUBCASE("but a live unit proves that the header was there") {
    log.restated = false;
    log.entry(2, 1, "live");
    log.unit();
    const Scan damaged = recover(log.headers, log.images);
    REQUIRE_FALSE(damaged.end);
    CHECK(damaged.end.error().message() ==
          "log/segment-00000002 offset 0: segment header is damaged");
  }
}

TEST_CASE("random bytes, truncations and splices never crash the scanner") {
  Rng rng(1);
  const LogImage log = small_sealed_log();
  for (int round = 0; round < 3000; ++round) {
    std::vector<ByteBuffer> images = log.images;
    for (std::uint64_t n = rng.below(4) + 1; n-- > 0;) {
      const std::uint64_t from = rng.below(images[0].size());
      const std::uint64_t count = std::min(rng.below(300), images[0].size() - from);
      for (std::uint64_t i = 0; i < count; ++i)
        images[0][from + i] = static_cast<std::byte>(rng.next());
    }
    const Scan scan = recover(log.headers, images);
    if (scan.end) CHECK(scan.entries.size() <= 2);
  }
}

}  // namespace
}  // namespace coppice::raft
