// driver_test.cpp — the log at work: order, restart, release, full disks, I/O errors, seals.
#include "modules/raft/driver.h"

#include <doctest/doctest.h>

#include "plugins/codec/zstd/zstd_codec.h"
#include "tests/modules/raft/log_fixture.h"

namespace coppice::raft {
namespace {

using Texts = std::vector<std::string>;

// Runs `body` with a started node on `vfs`, then stops it.
void with_node(Vfs& vfs, const std::function<void(Node&)>& body, DriverOptions options = {}) {
  CHECK(simulate(1, [&](fiber::SimRuntime& runtime) {
    Node node(vfs, runtime.clock(), options);
    REQUIRE(node.start());
    body(node);
    node.stop();
  }));
}

std::size_t files(Vfs& vfs) {
  return vfs.list("log/")->size();
}

TEST_CASE("what was proposed is applied, and there again after a restart") {
  FaultyVfs vfs;
  with_node(vfs, [](Node& node) {
    const auto first = node.set("a", "1");
    const auto second = node.set("b", "2");
    REQUIRE(first);
    REQUIRE(second);
    CHECK(second->index > first->index);
    CHECK(second->hlc > first->hlc);
    CHECK(node.machine.applied == second->index);
    CHECK(node.machine.applied_local_objects == 2);
    CHECK(node.driver.state().durable >= second->index);
    CHECK(node.driver.state().applied == second->index);
  });
  with_node(vfs, [](Node& node) {
    CHECK(node.machine.order == Texts{"a", "b"});
    CHECK(node.machine.applied_local_objects == 0);
    REQUIRE(node.set("c", "3"));
  });
  with_node(vfs, [](Node& node) { CHECK(node.machine.order == Texts{"a", "b", "c"}); });
}

TEST_CASE("a refused stamp leaves no trace in the log") {
  FaultyVfs vfs;
  with_node(vfs, [](Node& node) {
    SetValue refused("a", "1");
    refused.refusal = Code::kConflict;
    const auto result = node.driver.propose(refused);
    REQUIRE_FALSE(result);
    CHECK(result.error().code() == Code::kConflict);
    const auto next = node.set("b", "2");
    REQUIRE(next);
    CHECK(next->index == refused.stamped.index);
  });
  with_node(vfs, [](Node& node) { CHECK(node.machine.order == Texts{"b"}); });
}

TEST_CASE("entries of any size, up to the limit") {
  FaultyVfs vfs;
  const std::string large(300'000, 'x');  // spans several segments
  with_node(vfs, [&](Node& node) {
    REQUIRE(node.set("empty", ""));
    REQUIRE(node.set("large", large));
    REQUIRE(node.set("after", "1"));
    const auto beyond = node.set("beyond", std::string(kEntryBytesMax, 'x'));
    REQUIRE_FALSE(beyond);
    CHECK(beyond.error().code() == Code::kLimitExceeded);
  });
  with_node(vfs, [&](Node& node) {
    CHECK(node.machine.order == Texts{"empty", "large", "after"});
    CHECK(node.machine.values["large"] == large);
  });
}

TEST_CASE("large entries are compressed in the log, and applied as they were proposed") {
  const codec_zstd::ZstdCodec zstd(1);
  DriverOptions options;
  options.codec = &zstd;
  options.codecs = {&zstd};
  FaultyVfs vfs;
  const std::string large(300'000, 'x');
  const auto set_large = [&](Node& node) {
    const std::uint64_t before = node.driver.state().retained_bytes;
    REQUIRE(node.set("large", large));
    CHECK(node.machine.values["large"] == large);
    CHECK(node.driver.state().retained_bytes - before < large.size() / 10);
  };
  with_node(vfs, set_large, options);
  with_node(vfs, [&](Node& node) { CHECK(node.machine.values["large"] == large); }, options);
  CHECK(simulate(1, [&](fiber::SimRuntime& runtime) {
    Node node(vfs, runtime.clock());  // a binary without the codec
    const Status started = node.start();
    REQUIRE_FALSE(started);
    CHECK(started.error().code() == Code::kUnsupported);
  }));
}

TEST_CASE("proposals of many fibers are applied in the order of their stamps") {
  FaultyVfs vfs;
  with_node(vfs, [](Node& node) {
    fiber::TaskGroup group;
    for (int writer = 0; writer < 20; ++writer)
      group.spawn({.name = "writer"}, [&node, writer] {
        for (int i = 0; i < 10; ++i)
          CHECK(node.set(std::to_string(writer) + '.' + std::to_string(i), "v"));
      });
    group.join();
    CHECK(node.machine.order.size() == 200);
  });
}

TEST_CASE("a relaxed proposal does not wait for the disk, but for what is before it") {
  FaultyOptions slow;
  slow.pause = [] { static_cast<void>(pass_time(10ms)); };
  FaultyVfs vfs(slow);
  with_node(vfs, [](Node& node) {
    SetValue first("a", "1");
    const Instant begin = fiber::clock().now();
    REQUIRE(node.driver.propose_relaxed(first));
    CHECK(fiber::clock().now() - begin < 10ms);
    CHECK(node.driver.state().applied > node.driver.state().durable);
    CHECK(node.machine.values["a"] == "1");
    REQUIRE(node.set("b", "2"));
    CHECK(fiber::clock().now() - begin >= 10ms);
  });
  with_node(vfs, [](Node& node) { CHECK(node.machine.order == Texts{"a", "b"}); });
}

TEST_CASE("local records are replayed among the entries") {
  FaultyVfs vfs;
  with_node(vfs, [](Node& node) {
    REQUIRE(node.set("a", "1"));
    REQUIRE(node.driver.append_local(as_bytes("delta")));
    REQUIRE(node.set("b", "2"));
    CHECK(node.machine.order == Texts{"a", "b"});
  });
  with_node(vfs, [](Node& node) { CHECK(node.machine.order == Texts{"a", "local delta", "b"}); });
}

TEST_CASE("replay skips what the machine has in its own files") {
  FaultyVfs vfs;
  LogIndex first;
  with_node(vfs, [&](Node& node) {
    first = node.set("a", "1")->index;
    REQUIRE(node.set("b", "2"));
  });
  CHECK(simulate(1, [&](fiber::SimRuntime& runtime) {
    Node node(vfs, runtime.clock());
    node.machine.skip_through = first;
    REQUIRE(node.start());
    CHECK(node.machine.order == Texts{"b"});
    node.stop();
  }));
  CHECK(simulate(1, [&](fiber::SimRuntime& runtime) {
    Node node(vfs, runtime.clock());
    node.machine.skip_through = {1000};
    const Status started = node.start();
    REQUIRE_FALSE(started);
    CHECK(started.error().code() == Code::kCorruption);
  }));
}

TEST_CASE("timestamps increase over restarts, even if the wall clock goes back") {
  FaultyVfs vfs;
  Hlc last = Hlc::zero();
  for (const std::int64_t year : {2031, 2030, 2035}) {
    fiber::SimRuntime runtime(
        fiber::SimOptions{.wall_start = {(year - 1970) * 365 * std::int64_t{86'400'000'000}}});
    CHECK(runtime.run([&] {
      Node node(vfs, runtime.clock());
      REQUIRE(node.start());
      const auto at = node.set("a", std::to_string(year));
      REQUIRE(at);
      CHECK(at->hlc > last);
      last = at->hlc;
      node.stop();
    }));
  }
}

TEST_CASE("released segments are used again, and the log stays small") {
  FaultyVfs vfs;
  std::size_t most = 0;
  with_node(vfs, [&](Node& node) {
    for (int i = 0; i < 300; ++i) {
      const auto at = node.set("k" + std::to_string(i % 7), std::string(3000, 'x'));
      REQUIRE(at);
      node.driver.release_through(at->index);
      most = std::max(most, files(vfs));
      CHECK(node.driver.state().retained_bytes < 4 * kTestSegmentBytes);
    }
  });
  CHECK(most <= 6);
  CHECK(simulate(1, [&](fiber::SimRuntime& runtime) {
    Node node(vfs, runtime.clock());
    node.machine.skip_through = {300};  // index 1 is the leader's own entry
    REQUIRE(node.start());
    CHECK(node.machine.order == Texts{"k5"});
    node.stop();
  }));
  CHECK(simulate(1, [&](fiber::SimRuntime& runtime) {
    Node node(vfs, runtime.clock());  // needs entry 1
    const Status started = node.start();
    REQUIRE_FALSE(started);
    CHECK(started.error().to_string().find("the log begins at entry") != std::string::npos);
  }));
}

TEST_CASE("a full disk refuses, and recovers when there is room again") {
  FaultyVfs vfs;
  with_node(vfs, [&](Node& node) {
    vfs.add_rule({.fault = Fault::kDiskFull, .op = FileOp::kCreateSegment, .times = 1'000'000});
    int written = 0;
    Result<LogPosition> last = LogPosition{};
    while (last && written < 100) {
      last = node.set("k" + std::to_string(written), std::string(3000, 'x'));
      if (last) ++written;
    }
    REQUIRE_FALSE(last);
    CHECK(last.error().code() == Code::kDiskFull);
    CHECK(written > 5);
    CHECK(node.driver.append_local(as_bytes("delta")).error().code() == Code::kDiskFull);
    CHECK(node.machine.order.size() == static_cast<std::size_t>(written));
    vfs.clear_rules();
    REQUIRE(pass_time(2 * kDiskFullRetryDelay));
    for (int i = 0; i < 30; ++i) CHECK(node.set("later", std::string(3000, 'x')));
  });
}

TEST_CASE("a unit that the disk had no room for is written when it has") {
  FaultyVfs vfs;
  with_node(vfs, [&](Node& node) {
    REQUIRE(node.set("a", "1"));
    vfs.add_rule({.fault = Fault::kDiskFull, .op = FileOp::kWrite, .times = 3});
    CHECK(node.set("b", "2"));
    CHECK(node.set("c", "3"));
  });
  with_node(vfs, [](Node& node) { CHECK(node.machine.order == Texts{"a", "b", "c"}); });
}

TEST_CASE("an I/O error stops the log for good, and says that the outcome is unknown") {
  FaultyVfs vfs;
  with_node(vfs, [&](Node& node) {
    REQUIRE(node.set("a", "1"));
    vfs.add_rule({.fault = Fault::kTorn, .op = FileOp::kWrite});
    const auto failed = node.set("b", "2");
    REQUIRE_FALSE(failed);
    CHECK(failed.error().code() == Code::kUnavailable);
    CHECK(failed.error().message().find("unknown") != std::string::npos);
    const auto later = node.set("c", "3");  // though the disk would take it
    REQUIRE_FALSE(later);
    CHECK(later.error().code() == Code::kUnavailable);
    CHECK_FALSE(node.driver.append_local(as_bytes("delta")));
  });
  with_node(vfs, [](Node& node) {
    REQUIRE_FALSE(node.machine.order.empty());
    CHECK(node.machine.order[0] == "a");
    CHECK_FALSE(node.machine.values.contains("c"));
    CHECK(node.set("d", "4"));
  });
}

TEST_CASE("an error of apply stops the log") {
  FaultyVfs vfs;
  with_node(vfs, [](Node& node) {
    node.machine.before_apply = [](const Entry&) -> Status {
      return fail(Code::kCorruption, "no such tree");
    };
    const auto failed = node.set("a", "1");
    REQUIRE_FALSE(failed);
    CHECK(failed.error().message().find("applying entry 2: no such tree") != std::string::npos);
    CHECK_FALSE(node.set("b", "2"));
  });
}

TEST_CASE("one machine at a time; a detached one gets nothing more") {
  FaultyVfs vfs;
  with_node(vfs, [](Node& node) {
    REQUIRE(node.set("a", "1"));
    KvMachine other;
    const auto second = node.driver.attach(other);
    REQUIRE_FALSE(second);
    CHECK(second.error().code() == Code::kAlreadyExists);
    node.attachment.reset();
    const auto orphan = node.set("b", "2");
    REQUIRE_FALSE(orphan);
    CHECK(orphan.error().code() == Code::kUnavailable);
    auto attached = node.driver.attach(other);
    REQUIRE(attached);
    CHECK(other.order == Texts{"a"});
    node.attachment = *std::move(attached);
    REQUIRE(node.set("c", "3"));
    CHECK(other.order == Texts{"a", "c"});
    CHECK(node.machine.order == Texts{"a"});
    node.attachment.reset();
  });
}

TEST_CASE("a machine that parks in apply stops no write") {
  FaultyVfs vfs;
  with_node(vfs, [](Node& node) {
    node.machine.before_apply = [](const Entry&) { return pass_time(1s); };
    fiber::Task slow = fiber::spawn({.name = "slow"}, [&] { CHECK(node.set("a", "1")); });
    REQUIRE(pass_time(100ms));
    const LogIndex before = node.driver.state().durable;
    fiber::Task next = fiber::spawn({.name = "next"}, [&] { CHECK(node.set("b", "2")); });
    REQUIRE(pass_time(100ms));
    CHECK(node.driver.state().durable > before);
    CHECK(node.machine.order.empty());
    slow.join();
    next.join();
  });
}

TEST_CASE("when the queue runs empty a seal follows within 50 ms") {
  FaultyVfs vfs;
  with_node(vfs, [&](Node& node) {
    REQUIRE(node.set("a", "1"));
    const std::uint64_t before = vfs.steps();
    REQUIRE(pass_time(50ms));
    const std::uint64_t sealed = vfs.steps();
    CHECK(sealed > before);
    REQUIRE(pass_time(1s));
    CHECK(vfs.steps() == sealed);  // one is enough
  });
}

}  // namespace
}  // namespace coppice::raft
