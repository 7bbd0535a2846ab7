// forest_crash_test.cpp — the power fails anywhere in the life of a forest that flushes and merges:
// what was acknowledged is there, what was not is there wholly or not at all.
#include <doctest/doctest.h>

#include "tests/modules/lsm/forest/forest_fixture.h"
#include "tests/modules/lsm/forest/small_table.h"
#include "tests/support/seeds.h"

namespace coppice::lsm {
namespace {

class ManyLives {
 public:
  explicit ManyLives(std::uint64_t seed) : seed_(seed), rng_(seed) {}

  void live() {
    FaultyVfs vfs({.seed = rng_.next()}, std::move(disk_));
    vfs.crash_at(1 + rng_.below(rng_.chance(0.5) ? 60 : 400));
    const ForestOptions options{.memtable_bytes = rng_.chance(0.5) ? 20_KiB : 100_KiB,
                                .file_bytes = rng_.chance(0.5) ? 10_KiB : 64_MiB};
    CHECK(simulate(rng_.next(), [&](fiber::SimRuntime& runtime) {
      ForestNode node(vfs, runtime.clock(), options);
      const Status started = node.start();
      if (!started) {
        REQUIRE_MESSAGE(vfs.crashed(), started.error().to_string());
        return;
      }
      if (settle(node.forest(), vfs)) work(node.forest(), vfs);
      if (!vfs.crashed()) vfs.crash_at(0);
      node.stop();
    }));
    disk_ = vfs.disk_after_crash(rng_.next());
  }
  // Without faults: everything settles, and goes on.
  void last_life() {
    FaultyVfs vfs({}, std::move(disk_));
    CHECK(simulate(seed_, [&](fiber::SimRuntime& runtime) {
      ForestNode node(vfs, runtime.clock());
      const Status started = node.start();
      REQUIRE_MESSAGE(started, started.error().to_string());
      REQUIRE(settle(node.forest(), vfs));
      commit(node.forest(), vfs);
      REQUIRE(node.forest().flush());
      REQUIRE(node.forest().merge_all());
      check_newest(node.forest(), vfs);
      node.stop();
    }));
  }

 private:
  // Which of the states that there may be is it?
  bool settle(Forest& forest, const FaultyVfs& vfs) {
    const auto found = SmallTable::read(forest);
    if (!found) {
      REQUIRE_MESSAGE(vfs.crashed(), found.error().to_string());
      return false;
    }
    for (std::size_t i = states_.size(); i > durable_; --i) {
      if (states_[i - 1].exists != found->exists || states_[i - 1].rows != found->rows) continue;
      states_.resize(i);
      durable_ = i - 1;
      return true;
    }
    FAIL("a state that nobody committed, or less than was acknowledged");
    return false;
  }
  bool commit(Forest& forest, const FaultyVfs& vfs) {
    testing::UnlimitedBudget budget;
    const auto writes = forest.write_set(budget);
    TableState next = states_.back();
    SmallTable::change(*writes, next, rng_, next_number_);
    const bool relaxed = rng_.chance(0.3);
    const auto at = forest.commit(*writes, relaxed);
    states_.push_back(std::move(next));  // without an answer: it may be there
    if (!at) {
      REQUIRE_MESSAGE(vfs.crashed(), at.error().to_string());
      return false;
    }
    if (!relaxed) durable_ = states_.size() - 1;
    return true;
  }
  void check_newest(Forest& forest, const FaultyVfs& vfs) {
    const auto found = SmallTable::read(forest);
    if (!found) {
      REQUIRE_MESSAGE(vfs.crashed(), found.error().to_string());
      return;
    }
    CHECK(found->rows == states_.back().rows);
  }
  void work(Forest& forest, const FaultyVfs& vfs) {
    for (std::uint64_t i = rng_.below(40); i > 0 && !vfs.crashed(); --i) {
      const std::uint64_t what = rng_.below(100);
      Status done;
      if (what < 80) {
        if (!commit(forest, vfs)) return;
      } else if (what < 88) {
        done = forest.flush();
      } else if (what < 94) {
        done = forest.merge_all();
      } else if (what < 97) {
        check_newest(forest, vfs);
      } else {
        done = fiber::sleep_for(50ms);
      }
      if (!done) REQUIRE_MESSAGE(vfs.crashed(), done.error().to_string());
    }
  }

