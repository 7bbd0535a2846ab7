// row_block_test.cpp — blocks give back what was written, whatever the encoding; damage is found.
#include "modules/lsm/sstable/row_block.h"

#include <doctest/doctest.h>

#include <set>

#include "tests/modules/lsm/row_samples.h"

using namespace coppice;
using namespace coppice::lsm;

namespace {

constexpr std::uint64_t kFile = 12;
constexpr std::uint64_t kOffset = 4096;

BlockRef ref_of(const ByteBuffer& bytes) {
  return {kFile, kOffset, static_cast<std::uint32_t>(bytes.size()), BlockKind::kGroup};
}

ByteBuffer write_block(std::span<const VectorBuffer> columns) {
  RowBlockWriter writer({BlockKind::kGroup, 3, 9, 77}, columns[0].size(),
                        static_cast<std::uint32_t>(columns.size()));
  for (std::uint16_t i = 0; i < columns.size(); ++i) writer.add({i}, columns[i]);
  ByteBuffer bytes = writer.finish();
  seal_block(bytes, kFile, kOffset);
  return bytes;
}

void check_zone(const Minipage& minipage, const Datum& value) {
  if (!value.null) REQUIRE(minipage.header.zone.may_hold(zone_of(value)));
}

}  // namespace

TEST_CASE("random blocks round trip, in every encoding") {
  std::set<std::uint8_t> seen;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    Rng rng(seed);
    const auto rows =
        static_cast<std::uint32_t>(rng.chance(0.3) ? kVectorRows : 1 + rng.below(kVectorRows));
    std::vector<VectorBuffer> columns;
    std::deque<ColumnSample> samples;
    for (const PhysicalType type : kAllTypes) {
      columns.emplace_back(type);
      samples.emplace_back(rng, type);
      for (std::uint32_t row = 0; row < rows; ++row) columns.back().append(samples.back().next());
    }
    const ByteBuffer bytes = write_block(columns);
    auto block = RowBlock::open(ref_of(bytes), bytes);
    REQUIRE(block);
    const RowBlock moved = std::move(*block);
    CHECK(moved.rows() == rows);
    CHECK(moved.info().group == 3);
    CHECK(moved.info().schema_version == 9);
    CHECK(moved.info().first_egid == 77);
    for (std::uint16_t i = 0; i < columns.size(); ++i) {
      const Minipage* minipage = moved.find({i});
      REQUIRE(minipage != nullptr);
      seen.insert(minipage->header.encoding);
      const Vector expected = columns[i].view();
      REQUIRE(minipage->header.null_count == columns[i].null_count());
      for (std::uint32_t row = 0; row < rows; ++row) {
        CAPTURE(row);
        REQUIRE(minipage->values.datum_at(row) == expected.datum_at(row));
        check_zone(*minipage, expected.datum_at(row));
      }
    }
    CHECK(moved.find({99}) == nullptr);
  }
  CHECK(seen == std::set<std::uint8_t>{0, 1, 2, 3, 4, 5});
}

TEST_CASE("an orders block of 1,024 rows takes what its bits take") {
  Rng rng(5);
  std::vector<VectorBuffer> columns;
  for (int i = 0; i < 5; ++i) columns.emplace_back(PhysicalType::kInt32);
  for (int row = 0; row < 1024; ++row) {
    columns[0].append(Datum::integer(PhysicalType::kInt32, 1'000'000 + row));  // id: a sequence
    const std::uint64_t bits[] = {23, 18, 10, 17};
    for (int i = 0; i < 4; ++i)
      columns[static_cast<std::size_t>(i) + 1].append(
          Datum::integer(PhysicalType::kInt32, static_cast<Int128>(rng.below(1ULL << bits[i]))));
  }
  CHECK(write_block(columns).size() < 9000);  // 8,704 of them packed values
}

TEST_CASE("every flipped bit and every truncation of a block is found and named") {
  Rng rng(8);
  std::vector<VectorBuffer> columns;
  std::deque<ColumnSample> samples;
  for (const PhysicalType type : {PhysicalType::kInt32, PhysicalType::kBytes}) {
    columns.emplace_back(type);
    samples.emplace_back(rng, type);
    for (int row = 0; row < 20; ++row) columns.back().append(samples.back().next());
  }
  ByteBuffer bytes = write_block(columns);
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    bytes[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
    const auto block = RowBlock::open(ref_of(bytes), bytes);
    REQUIRE_FALSE(block);
    CHECK(block.error().code() == Code::kCorruption);
    CHECK(block.error().message().find("file 12 offset 4096") != std::string::npos);
    static_cast<void>(RowBlock::open(ref_of(bytes), bytes, Verify::kStructureOnly));  // no crash
    bytes[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
  }
  for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
    const ByteBuffer part(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(cut));
    CHECK_FALSE(RowBlock::open(ref_of(part), part));
  }
}

TEST_CASE("a block read from another place is refused") {
  std::vector<VectorBuffer> columns;
  columns.emplace_back(PhysicalType::kInt64);
  columns[0].append(Datum::of(std::int64_t{1}));
  const ByteBuffer bytes = write_block(columns);
  BlockRef elsewhere = ref_of(bytes);
  elsewhere.offset += 4096;
  CHECK_FALSE(RowBlock::open(elsewhere, bytes));
  BlockRef other_file = ref_of(bytes);
  other_file.file += 1;
  CHECK_FALSE(RowBlock::open(other_file, bytes));
  BlockRef other_kind = ref_of(bytes);
  other_kind.kind = BlockKind::kKeys;
  CHECK_FALSE(RowBlock::open(other_kind, bytes));
}

TEST_CASE("zones keep the order of values") {
  Rng rng(2);
  for (int round = 0; round < 2000; ++round) {
    const double a = (rng.unit() - 0.5) * 1e6;
    const double b = (rng.unit() - 0.5) * 1e6;
    CHECK((a < b) == (zone_of_float(a) < zone_of_float(b)));
    const auto i = static_cast<std::int64_t>(rng.next());
    const auto j = static_cast<std::int64_t>(rng.next());
    CHECK((i < j) == (zone_of_int(i) < zone_of_int(j)));
    CHECK(int_of_zone(zone_of_int(i)) == i);
  }
  CHECK(zone_of_float(-0.0) == zone_of_float(0.0));
  CHECK(zone_of_bytes(as_bytes("abc")) < zone_of_bytes(as_bytes("abd")));
  CHECK(zone_of_bytes(as_bytes("")) == 0);
  CHECK(zone_of_int128(Int128{1} << 100) == UINT64_MAX);
}
