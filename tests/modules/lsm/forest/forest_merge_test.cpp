// forest_merge_test.cpp — files stay few, what nobody can see goes, readers are not disturbed, and
// damage is found.
#include <doctest/doctest.h>

#include "tests/modules/lsm/forest/forest_fixture.h"
#include "tests/modules/lsm/forest/small_table.h"

namespace coppice::lsm {
namespace {

using Rows = std::vector<TableState::Row>;

void commit(Forest& forest, const std::function<void(WriteSet&)>& change) {
  testing::UnlimitedBudget budget;
  const auto writes = forest.write_set(budget);
  change(*writes);
  const auto at = forest.commit(*writes, false);
  REQUIRE_MESSAGE(at, at.error().to_string());
}

Rows numbered(std::int64_t from, std::int64_t count, std::size_t text_bytes = 20) {
  Rows rows;
  for (std::int64_t i = from; i < from + count; ++i)
    rows.push_back({i, std::string(text_bytes, static_cast<char>('a' + i % 26))});
  return rows;
}

void in_forest(const ForestOptions& options, FaultyVfs& vfs,
               const std::function<void(Forest&)>& body) {
  CHECK(simulate(3, [&](fiber::SimRuntime& runtime) {
    ForestNode node(vfs, runtime.clock(), options);
    const Status started = node.start();
    REQUIRE_MESSAGE(started, started.error().to_string());
    body(node.forest());
    node.stop();
  }));
}

void expect(Forest& forest, const TableState& state) {
  const auto found = SmallTable::read(forest);
  REQUIRE_MESSAGE(found, found.error().to_string());
  CHECK(found->rows == state.rows);
}

TEST_CASE("however many flushes there are, files stay few") {
  FaultyVfs vfs;
  TableState state;
  in_forest({.memtable_bytes = 50_KiB}, vfs, [&](Forest& forest) {
    Rng rng(5);
    std::int64_t next = 0;
    std::uint64_t most = 0;
    commit(forest, [&](WriteSet& writes) { SmallTable::create(writes, state); });
    for (int i = 0; i < 600; ++i) {
      commit(forest, [&](WriteSet& writes) { SmallTable::change(writes, state, rng, next); });
      if (i % 10 == 0) REQUIRE(forest.flush());
      most = std::max(most, forest.counters().files);
    }
    CHECK(most > 3);
    CHECK(most < 60);  // of three trees, with some 80 flushes; a flush waits at 16 in level 0
    expect(forest, state);
    REQUIRE(fiber::sleep_for(5s));
    CHECK(forest.counters().merge_debt_bytes == 0);
    REQUIRE(forest.flush());
    REQUIRE(forest.merge_all());
    CHECK(forest.counters().files == 3);            // one for each tree
    CHECK(vfs.list(kFilePrefix)->size() == 3 + 2);  // and two manifests
    expect(forest, state);
  });
  in_forest({}, vfs, [&](Forest& forest) { expect(forest, state); });
}

TEST_CASE("rows that were deleted, and every version below the newest, take no room") {
  FaultyVfs vfs;
  TableState state;
  in_forest({}, vfs, [&](Forest& forest) {
    commit(forest, [&](WriteSet& writes) { SmallTable::create(writes, state); });
    commit(forest, [&](WriteSet& writes) { SmallTable::insert(writes, state, numbered(0, 3000)); });
    REQUIRE(forest.flush());
    REQUIRE(forest.merge_all());
    CHECK(forest.counters().file_bytes > 10'000);
    commit(forest, [&](WriteSet& writes) {
      while (!state.rows.empty()) SmallTable::erase(writes, state, state.rows.begin()->first);
    });
    REQUIRE(forest.flush());
    REQUIRE(forest.merge_all());
    expect(forest, state);
    CHECK(forest.counters().files == 0);
    CHECK(vfs.list(kFilePrefix)->size() == 2);
  });
}

TEST_CASE("a snapshot sees through merges what it saw, and so does a cursor that is open") {
  FaultyVfs vfs;
  TableState state;
  in_forest({.memtable_bytes = 64_MiB, .file_bytes = 20_KiB}, vfs, [&](Forest& forest) {
    commit(forest, [&](WriteSet& writes) { SmallTable::create(writes, state); });
    commit(forest,
           [&](WriteSet& writes) { SmallTable::insert(writes, state, numbered(0, 5000, 100)); });
    REQUIRE(forest.flush());
    const SnapshotRef before = forest.snapshot();
    ScanOptions options;
    options.columns = {SmallTable::kNumber};
    const auto cursor = forest.scan({before.get()}, SmallTable::kTable, options);
    REQUIRE(cursor);
    std::uint64_t seen = 0;
    RowBatch batch;
    REQUIRE(*(*cursor)->next(batch));
    seen += batch.selection.count();
    for (int round = 0; round < 4; ++round) {
      commit(forest, [&](WriteSet& writes) {
        for (int i = 0; i < 1000; ++i) {
          SmallTable::erase(writes, state, state.rows.begin()->first);
          SmallTable::update_text(writes, state, state.rows.rbegin()->first, "changed");
        }
      });
      REQUIRE(forest.flush());
      REQUIRE(forest.merge_all());
    }
    for (auto more = (*cursor)->next(batch);; more = (*cursor)->next(batch)) {
      REQUIRE(more);
      if (!*more) break;
      seen += batch.selection.count();
    }
    CHECK(seen == 5000);
    for (std::int64_t digit = 0; digit < 10; ++digit)
      CHECK(forest.count_of({before.get()}, SmallTable::leaf(digit)).value() == 500);
    expect(forest, state);
    CHECK(state.rows.size() == 1000);
  });
  in_forest({}, vfs, [&](Forest& forest) { expect(forest, state); });
}

TEST_CASE("the files of a dropped table go when its last snapshot does") {
  FaultyVfs vfs;
  TableState state;
  in_forest({}, vfs, [&](Forest& forest) {
    commit(forest, [&](WriteSet& writes) { SmallTable::create(writes, state); });
    commit(forest, [&](WriteSet& writes) { SmallTable::insert(writes, state, numbered(0, 100)); });
    REQUIRE(forest.flush());
    SnapshotRef before = forest.snapshot();
    commit(forest, [&](WriteSet& writes) {
      for (const TableRef table : {SmallTable::kTable, SmallTable::kIndex, SmallTable::kUnique})
        REQUIRE(writes.drop_table(table));
    });
    REQUIRE(forest.flush());
    REQUIRE(fiber::sleep_for(5s));
    CHECK(forest.counters().files == 1);  // three sections of one flush
    CHECK(forest.count_of({before.get()}, SmallTable::leaf(3)).value() == 10);
    before.reset();
    REQUIRE(fiber::sleep_for(5s));
    CHECK(forest.counters().files == 0);
    commit(forest, [&](WriteSet& writes) { REQUIRE(writes.create_namespace({2})); });
  });
  in_forest({}, vfs, [&](Forest& forest) {
    const SnapshotRef now = forest.snapshot();
    CHECK_FALSE(forest.definition(*now, SmallTable::kTable));
    CHECK(forest.namespaces(*now) == std::vector<NamespaceId>{{1}, {2}});
  });
}

TEST_CASE("columns come and go while files of every schema are merged") {
  FaultyVfs vfs;
  constexpr ColumnId kAdded{3};
  TableState state;
  TableSchema schema;
  const auto values = [](Forest& forest, const Snapshot& at, ColumnId column) {
    ScanOptions options;
    options.columns = {column};
    const auto cursor = forest.scan({&at}, SmallTable::kTable, options);
    REQUIRE(cursor);
    std::vector<std::string> seen;
    RowBatch batch;
    while ((*cursor)->next(batch).value()) {
      batch.selection.for_each([&](std::uint32_t row) {
        const Datum value = batch.columns[0].datum_at(row);
        seen.push_back(value.null             ? "null"
                       : is_bytes(value.type) ? std::string(as_text(value.bytes))
                                              : std::to_string(value.as_int()));
      });
    }
    return seen;
  };
  in_forest({}, vfs, [&](Forest& forest) {
    commit(forest, [&](WriteSet& writes) { SmallTable::create(writes, state); });
    commit(forest, [&](WriteSet& writes) { SmallTable::insert(writes, state, numbered(0, 3)); });
    REQUIRE(forest.flush());
    const SnapshotRef first = forest.snapshot();
    schema = forest.definition(*first, SmallTable::kTable)->schema;
    schema.version = 2;
    ByteBuffer seven(8);
    store_le<std::int64_t>(seven.data(), 7);
    Column& added = schema.columns.emplace_back();
    added.id = kAdded;
    added.missing = seven;
    assign_groups(schema.columns, 2);
    commit(forest,
           [&](WriteSet& writes) { REQUIRE(writes.set_schema(SmallTable::kTable, schema)); });
    commit(forest, [&](WriteSet& writes) {
      const Egid row = state.rows.begin()->first;
      SmallTable::update_text(writes, state, row, "second");
    });
    REQUIRE(forest.flush());
    REQUIRE(forest.merge_all());
    const SnapshotRef second = forest.snapshot();
    CHECK(values(forest, *second, kAdded) == std::vector<std::string>(3, "7"));
    // The text goes.
    schema.version = 3;
    std::erase_if(schema.columns, [](const Column& c) { return c.id == SmallTable::kText; });
    commit(forest,
           [&](WriteSet& writes) { REQUIRE(writes.set_schema(SmallTable::kTable, schema)); });
    commit(forest, [&](WriteSet& writes) {
      const Egid row = state.rows.begin()->first;
      VectorBuffer numbers(PhysicalType::kInt64);
      numbers.append(Datum::of(std::int64_t{9}));
      RowBatch batch;
      batch.rows = 1;
      batch.selection = Selection::all(1);
      batch.columns = {numbers.view()};
      REQUIRE(writes.update(SmallTable::kTable, std::span(&row, 1), std::span(&kAdded, 1), batch));
    });
    REQUIRE(forest.flush());
    REQUIRE(forest.merge_all());
    const SnapshotRef third = forest.snapshot();
    CHECK(values(forest, *third, kAdded) == std::vector<std::string>{"9", "7", "7"});
    CHECK(values(forest, *second, SmallTable::kText)[0] == "second");
    CHECK(values(forest, *first, SmallTable::kText)[0] == std::string(20, 'a'));
    CHECK(values(forest, *third, SmallTable::kNumber) == std::vector<std::string>{"0", "1", "2"});
  });
  in_forest({}, vfs, [&](Forest& forest) {
    commit(forest, [&](WriteSet& writes) { REQUIRE(writes.create_namespace({3})); });
    REQUIRE(forest.flush());
    const SnapshotRef now = forest.snapshot();
    CHECK(values(forest, *now, kAdded) == std::vector<std::string>{"9", "7", "7"});
    CHECK(forest.definition(*now, SmallTable::kTable)->schema.columns.size() == 2);
  });
}

TEST_CASE("a flipped bit in a data file is found and named, or changes nothing that is read") {
  FaultyVfs whole;
  TableState state;
  in_forest({}, whole, [&](Forest& forest) {
    Rng rng(9);
    std::int64_t next = 0;
    commit(forest, [&](WriteSet& writes) { SmallTable::create(writes, state); });
    for (int i = 0; i < 30; ++i) {
      commit(forest, [&](WriteSet& writes) { SmallTable::change(writes, state, rng, next); });
      if (i % 10 == 5) REQUIRE(forest.flush());
    }
    REQUIRE(forest.flush());
  });
  std::vector<FileInfo> files;
  CHECK(simulate(1, [&](fiber::SimRuntime&) { files = whole.list(kFilePrefix).value(); }));
  std::erase_if(files, [](const FileInfo& file) { return !file.name.ends_with(".sst"); });
  REQUIRE(files.size() > 1);
  Rng rng(10);
  constexpr int kSamples = 150;
  int named = 0;
  for (int sample = 0; sample < kSamples; ++sample) {
    const FileInfo& file = files[rng.below(files.size())];
    const std::uint64_t at = rng.below(file.size);
    CAPTURE(file.name);
    CAPTURE(at);
    FaultyVfs vfs({}, whole.clone_disk());
    REQUIRE(vfs.flip_bit(file.name, at, static_cast<unsigned>(rng.below(8))));
    CHECK(simulate(2, [&](fiber::SimRuntime& runtime) {
      ForestNode node(vfs, runtime.clock());
      const Status started = node.start();
      std::string message = started ? "" : started.error().to_string();
      if (started) {
        const auto found = SmallTable::read(node.forest());
        if (found) {
          CHECK(found->rows == state.rows);
        } else {
          CHECK(found.error().code() == Code::kCorruption);
          message = found.error().to_string();
        }
        node.stop();
      }
      if (message.empty()) return;
      ++named;
      const std::uint64_t number = number_in(file.name, ".sst");
      CHECK(message.find("file " + std::to_string(number) + " offset ") != std::string::npos);
    }));
  }
  CHECK(named > kSamples * 8 / 10);  // the rest: older versions, filters of other keys
}

}  // namespace
}  // namespace coppice::lsm