  std::uint64_t seed_;
  Rng rng_;
  DiskImage disk_;
  std::vector<TableState> states_{1};  // that the forest may be in, oldest first
  std::size_t durable_ = 0;            // the last one that was acknowledged as durable
  std::int64_t next_number_ = 0;
};

TEST_CASE("nothing acknowledged is lost when the power fails anywhere") {
  for (std::uint64_t seed = 1; seed <= seed_count(40); ++seed) {
    CAPTURE(seed);
    ManyLives lives(seed);
    for (int life = 0; life < 5; ++life) {
      CAPTURE(life);
      lives.live();
    }
    lives.last_life();
  }
}

TEST_CASE("the log is released and memory stays within the budget, however much is written") {
  FaultyVfs vfs;
  const ForestOptions options{.memtable_bytes = 200_KiB};
  TableState state;
  CHECK(simulate(1, [&](fiber::SimRuntime& runtime) {
    ForestNode node(vfs, runtime.clock(), options);
    REQUIRE(node.start());
    Rng rng(1);
    testing::UnlimitedBudget budget;
    std::int64_t next_number = 0;
    std::uint64_t memory_most = 0;
    for (int i = 0; i < 300; ++i) {
      const auto writes = node.forest().write_set(budget);
      if (i == 0) {
        SmallTable::create(*writes, state);
      } else {
        std::vector<TableState::Row> rows;
        for (int j = 0; j < 20; ++j) rows.push_back({next_number++, std::string(1000, 'x')});
        SmallTable::insert(*writes, state, rows);
      }
      REQUIRE(node.forest().commit(*writes, false));
      memory_most = std::max(memory_most, node.forest().counters().memtable_bytes);
    }
    CHECK(memory_most < 2 * options.memtable_bytes);  // one entry may go beyond it
    CHECK(memory_most > options.memtable_bytes / 2);
    REQUIRE(node.forest().flush());
    CHECK(node.forest().counters().memtable_bytes == 0);
    CHECK(node.forest().counters().file_bytes > 50'000);
    REQUIRE(fiber::sleep_for(100ms));
    CHECK(node.log_state().retained_bytes < 3_MiB);  // 6 MB were written
    CHECK(node.log_state().released == node.log_state().applied);
    node.stop();
  }));
  CHECK(simulate(2, [&](fiber::SimRuntime& runtime) {
    ForestNode node(vfs, runtime.clock(), options);
    REQUIRE(node.start());
    CHECK(node.forest().counters().memtable_bytes == 0);  // nothing to replay
    const auto found = SmallTable::read(node.forest());
    REQUIRE(found);
    CHECK(found->rows == state.rows);
    node.stop();
  }));
}

TEST_CASE("a full disk refuses changes, leaves reads alone, and is forgotten when there is room") {
  FaultyVfs vfs;
  const ForestOptions options{.memtable_bytes = 200_KiB};
  CHECK(simulate(1, [&](fiber::SimRuntime& runtime) {
    ForestNode node(vfs, runtime.clock(), options);
    REQUIRE(node.start());
    testing::UnlimitedBudget budget;
    TableState state;
    {
      const auto writes = node.forest().write_set(budget);
      SmallTable::create(*writes, state);
      REQUIRE(node.forest().commit(*writes, false));
    }
    vfs.add_rule(
        {.fault = Fault::kDiskFull, .op = {}, .name_contains = ".sst", .times = UINT64_MAX});
    std::int64_t next_number = 0;
    const auto insert_some = [&]() -> Status {
      const auto writes = node.forest().write_set(budget);
      TableState after = state;
      const TableState::Row row{next_number++, std::string(5000, 'x')};
      SmallTable::insert(*writes, after, std::span(&row, 1));
      COPPICE_TRY(node.forest().commit(*writes, false));
      state = after;
      return {};
    };
    Status inserted;
    for (int i = 0; i < 100 && inserted; ++i) {
      inserted = insert_some();
      REQUIRE(fiber::sleep_for(10ms));
    }
    REQUIRE_FALSE(inserted);
    CHECK(inserted.error().code() == Code::kDiskFull);
    const auto found = SmallTable::read(node.forest());
    REQUIRE(found);
    CHECK(found->rows == state.rows);
    vfs.clear_rules();
    REQUIRE(fiber::sleep_for(std::chrono::seconds(5)));
    CHECK(insert_some());
    node.stop();
  }));
}

}  // namespace
}  // namespace coppice::lsm
