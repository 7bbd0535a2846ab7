// power_cut_test.cpp — the power fails at every step of a workload: nothing acknowledged is lost.
#include <doctest/doctest.h>

#include <set>

#include "tests/modules/raft/log_fixture.h"

namespace coppice::raft {
namespace {

constexpr int kWriters = 4;
constexpr int kWritesEach = 20;

DriverOptions two_in_flight() {
  DriverOptions options;
  options.pipeline_bytes = 0;  // a second unit starts at once beside the first
  return options;
}

// How long operations take: a random while, so that they overlap in many ways.
struct Pauses {
  explicit Pauses(std::uint64_t seed) : rng(seed) {}
  void pause() {
    const bool writes = fiber::current_name() == "log write";
    if (writes) units_most = std::max(units_most, ++units);
    static_cast<void>(pass_time(Duration(static_cast<std::int64_t>(rng.below(200'000)))));
    if (writes) --units;
  }
  Rng rng;
  int units = 0;
  int units_most = 0;  // in flight at a time
};

FaultyOptions slow(std::uint64_t seed, Pauses& pauses) {
  return {.seed = seed, .pause = [&pauses] { pauses.pause(); }};
}

std::string value_of(const std::string& key) {
  return key + std::string(key.size() * 997 % 6000, 'v');
}

struct Outcome {
  std::set<std::string> proposed;
  std::set<std::string> acknowledged;
  std::uint64_t steps = 0;
};

// Writers, local records and a clock tick for the seal, until done or the power fails.
Outcome run_workload(FaultyVfs& vfs, std::uint64_t seed) {
  Outcome outcome;
  CHECK(simulate(seed, [&](fiber::SimRuntime& runtime) {
    Node node(vfs, runtime.clock(), two_in_flight());
    if (node.start()) {
      fiber::TaskGroup writers;
      for (int writer = 0; writer < kWriters; ++writer)
        writers.spawn({.name = "writer"}, [&node, &outcome, writer] {
          for (int i = 0; i < kWritesEach; ++i) {
            const std::string key = std::to_string(writer) + '.' + std::to_string(100 + i);
            outcome.proposed.insert(key);
            const auto at = node.set(key, value_of(key));
            if (!at) return;
            outcome.acknowledged.insert(key);
          }
        });
      writers.join();
      REQUIRE(pass_time(60ms));
      node.stop();
    }
  }));
  outcome.steps = vfs.steps();
  return outcome;
}

// Everything acknowledged is there, nothing that was never proposed, each writer's in its order,
// and the log goes on.
void check_survivor(FaultyVfs& vfs, std::uint64_t seed, const Outcome& outcome) {
  CHECK(simulate(seed, [&](fiber::SimRuntime& runtime) {
    Node node(vfs, runtime.clock(), two_in_flight());
    const Status started = node.start();
    REQUIRE_MESSAGE(started, started.error().to_string());
    for (const std::string& key : outcome.acknowledged) {
      CAPTURE(key);
      REQUIRE(node.machine.values.contains(key));
    }
    for (const auto& [key, value] : node.machine.values) {
      REQUIRE(outcome.proposed.contains(key));
      REQUIRE(value == value_of(key));
    }
    std::map<char, std::string> last;
    for (const std::string& key : node.machine.order) {
      REQUIRE(last[key[0]] < key);
      last[key[0]] = key;
    }
    REQUIRE(node.set("9.0", value_of("9.0")));
    node.stop();
  }));
}

void cut_at_every_step(std::uint64_t seed, std::uint64_t stride) {
  Pauses pauses(seed);
  FaultyVfs whole(slow(seed, pauses));
  const Outcome all = run_workload(whole, seed);
  CHECK(all.acknowledged.size() == kWriters * kWritesEach);
  REQUIRE(all.steps > 100);
  CHECK(pauses.units_most == 2);
  for (std::uint64_t step = 1; step <= all.steps; step += stride) {
    CAPTURE(seed);
    CAPTURE(step);
    Pauses again(seed);
    FaultyVfs vfs(slow(seed, again));
    vfs.crash_at(step);
    const Outcome outcome = run_workload(vfs, seed);
    for (std::uint64_t survival = 1; survival <= 3; ++survival) {
      CAPTURE(survival);
      FaultyVfs after(slow(seed, again), vfs.disk_after_crash(survival * 1000 + step));
      check_survivor(after, seed, outcome);
    }
  }
}

TEST_CASE("a power cut at every write loses nothing acknowledged") {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) cut_at_every_step(seed, 1);
}

TEST_CASE("a power cut at every step of a recovery loses nothing acknowledged") {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    Pauses pauses(seed);
    FaultyVfs vfs(slow(seed, pauses));
    vfs.crash_at(40 + seed * 9);
    const Outcome outcome = run_workload(vfs, seed);
    const DiskImage disk = vfs.disk_after_crash(seed);
    std::uint64_t steps = UINT64_MAX;
    for (std::uint64_t step = 1; step <= steps; ++step) {
      CAPTURE(seed);
      CAPTURE(step);
      FaultyVfs second(slow(seed, pauses), disk.clone());
      second.crash_at(step);
      bool started = false;
      CHECK(simulate(seed, [&](fiber::SimRuntime& runtime) {
        Node node(second, runtime.clock(), two_in_flight());
        started = node.start().has_value();
        if (started) node.stop();
      }));
      if (started) steps = 0;
      FaultyVfs third(slow(seed, pauses), second.disk_after_crash(step));
      check_survivor(third, seed, outcome);
    }
  }
}

TEST_CASE("every damaged byte of what was acknowledged is found and named, by a real restart") {
  FaultyVfs vfs;
  CHECK(simulate(1, [&](fiber::SimRuntime& runtime) {
    Node node(vfs, runtime.clock());
    REQUIRE(node.start());
    for (int i = 0; i < 6; ++i) REQUIRE(node.set("k" + std::to_string(i), std::string(4000, 'x')));
    node.stop();  // seals
  }));
  const DiskImage disk = vfs.clone_disk();
  const auto names = disk.list("log/segment-");
  REQUIRE(names.size() == 1);
  SegmentStore whole_store(vfs, kTestSegmentBytes);
  const auto found = whole_store.find();
  REQUIRE(found);
  // The last unit is the seal; what lies before it was acknowledged.
  std::uint64_t end = kBlockBytes;
  std::uint64_t sealed = 0;
  const DiskImage::Handle file = disk.find(names[0].name);
  while (end < file->bytes.size()) {
    const auto unit = decode_unit_header(ByteView(file->bytes).subspan(end, kBlockBytes), 1, 0);
    if (!unit) break;
    sealed = end;
    end += unit->bytes;
  }
  REQUIRE(sealed > 8 * kBlockBytes);
  Rng rng(1);
  for (std::uint64_t offset = 0; offset < sealed; ++offset) {
    FaultyVfs damaged({}, disk.clone());
    REQUIRE(damaged.flip_bit(names[0].name, offset, static_cast<unsigned>(rng.below(8))));
    SegmentStore store(damaged, kTestSegmentBytes);
    const auto opened = open_log(store, {}, 1);
    CAPTURE(offset);
    REQUIRE_FALSE(opened);
    REQUIRE(opened.error().code() == Code::kCorruption);
    REQUIRE(opened.error().message().starts_with(names[0].name + " offset "));
  }
}

}  // namespace
}  // namespace coppice::raft
