// scheduler.h — what runs fibers on one thread: the half that ThreadRuntime's workers and the
// simulator share.
//
// Role:     switches between its loop and fibers, keeps timers, spare stacks and control blocks.
//           A derived class decides who runs next.
// Threads:  one, which called enter(); make_ready() any.
// Parks:    suspend() is parking itself; everything else runs in the loop or returns at once.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "kernel/base/ticks.h"
#include "kernel/fiber/fiber_state.h"
#include "kernel/fiber/timers.h"

namespace coppice::fiber {

class Scheduler {
 public:
  Scheduler(Runtime& runtime, Clock& clock, FiberPool& fibers, StackPool& stacks);
  virtual ~Scheduler();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  // The scheduler of the calling thread; null on a thread that runs no fibers. Never inlined, see
  // current().
  [[gnu::noinline]] static Scheduler* here();

  Fiber* current() const { return current_; }
  Runtime& runtime() const { return runtime_; }
  Clock& clock() const { return clock_; }
  TimerHeap& timers() { return timers_; }

  // --- from a fiber of this thread, or its loop ---
  Fiber& create(const Options& options, Entry entry, TaskGroup* group);
  virtual void start(Fiber& fiber) = 0;  // a new fiber is ready to run
  void recycle(Fiber& fiber);            // joined and ended
  // CPU ticks; in the simulator a count that moves with every look, so that runs repeat.
  Ticks ticks_now() { return virtual_ticks_ ? virtual_now_ += kVirtualStep : read_ticks(); }
  Ticks stay_started() const { return stay_started_.load(std::memory_order_relaxed); }

  // --- from the running fiber ---
  enum class Then : std::uint8_t { kReady, kParked, kEnded };
  void suspend(Then then);
  void switch_account(Account* to);  // charges the stay so far to the one before
  // The cheap half of maybe_yield().
  bool due(unsigned cost) { return (countdown_ -= static_cast<int>(cost)) <= 0; }
  virtual Status checkpoint() = 0;  // the other half

  // --- any thread: `fiber` was parked and its waker has won ---
  virtual void make_ready(Fiber& fiber) = 0;

 protected:
  static constexpr int kCheckEvery = 64;

  void use_virtual_ticks() { virtual_ticks_ = true; }
  void enter();  // the calling thread is this scheduler's from now on
  void leave();
  // Runs `fiber` until it parks, yields or ends. Returns the ticks it took, counted from the end of
  // the stay before or from mark_ticks(): one reading of the TSC a stay, as it costs as much as a
  // switch.
  Ticks run(Fiber& fiber);
  void mark_ticks() { loop_ticks_ = ticks_now(); }  // the loop did something else meanwhile
  Ticks loop_ticks() const { return loop_ticks_; }
  virtual void ready_again(Fiber& fiber) = 0;  // it yielded, or was woken while parking
  virtual void posted_ended() = 0;             // a fiber of Runtime::post or run has ended
  void arm_checkpoint(int calls) { countdown_ = calls; }
  Status check_current();  // cancel token and account of the running fiber

  std::atomic<std::uint64_t> switches_ = 0;  // written by this thread alone
  std::atomic<std::uint64_t> spawned_ = 0;
  std::atomic<std::uint64_t> ended_ = 0;

 private:
  static constexpr Ticks kVirtualStep = 1000;
  static void fiber_main(boost::context::detail::transfer_t from) noexcept;
  void give_stack(Fiber& fiber);
  void ended(Fiber& fiber);

  Runtime& runtime_;
  Clock& clock_;
  FiberPool& pool_;
  StackCache stacks_;
  std::vector<Fiber*> spare_;
  TimerHeap timers_;
  Context loop_;
  Fiber* current_ = nullptr;
  Ticks charged_until_ = 0;  // of the present stay
  Then then_ = Then::kReady;
  int countdown_ = kCheckEvery;
  bool virtual_ticks_ = false;
  Ticks virtual_now_ = 0;
  Ticks loop_ticks_ = 0;                 // when the loop last looked
  std::atomic<Ticks> stay_started_ = 0;  // 0: in the loop; read by the watchdog
};

}  // namespace coppice::fiber
