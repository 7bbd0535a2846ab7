// row_memtable_test.cpp — what the model test cannot see: dropping, refusals, scans, memory.
#include "modules/lsm/memtable/row_memtable.h"

#include <doctest/doctest.h>

#include <map>

#include "kernel/base/random.h"

using namespace coppice;
using namespace coppice::lsm;

namespace {

TableSchema two_groups() {
  TableSchema schema;
  schema.columns = {{{1}, PhysicalType::kInt64, true, 0}, {{2}, PhysicalType::kBytes, true, 1}};
  return schema;
}

ByteBuffer tuple_of(std::initializer_list<Datum> values) {
  ByteBuffer bytes;
  REQUIRE(append_tuple(std::vector<Datum>(values), bytes));
  return bytes;
}

}  // namespace

TEST_CASE("the map of egids agrees with std::map, in random and in ascending order") {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    CAPTURE(seed);
    Rng rng(seed);
    EgidMap map;
    std::map<Egid, std::uint32_t> model;
    for (std::uint32_t i = 0; i < 30'000; ++i) {
      const Egid egid = seed % 2 == 0 ? i * 3 : rng.below(1 << 20);
      if (model.contains(egid)) continue;
      map.insert(egid, i);
      model[egid] = i;
    }
    CHECK(map.size() == model.size());
    for (int i = 0; i < 30'000; ++i) {
      const Egid egid = rng.below(1 << 20);
      const auto found = map.find(egid);
      const auto expected = model.find(egid);
      REQUIRE(found.has_value() == (expected != model.end()));
      if (found) REQUIRE(*found == expected->second);
    }
    const Egid from = rng.below(1 << 19);
    auto expected = model.lower_bound(from);
    map.visit(from, UINT64_MAX, [&](Egid egid, std::uint32_t value) {
      REQUIRE(expected != model.end());
      REQUIRE(egid == expected->first);
      REQUIRE(value == expected->second);
      ++expected;
      return true;
    });
    CHECK(expected == model.end());
  }
}

TEST_CASE("a hot row does not grow: versions that no snapshot sees are dropped") {
  const TableSchema schema = two_groups();
  RowMemtable memtable(schema);
  const std::string text(100, 'x');
  REQUIRE(memtable.append_row(7, {1},
                              tuple_of({Datum::of(std::int64_t{0}), Datum::of(as_bytes(text))})));
  REQUIRE(memtable.update(7, {2}, 0b10, tuple_of({Datum::of(as_bytes("kept"))}), {0}));
  std::size_t after_few = 0;
  for (std::uint64_t t = 3; t < 5000; ++t) {
    REQUIRE(memtable.update(7, {t}, 0b01, tuple_of({Datum::of(static_cast<std::int64_t>(t))}),
                            {t - 1}));
    if (t == 20) after_few = memtable.memory_bytes();
  }
  CHECK(memtable.memory_bytes() <= after_few + 200);
  const Egid egid = 7;
  const std::uint32_t columns[] = {0, 1};
  RowFetch fetch(schema, {4998}, columns, {&egid, 1});
  memtable.claim(fetch);
  CHECK(fetch.value(0, 0) == Datum::of(std::int64_t{4998}));
  CHECK(fetch.value(0, 1) == Datum::of(as_bytes("kept")));  // inherited from a dropped version
}

TEST_CASE("tuples of another schema and versions out of order are refused") {
  const TableSchema schema = two_groups();
  RowMemtable memtable(schema);
  CHECK_FALSE(memtable.append_row(1, {1}, tuple_of({Datum::of(std::int64_t{0})})));
  CHECK_FALSE(memtable.append_row(1, {1}, as_bytes("no tuple")));
  CHECK_FALSE(memtable.update(1, {1}, 0b01, tuple_of({Datum::of(1.0F)}), {0}));
  CHECK_FALSE(memtable.update(1, {1}, 0b100, tuple_of({Datum::of(std::int64_t{0})}), {0}));
  CHECK_FALSE(memtable.update(1, {1}, 0, tuple_of({}), {0}));
  REQUIRE(memtable.update(1, {5}, 0b01, tuple_of({Datum::of(std::int64_t{0})}), {0}));
  CHECK_FALSE(memtable.update(1, {5}, 0b01, tuple_of({Datum::of(std::int64_t{0})}), {0}));
  CHECK(memtable.changed_rows() == 1);
}

TEST_CASE("chunks are scanned in vectors; changed rows are named instead") {
  const TableSchema schema = two_groups();
  RowMemtable memtable(schema);
  for (Egid egid = 100; egid < 1700; ++egid)
    REQUIRE(memtable.append_row(
        egid, {egid},
        tuple_of({Datum::of(static_cast<std::int64_t>(egid)), Datum::of(as_bytes("t"))})));
  REQUIRE(memtable.erase(150, {5000}, {0}));
  const std::uint32_t columns[] = {1, 0};
  std::uint32_t rows = 0;
  std::vector<Egid> others;
  REQUIRE(memtable.chunk_count() == 2);
  for (std::uint32_t chunk = 0; chunk < 2; ++chunk) {
    ScanBatch batch;
    memtable.scan_chunk(chunk, columns, {1599}, batch);
    others.insert(others.end(), batch.others.begin(), batch.others.end());
    batch.batch.selection.for_each([&](std::uint32_t row) {
      ++rows;
      CHECK(batch.batch.columns[1].int_at(row) == batch.batch.egids.int_at(row));
      CHECK(as_text(batch.batch.columns[0].bytes_at(row)) == "t");
    });
  }
  CHECK(rows == 1499);  // 100 to 1599 but for the changed one
  CHECK(others == std::vector<Egid>{150});
  std::vector<Egid> egids;
  memtable.collect_egids(140, 160, egids);
  CHECK(egids.size() == 21);
  CHECK(memtable.has_egid(150));
  CHECK_FALSE(memtable.has_egid(99));
}
