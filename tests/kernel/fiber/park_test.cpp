// park_test.cpp — the park protocol: one waker wins, no wake is lost, old tickets are harmless.
#include "kernel/fiber/park.h"

#include <atomic>
#include <thread>
#include <vector>

#include "kernel/fiber/fiber.h"
#include "kernel/fiber/sync.h"
#include "tests/kernel/fiber/runtimes.h"

namespace coppice::fiber {

namespace {

// Runs `main` once for every sequence of choices the simulator can make. `main` ends in a bounded
// number of steps whatever is chosen. Returns how many runs there were.
template <class Main>
std::size_t for_all_interleavings(Main main) {
  std::vector<std::uint32_t> choices;
  std::size_t runs = 0;
  for (;;) {
    std::vector<std::uint32_t> alternatives;
    SimRuntime simulator(
        SimOptions{.preempt_chance = 0, .choices = &choices, .chosen = &alternatives});
    const Status status = simulator.run([&main] { main(); });
    ++runs;
    if (!status) FAIL("run " << runs << ": " << status.error().to_string());
    choices.resize(alternatives.size(), 0);
    while (!choices.empty() && choices.back() + 1 == alternatives[choices.size() - 1])
      choices.pop_back();
    if (choices.empty()) return runs;
    ++choices.back();
  }
}

}  // namespace

TEST_CASE("all interleavings of two wakers and two waits: one wins, none is lost") {
  const std::size_t runs = for_all_interleavings([] {
    ParkTicket ticket;
    int wins = 0;
    int wakes = 0;
    bool published = false;
    Event published_event;
    Task waiter = spawn({.name = "waiter"}, [&] {
      ticket = prepare_park();
      published = true;
      published_event.set();
      yield();  // a waker may come between the two steps
      park_shielded(ticket);
      ++wakes;
    });
    const auto waker = [&] {
      if (!published) yield();
      if (published && unpark(ticket)) ++wins;
      yield();
      if (published && unpark(ticket)) ++wins;  // a second time, too late or not
    };
    Task first = spawn({.name = "waker 1"}, waker);
    Task second = spawn({.name = "waker 2"}, waker);
    first.join();
    second.join();
    if (wins == 0) {  // both were done before it stood in line
      CHECK(published_event.wait().has_value());
      CHECK(unpark(ticket));
      ++wins;
    }
    waiter.join();
    CHECK(wins == 1);
    CHECK(wakes == 1);
    CHECK_FALSE(unpark(ticket));
  });
  CHECK(runs > 1000);
}

TEST_CASE(
    "all interleavings of a signal, a cancellation and a deadline: exactly one is the reason") {
  std::size_t reasons[4] = {};
  for_all_interleavings([&] {
    ParkTicket ticket;
    Wake why{};
    bool published = false;
    int wins = 0;
    Task waiter = spawn({.name = "waiter"}, [&] {
      ticket = prepare_park();
      published = true;
      why = park(ticket, clock().now() + 1us);
    });
    Task signal = spawn({.name = "signal"}, [&] {
      if (published && unpark(ticket, Wake::kSignalled)) ++wins;
    });
    Task cancel = spawn({.name = "cancel"}, [&] {
      if (published && unpark(ticket, Wake::kCancelled)) ++wins;
    });
    waiter.join();
    signal.join();
    cancel.join();
    CHECK(wins == (why == Wake::kDeadline ? 0 : 1));
    ++reasons[static_cast<std::size_t>(why)];
  });
  for (const Wake why : {Wake::kSignalled, Wake::kCancelled, Wake::kDeadline})
    CHECK(reasons[static_cast<std::size_t>(why)] > 0);
}

TEST_CASE("a ticket of an earlier wait, or of a fiber that has ended, wakes nobody") {
  everywhere([] {
    ParkTicket old;
    spawn({.name = "first", .home = true}, [&] {
      old = prepare_park();
      CHECK(unpark(old));
      park_shielded(old);
      CHECK_FALSE(unpark(old));
    }).join();
    CHECK_FALSE(unpark(old));
    bool woken = false;
    ParkTicket now;
    Task second = spawn({.name = "second", .home = true}, [&] {  // most likely in the same block
      now = prepare_park();
      park_shielded(now);
      woken = true;
    });
    while (now.fiber == nullptr) yield();
    CHECK_FALSE(unpark(old));
    yield();
    CHECK_FALSE(woken);
    CHECK(unpark(now));
    second.join();
  });
}

TEST_CASE("wakes that race with the park from other threads are not lost") {
  on_threads([] {
    constexpr int kRounds = 3'000;
    std::atomic<std::uint64_t> epoch = 0;  // of the published ticket; 0: none
    Fiber* const self = current();
    std::atomic<bool> stop = false;
    const auto wake = [&] {
      int wins = 0;
      while (!stop)
        if (const std::uint64_t seen = epoch.load(); seen != 0 && unpark({self, seen})) ++wins;
      return wins;
    };
    int wins_a = 0;
    int wins_b = 0;
    std::thread a([&] { wins_a = wake(); });
    std::thread b([&] { wins_b = wake(); });
    for (int i = 0; i < kRounds; ++i) {
      const ParkTicket ticket = prepare_park();
      epoch = ticket.epoch;
      park_shielded(ticket);
    }
    stop = true;
    run_blocking([&] {
      a.join();
      b.join();
    });
    CHECK(wins_a + wins_b >= kRounds);      // run_blocking parks too, and they may win that
    CHECK(wins_a + wins_b <= kRounds + 1);  // but never one wait twice
  });
}

}  // namespace coppice::fiber
