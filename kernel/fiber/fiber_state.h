// fiber_state.h — the control block of a fiber. Internal: users see fiber.h.
//
// Owns:     the fiber's function and, while it runs, its stack.
// Threads:  fields belong to the scheduler that runs the fiber, except where noted.
// Holds:    blocks are never freed before their runtime is, only reused; so a ticket of a fiber
// that
//           has ended is harmless, its epoch is past.
#pragma once

#include <atomic>
#include <boost/intrusive/list.hpp>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "kernel/base/ticks.h"
#include "kernel/fiber/fiber.h"
#include "kernel/fiber/stack_pool.h"
#include "kernel/fiber/switch.h"

namespace coppice::fiber {

class Scheduler;
struct TenantQueue;

using Hook =
    boost::intrusive::list_member_hook<boost::intrusive::link_mode<boost::intrusive::normal_link>>;

class Fiber {
 public:
  void prepare(const Options& options, Entry function, TaskGroup* in_group);

  // --- set at spawn ---
  std::string_view name;
  std::uint64_t id = 0;  // counts the spawns of one scheduler
  Priority priority = Priority::kQuery;
  bool home = false;
  Account* account = nullptr;
  CancelToken* cancel = nullptr;
  TaskGroup* group = nullptr;  // null: joined through a Task, or posted
  Entry entry;

  // --- running ---
  Scheduler* scheduler = nullptr;  // set when it first runs; constant from then on
  Context context;                 // context.at is null until it first runs
  Stack stack;
  Ticks ticks = 0;       // CPU of the stays that ended
  unsigned no_park = 0;  // NoPark scopes open
  bool in_use = false;   // between spawn and reuse
  bool posted = false;   // counted by the runtime, joined by nobody

  // --- waiting; any thread ---
  // epoch << kEpochShift | Wake << kWakeShift | Phase
  enum Phase : std::uint64_t { kRunning, kPreparing, kParked, kWoken };
  static constexpr unsigned kWakeShift = 2;
  static constexpr unsigned kEpochShift = 4;
  static constexpr std::uint64_t kPhaseMask = 3;
  std::atomic<std::uint64_t> word = 0;

  // --- joining; any thread: 0, the address of the joiner's ParkTicket, or kEnded ---
  static constexpr std::uintptr_t kEnded = 1;
  std::atomic<std::uintptr_t> join = 0;

  // --- queues ---
  Hook queue_hook;                // of the ready queue it is in
  Hook start_hook;                // of the starts that may be stolen; under that queue's mutex
  TenantQueue* tenant = nullptr;  // of that queue
  std::uint64_t stamp = 0;        // order of arrival in it
  Fiber* next_remote = nullptr;   // of a worker's inbox
};

using ReadyList =
    boost::intrusive::list<Fiber, boost::intrusive::member_hook<Fiber, Hook, &Fiber::queue_hook>,
                           boost::intrusive::constant_time_size<false>>;
using StartList =
    boost::intrusive::list<Fiber, boost::intrusive::member_hook<Fiber, Hook, &Fiber::start_hook>,
                           boost::intrusive::constant_time_size<false>>;

// Control blocks of one runtime. Threads: any; schedulers keep a few of their own.
class FiberPool {
 public:
  FiberPool() = default;
  void take(std::vector<Fiber*>& to, std::size_t count);
  Fiber& take_one();
  void give(std::vector<Fiber*>& from, std::size_t count);
  // Calls visit(fiber) for every block in use. Only while no worker runs.
  template <class Visit>
  void for_each_in_use(Visit visit) const {
    std::unique_lock lock(mutex_);
    for (const auto& fiber : all_)
      if (fiber->in_use) visit(*fiber);
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Fiber>> all_;
  std::vector<Fiber*> idle_;
};

}  // namespace coppice::fiber
