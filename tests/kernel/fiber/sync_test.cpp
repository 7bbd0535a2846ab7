// sync_test.cpp — every primitive: what it promises, in order, under cancellation and deadlines.
#include "kernel/fiber/sync.h"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "kernel/fiber/cancel.h"
#include "tests/kernel/fiber/runtimes.h"

namespace coppice::fiber {

namespace {
// A wait of each kind that nobody will ever satisfy.
template <class Check>
void for_each_endless_wait(Check check) {
  {
    Mutex mutex;
    MutexGuard held(mutex);
    check([&](Deadline deadline) { return mutex.lock(deadline); });
  }
  {
    Condition condition;
    Mutex mutex;
    check([&](Deadline deadline) {
      MutexGuard held(mutex);
      return condition.wait(mutex, deadline);
    });
  }
  {
    Event event;
    check([&](Deadline deadline) { return event.wait(deadline); });
  }
  {
    Semaphore semaphore(1);
    check([&](Deadline deadline) { return semaphore.acquire(2, deadline); });
    CHECK(semaphore.available() == 1);
  }
  {
    Channel<int> empty(1);
    check([&](Deadline deadline) -> Status {
      COPPICE_TRY(empty.receive(deadline));
      return {};
    });
  }
  {
    Channel<int> full(1);
    int one = 1;
    CHECK(full.try_send(one));
    check([&](Deadline deadline) { return full.send(2, deadline); });
    CHECK(full.size() == 1);
  }
}
}  // namespace

TEST_CASE("every wait ends when its token is cancelled") {
  everywhere([] {
    for_each_endless_wait([](auto wait) {
      CancelToken token;
      Task waiter = spawn({.name = "waiter", .cancel = &token}, [&] {
        const Status status = wait(Deadline::never());
        REQUIRE_FALSE(status.has_value());
        CHECK(status.error().code() == Code::kCancelled);
      });
      yield();
      token.cancel();
      waiter.join();
    });
  });
}

TEST_CASE("every wait ends at its deadline and at that of its token") {
  everywhere([] {
    for_each_endless_wait([](auto wait) {
      const Status status = wait(clock().now() + 100us);
      REQUIRE_FALSE(status.has_value());
      CHECK(status.error().code() == Code::kDeadlineExceeded);
      CHECK_FALSE(wait(clock().now() - 1us).has_value());  // one that has passed already
      CancelToken token(clock().now() + 100us);
      CancelScope scope(&token);
      CHECK_FALSE(wait(Deadline::never()).has_value());
    });
  });
}

TEST_CASE("a mutex excludes") {
  everywhere([] {
    Mutex mutex;
    int inside = 0;
    int total = 0;
    TaskGroup group;
    for (int i = 0; i < 4; ++i)
      group.spawn({.name = "entrant"}, [&] {
        for (int k = 0; k < 5; ++k) {
          MutexGuard guard(mutex);
          CHECK(++inside == 1);
          yield();
          --inside;
          ++total;
        }
      });
    group.join();
    CHECK(total == 20);
    CHECK(mutex.try_lock());
    CHECK_FALSE(mutex.try_lock());
    mutex.unlock();
  });
}

TEST_CASE("a mutex is handed over first come, first served, past those who gave up") {
  everywhere([] {
    Mutex mutex;
    std::vector<int> order;
    TaskGroup group;
    CancelToken token;
    {
      MutexGuard held(mutex);
      for (int i = 0; i < 4; ++i) {
        Event in_line;
        group.spawn({.name = "entrant", .cancel = i == 1 ? &token : nullptr, .home = true}, [&, i] {
          in_line.set();
          Result<MutexGuard> guard = MutexGuard::lock(mutex);
          if (guard) order.push_back(i);
        });
        CHECK(in_line.wait().has_value());
        yield();
      }
      token.cancel();
    }
    group.join();
    CHECK(order == std::vector<int>{0, 2, 3});
  });
}

TEST_CASE("a condition wakes one or all and holds the mutex again") {
  everywhere([] {
    Mutex mutex;
    Condition condition;
    int turn = 0;
    int served = 0;
    TaskGroup group;
    for (int i = 0; i < 3; ++i)
      group.spawn({.name = "waiter"}, [&] {
        MutexGuard guard(mutex);
        while (turn == 0) CHECK(condition.wait(mutex).has_value());
        --turn;
        ++served;
      });
    {
      MutexGuard guard(mutex);
      turn = 1;
      condition.notify_one();
    }
    yield();
    {
      MutexGuard guard(mutex);
      turn += 2;
      condition.notify_all();
    }
    group.join();
    CHECK(served == 3);
  });
}

TEST_CASE("an event stays set until it is reset") {
  everywhere([] {
    Event event;
    TaskGroup group;
    for (int i = 0; i < 3; ++i)
      group.spawn({.name = "waiter"}, [&] { CHECK(event.wait().has_value()); });
    yield();
    event.set();
    CHECK(event.wait().has_value());
    group.join();
    CHECK(event.is_set());
    event.reset();
    CHECK_FALSE(event.is_set());
    CHECK_FALSE(event.wait(clock().now() + 10us).has_value());
  });
}

TEST_CASE("a semaphore hands out in order, and a large request is not starved") {
  everywhere([] {
    Semaphore semaphore(2);
    CHECK(semaphore.acquire(2).has_value());
    bool large = false;
    Task wants_two = spawn({.name = "large"}, [&] {
      CHECK(semaphore.acquire(2).has_value());
      large = true;
      semaphore.release(2);
    });
    Task wants_one = spawn({.name = "small"}, [&] {
      CHECK(semaphore.acquire().has_value());
      semaphore.release();
    });
    yield();
    semaphore.release();
    yield();
    semaphore.release();
    wants_two.join();
    wants_one.join();
    CHECK(large);
    CHECK(semaphore.available() == 2);
    CHECK_FALSE(semaphore.try_acquire(3));
    CHECK(semaphore.try_acquire(2));
  });
}

TEST_CASE("a large request that gives up lets the small ones behind it through") {
  everywhere([] {
    Semaphore semaphore(1);
    CancelToken token;
    Task large = spawn({.name = "large", .cancel = &token, .home = true},
                       [&] { CHECK_FALSE(semaphore.acquire(5).has_value()); });
    yield();
    Task small =
        spawn({.name = "small", .home = true}, [&] { CHECK(semaphore.acquire(1).has_value()); });
    yield();
    token.cancel();
    large.join();
    small.join();
  });
}

TEST_CASE("a channel keeps order, bounds itself, and drains after close") {
  everywhere([] {
    Channel<std::string> channel(2);
    std::vector<std::string> got;
    Task receiver = spawn({.name = "receiver"}, [&] {
      for (;;) {
        Result<std::optional<std::string>> value = channel.receive();
        REQUIRE(value.has_value());
        if (!value->has_value()) return;
        got.push_back(**value);
        yield();
      }
    });
    for (int i = 0; i < 10; ++i) {
      CHECK(channel.send(std::to_string(i)).has_value());
      CHECK(channel.size() <= 2);
    }
    channel.close();
    CHECK_FALSE(channel.send("late").has_value());
    receiver.join();
    REQUIRE(got.size() == 10);
    for (int i = 0; i < 10; ++i) CHECK(got[static_cast<std::size_t>(i)] == std::to_string(i));
    CHECK_FALSE(channel.try_receive().has_value());
  });
}

TEST_CASE("close() reaches senders and receivers that wait") {
  everywhere([] {
    Channel<int> full(1);
    CHECK(full.send(1).has_value());
    Task sender = spawn({.name = "sender"}, [&] {
      const Status status = full.send(2);
      REQUIRE_FALSE(status.has_value());
      CHECK(status.error().code() == Code::kUnavailable);
    });
    Channel<int> empty(1);
    Task receiver = spawn({.name = "receiver"}, [&] {
      Result<std::optional<int>> value = empty.receive();
      CHECK((value.has_value() && !value->has_value()));
    });
    yield();
    full.close();
    empty.close();
    sender.join();
    receiver.join();
    CHECK(full.try_receive() == 1);
  });
}

TEST_CASE("many senders, many receivers, cancellation and deadlines: every value arrives once") {
  everywhere([] {
    Channel<int> channel(3);
    std::atomic<int> sent = 0;
    std::atomic<int> received = 0;
    TaskGroup senders;
    TaskGroup receivers;
    CancelToken token;
    for (int i = 0; i < 3; ++i) {
      senders.spawn({.name = "sender", .cancel = i == 0 ? &token : nullptr}, [&] {
        for (int k = 1; k <= 20; ++k)
          if (channel.send(k)) sent += k;
      });
      receivers.spawn({.name = "receiver"}, [&, i] {
        for (;;) {
          const Deadline deadline = i == 0 ? clock().now() + 1us : Deadline::never();
          Result<std::optional<int>> value = channel.receive(deadline);
          if (!value) continue;
          if (!value->has_value()) return;
          received += **value;
        }
      });
    }
    yield();
    token.cancel();
    senders.join();
    channel.close();
    receivers.join();
    CHECK(sent == received);
  });
}

TEST_CASE("threads outside the runtime wake fibers") {
  on_threads([] {
    Event event;
    Channel<int> channel(1);
    std::thread outsider([&] {
      event.set();
      for (int i = 0; i < 100;)
        if (int value = i; channel.try_send(value)) ++i;
    });
    CHECK(event.wait().has_value());
    for (int i = 0; i < 100; ++i) {
      Result<std::optional<int>> value = channel.receive();
      CHECK((value.has_value() && *value == i));
    }
    run_blocking([&] { outsider.join(); });
  });
}

TEST_CASE("two workers play ping-pong through channels") {
  on_threads([] {
    Channel<int> there(1);
    Channel<int> back(1);
    Task partner = spawn({.name = "partner"}, [&] {
      for (;;) {
        Result<std::optional<int>> value = there.receive();
        if (!value || !value->has_value()) return back.close();
        CHECK(back.send(**value + 1).has_value());
      }
    });
    for (int i = 0; i < 2000; ++i) {
      CHECK(there.send(i).has_value());
      Result<std::optional<int>> value = back.receive();
      CHECK((value.has_value() && *value == i + 1));
    }
    there.close();
    partner.join();
  });
}

}  // namespace coppice::fiber
