// sim_test.cpp — the simulator repeats itself, explores, and finds deadlocks.
#include "kernel/fiber/sim_runtime.h"

#include <array>
#include <set>
#include <string>
#include <vector>

#include "kernel/fiber/account.h"
#include "kernel/fiber/sync.h"
#include "tests/kernel/fiber/runtimes.h"

namespace coppice::fiber {

namespace {

// A bit of everything; returns what happened in which order.
std::string busy_program(SimRuntime& simulator) {
  std::string log;
  Account account(TenantId{1});
  const Status status = simulator.run([&] {
    Mutex mutex;
    Channel<int> channel(2);
    TaskGroup group;
    auto listener = simulator.net().listen("127.0.0.1", 5432);
    REQUIRE(listener.has_value());
    group.spawn({.name = "server", .account = &account}, [&] {
      auto socket = (*listener)->accept();
      std::array<std::byte, 64> bytes;
      while (true) {
        const auto got = (*socket)->read(bytes);
        if (!got || *got == 0) break;
        log += "r" + std::to_string(*got);
      }
    });
    group.spawn({.name = "client"}, [&] {
      auto socket = simulator.net().connect("127.0.0.1", 5432);
      for (int i = 0; i < 10; ++i)
        CHECK((*socket)->write_all(as_bytes("some words to be cut in pieces")).has_value());
    });
    for (int i = 0; i < 4; ++i)
      group.spawn({.name = "worker"}, [&, i] {
        for (int k = 0; k < 5; ++k) {
          CHECK(maybe_yield().has_value());
          MutexGuard guard(mutex);
          CHECK(sleep_for(Duration(100us)).has_value());
          log += std::to_string(i);
          if (channel.size() < 2) CHECK(channel.send(i).has_value());
        }
      });
    group.spawn({.name = "reader"}, [&] {
      while (channel.receive(clock().now() + 50ms)) run_blocking([] {});
    });
    group.join();
  });
  CHECK(status.has_value());
  return log + " " + std::to_string(account.ticks());
}

}  // namespace

TEST_CASE("the same seed gives the same run, another seed another one") {
  std::set<std::uint64_t> hashes;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SimRuntime first(seed);
    SimRuntime second(seed);
    CHECK(busy_program(first) == busy_program(second));
    CHECK(first.trace_hash() == second.trace_hash());
    CHECK(first.clock().now() == second.clock().now());
    hashes.insert(first.trace_hash());
  }
  CHECK(hashes.size() == 100);
}

TEST_CASE("fibers that wait for each other are found and named") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SimRuntime simulator(seed);
    const Status status = simulator.run([&] {
      Mutex a;
      Mutex b;
      Task left = spawn({.name = "left"}, [&] {
        a.lock_shielded();
        CHECK(sleep_for(10ms).has_value());
        b.lock_shielded();
      });
      Task right = spawn({.name = "right"}, [&] {
        b.lock_shielded();
        CHECK(sleep_for(10ms).has_value());
        a.lock_shielded();
      });
      left.join();
      right.join();
    });
    REQUIRE_FALSE(status.has_value());
    CHECK(status.error().code() == Code::kDeadlock);
    CHECK(status.error().message().find("left") != std::string::npos);
    CHECK(status.error().message().find("right") != std::string::npos);
  }
}

TEST_CASE("a lost update is found by some seed") {
  std::size_t lost = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SimRuntime simulator(seed);
    int balance = 0;
    CHECK(simulator
              .run([&] {
                TaskGroup group;
                for (int i = 0; i < 2; ++i)
                  group.spawn({.name = "teller"}, [&] {
                    const int read = balance;
                    CHECK(maybe_yield().has_value());
                    balance = read + 1;
                  });
                group.join();
              })
              .has_value());
    lost += balance != 2 ? 1 : 0;
  }
  CHECK(lost > 0);
  CHECK(lost < 200);
}

TEST_CASE("a run that does not end is stopped") {
  SimRuntime simulator(SimOptions{.seed = 1, .max_steps = 1000});
  const Status status = simulator.run([] {
    for (;;) yield();
  });
  REQUIRE_FALSE(status.has_value());
  CHECK(status.error().code() == Code::kLimitExceeded);
}

TEST_CASE("there are no files in the simulator") {
  SimRuntime simulator(1);
  CHECK(simulator
            .run([&] {
              CHECK(simulator.disk().engine() == DiskEngine::kNone);
              CHECK_FALSE(simulator.disk().sync(0, DiskSync::kAll).has_value());
            })
            .has_value());
}

}  // namespace coppice::fiber
