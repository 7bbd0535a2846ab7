// fiber.h — spawn, join, yield, sleep: all that most code needs of the runtime.
//
// Role:     a fiber is a function with its own 256 KiB stack that runs on a worker thread until it
//           parks, yields or ends. Spawned fibers start on any worker of their lane; once started
//           they stay on it. Nothing is detached: who spawns, joins.
// Threads:  everything here is called from inside a fiber (Runtime::post is the way in).
// Parks:    join, yield, maybe_yield, sleep_*. spawn does not.
// Errors:   as values; a fiber's function must not let an exception out (it would terminate).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string_view>

#include "kernel/base/result.h"
#include "kernel/base/ticks.h"
#include "kernel/base/time.h"
#include "kernel/fiber/park.h"

namespace coppice::fiber {

class Account;
class CancelToken;
class Runtime;

using Entry = std::move_only_function<void()>;

// Who goes first on a worker. Declared in order of precedence; lane.h says what each one gets.
enum class Priority : std::uint8_t { kLog, kQuery, kUrgentFlush, kBackground };
inline constexpr std::size_t kPriorityCount = 4;

struct Options {
  std::string_view name;  // a literal, or a string that outlives the fiber
  Priority priority = Priority::kQuery;
  Account* account = nullptr;     // charged for its CPU; outlives it
  CancelToken* cancel = nullptr;  // obeyed by its waits; outlives it
  bool home = false;              // true: starts on the spawning worker, never stolen
};

// A running fiber, to be joined by whoever holds this. Move-only; destroying it unjoined asserts.
class [[nodiscard]] Task {
 public:
  Task() = default;
  Task(Task&& other) noexcept;
  Task& operator=(Task&& other) noexcept;  // asserts that *this held nothing
  ~Task();

  bool joinable() const { return fiber_ != nullptr; }
  // Parks until the fiber's function has returned. Cannot be cancelled: cancel the fiber instead.
  void join();

 private:
  friend Task spawn(Options options, Entry entry);
  explicit Task(Fiber* fiber) : fiber_(fiber) {}
  Fiber* fiber_ = nullptr;
};

Task spawn(Options options, Entry entry);

// Any number of fibers joined together; one that ends leaves at once. The caller bounds how many.
class TaskGroup {
 public:
  TaskGroup() = default;
  ~TaskGroup();  // asserts that it is empty
  TaskGroup(const TaskGroup&) = delete;
  TaskGroup& operator=(const TaskGroup&) = delete;

  void spawn(Options options, Entry entry);
  // Parks until no member is left, those that join meanwhile included. Not cancellable. One joiner.
  void join();
  std::size_t size() const { return size_.load(std::memory_order_acquire); }

  // For whoever starts a member later, like a socket waiting to become readable: add() now, then
  // either spawn_added() or leave().
  void add();
  void spawn_added(Options options, Entry entry);  // from a fiber or an event handler of a worker
  void leave() noexcept;

 private:
  std::atomic<std::size_t> size_ = 0;
  std::mutex mutex_;  // guards what follows; never held across a park
  bool joining_ = false;
  ParkTicket joiner_;
};

// Gives the others of this worker a turn.
void yield();
// For loops: almost free, yields when the fiber has had its quantum, and returns the error of a
// cancel token that was set, a deadline that passed, or a budget that refuses. Call it every few
// microseconds of work (about once a batch of rows).
// `cost`: how many ordinary calls this one stands for; 64 looks at once.
Status maybe_yield(unsigned cost = 1);

Status sleep_for(Duration duration);
Status sleep_until(Instant instant);

// The running fiber; null outside of fibers. Never inlined: a thread-local's address must not be
// kept across a park.
[[gnu::noinline]] Fiber* current();
std::string_view current_name();  // "" outside of fibers
Account* current_account();       // may be null
CancelToken* current_cancel();    // may be null
Ticks current_ticks();            // CPU of the running fiber so far, this stay included

Runtime& runtime();  // of the running fiber
Clock& clock();      // runtime().clock(), without the detour

}  // namespace coppice::fiber
