// run_queue.h — the ready fibers of one worker, and who of them goes next.
//
// Role:     lane.h's table as code. Per priority a ring of tenants, served by deficit round robin
// in
//           CPU ticks: a tenant's turn ends when what its fibers used exceeds its quantum, and what
//           it used too much it waits for. Within a tenant first come, first served, except that a
//           fiber which has used more than kLongAfter stands in a second line that is looked at
//           when the first is empty or every kLongTurn-th time. Priorities other than query have
//           one tenant. After Shreedhar and Varghese, "Efficient Fair Queuing using Deficit Round
//           Robin" (1995); costs are known only afterwards, so deficits go negative.
// Threads:  the owning worker; steal(), starts_waiting() and waiting() any. Resumes never lock:
// only
//           fibers that have not started sit where a thief may look.
// Parks:    never.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "kernel/base/ticks.h"
#include "kernel/fiber/fiber_state.h"
#include "kernel/fiber/lane.h"

namespace coppice::fiber {

inline constexpr Duration kTenantQuantum = 100us;  // times the tenant's weight
inline constexpr Duration kTenantDebtMax = 10ms;
inline constexpr Duration kLongAfter = 1ms;
inline constexpr unsigned kLongTurn = 8;
inline constexpr std::size_t kTenantsKept = 64;  // idle ones beyond that are forgotten

struct TenantQueue {
  std::uint32_t id = 0;
  std::int64_t deficit = 0;  // ticks it may still use in this turn
  std::int64_t quantum = 0;
  bool in_ring = false;
  unsigned turns = 0;
  ReadyList ready;              // have run before, or may not be stolen
  ReadyList ready_long;         // … and used more than kLongAfter
  ReadyList starts;             // under RunQueue::mutex_
  TenantQueue* next = nullptr;  // in the ring
};

class RunQueue {
 public:
  RunQueue();
  ~RunQueue();

  void push(Fiber& fiber);        // to be resumed, or to start here and nowhere else
  void push_start(Fiber& fiber);  // to start here or at a thief's
  Fiber* pop();                   // null when nothing is ready
  // The fiber that pop() gave used this much CPU.
  void charge(Ticks ticks);

  // From another worker: the fiber that has waited longest for its start, when at least
  // `waiting_min` fibers wait here.
  Fiber* steal(std::size_t waiting_min);

  std::size_t starts_waiting() const { return starts_waiting_.load(std::memory_order_relaxed); }
  std::size_t waiting() const {
    return ready_waiting_.load(std::memory_order_relaxed) + starts_waiting();
  }
  bool empty() const { return waiting() == 0; }

 private:
  struct Level {
    TenantQueue* last = nullptr;  // ring of tenants with something to run; last->next is first
    std::unordered_map<std::uint32_t, std::unique_ptr<TenantQueue>> tenants;
  };

  TenantQueue& tenant_of(const Fiber& fiber);
  void enter_ring(std::size_t index, TenantQueue& tenant);
  void leave_ring(std::size_t index, TenantQueue& tenant);  // it is the first
  void forget_idle(Level& level);
  Fiber* pop_level(std::size_t index);
  Fiber* pop_tenant(TenantQueue& tenant);
  Fiber* take_ready(ReadyList& list);
  void add_ready_waiting(std::size_t by);

  const Ticks quantum_;
  const Ticks debt_max_;
  const Ticks long_after_;
  std::array<Level, kPriorityCount> levels_;
  unsigned active_levels_ = 0;  // bit i: level i has tenants in its ring
  std::uint64_t stamps_ = 0;
  unsigned picks_ = 0;
  std::int64_t background_credit_ = 0;  // ticks it is owed when flush ran
  std::size_t running_level_ = 0;
  TenantQueue* running_ = nullptr;
  std::atomic<std::size_t> ready_waiting_ = 0;  // written by the owner
  std::mutex mutex_;                            // guards starts_ and every tenant's starts
  StartList starts_;
  std::atomic<std::size_t> starts_waiting_ = 0;  // written under mutex_
};

}  // namespace coppice::fiber
