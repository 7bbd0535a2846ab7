// manifest_test.cpp — what a manifest says survives; every flipped bit is found; a torn one is
// passed over.
#include "modules/lsm/forest/manifest.h"

#include <doctest/doctest.h>

#include "modules/lsm/forest/manifest_store.h"
#include "tests/modules/lsm/forest/forest_fixture.h"

namespace coppice::lsm {
namespace {

Manifest sample() {
  Manifest manifest;
  manifest.sequence = 7;
  manifest.known_through = {100};
  manifest.replay_from = {90};
  manifest.applied = {5'000};
  manifest.next_file = 42;
  manifest.namespaces[{1}] = {{{10}, true}, {{20}, false}};
  manifest.epochs[{{1}, {9}}] = {{11}, {12}};
  TableDefinition rows{.table = {{1}, {10}}, .kind = TableKind::kRows, .rows = {{1}, {10}}};
  rows.schema.columns = {{.id = {1}, .type = PhysicalType::kInt64},
                         {.id = {2}, .type = PhysicalType::kBytes}};
  assign_groups(rows.schema.columns);
  ManifestTable& table = manifest.tables.emplace_back();
  table.table = rows.table;
  table.next_egid = 1'000;
  table.flushed_through = {95};
  table.definitions = {{{15}, std::make_shared<const TableDefinition>(rows)}, {{30}, nullptr}};
  table.level0 = {{41, 0, 100}, {40, 7, 8}};
  table.last = {{3, 100, 50}};
  ManifestTable& index = manifest.tables.emplace_back();
  index.table = {{1}, {11}};
  index.kind = TableKind::kUnique;
  return manifest;
}

TEST_CASE("a manifest is read as it was written") {
  const Manifest written = sample();
  const auto read = decode_manifest(encode_manifest(written));
  REQUIRE(read);
  CHECK(read->sequence == 7);
  CHECK(read->known_through == LogIndex{100});
  CHECK(read->replay_from == LogIndex{90});
  CHECK(read->applied == Hlc{5'000});
  CHECK(read->next_file == 42);
  REQUIRE(read->namespaces.at({1}).size() == 2);
  CHECK_FALSE(read->namespaces.at({1})[1].exists);
  CHECK(read->epochs == written.epochs);
  REQUIRE(read->tables.size() == 2);
  const ManifestTable& table = read->tables[0];
  CHECK(table.table == written.tables[0].table);
  CHECK(table.next_egid == 1'000);
  CHECK(table.flushed_through == LogIndex{95});
  CHECK(table.level0 == written.tables[0].level0);
  CHECK(table.last == written.tables[0].last);
  REQUIRE(table.definitions.size() == 2);
  CHECK(table.definitions[0].definition->schema.columns.size() == 2);
  CHECK(table.definitions[1].definition == nullptr);
  CHECK(read->tables[1].kind == TableKind::kUnique);
}

TEST_CASE("every flipped bit of a manifest is found, and every shorter one refused") {
  const ByteBuffer bytes = encode_manifest(sample());
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    ByteBuffer flipped = bytes;
    flipped[bit / 8] ^= static_cast<std::byte>(1 << (bit % 8));
    CHECK_FALSE(decode_manifest(flipped));
    static_cast<void>(decode_manifest(flipped, Verify::kStructureOnly));  // no crash
  }
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CHECK_FALSE(decode_manifest(ByteView(bytes).first(size)));
    CHECK_FALSE(decode_manifest(ByteView(bytes).first(size), Verify::kStructureOnly));
  }
}

TEST_CASE("two manifests are kept; a damaged one is passed over and named") {
  FaultyVfs vfs;
  CHECK(simulate(1, [&](fiber::SimRuntime& runtime) {
    LogHub hub(runtime.clock(), std::make_unique<CaptureSink>(), LogLevel::kDebug);
    const Log log(hub, "lsm");
    Manifest manifest = sample();
    {
      ManifestStore store(vfs, log);
      const auto none = store.load();
      REQUIRE(none);
      CHECK_FALSE(none->has_value());
      for (std::uint64_t i = 1; i <= 5; ++i) {
        manifest.next_file = 100 + i;
        REQUIRE(store.write(manifest));
        CHECK(manifest.sequence == i);
      }
    }
    const auto files = vfs.list(kFilePrefix);
    REQUIRE(files);
    REQUIRE(files->size() == 2);
    CHECK((*files)[1].name == manifest_name(5));
    {
      ManifestStore store(vfs, log);
      const auto newest = store.load();
      REQUIRE(newest);
      CHECK((*newest)->next_file == 105);
    }
    REQUIRE(vfs.flip_bit(manifest_name(5), 40, 3));
    ManifestStore store(vfs, log);
    const auto previous = store.load();
    REQUIRE(previous);
    CHECK((*previous)->next_file == 104);
    CHECK(store.passed_over() == manifest_name(5) + ": manifest: checksum mismatch");
    REQUIRE(store.write(manifest));
    CHECK(manifest.sequence == 6);  // not the name of the damaged one
    CHECK(vfs.list(kFilePrefix)->size() == 2);
  }));
}

}  // namespace
}  // namespace coppice::lsm
