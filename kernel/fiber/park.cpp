// park.cpp — the protocol between a fiber that waits and those who may wake it.
#include "kernel/fiber/park.h"

#include <algorithm>
#include <exception>

#include "kernel/base/assert.h"
#include "kernel/fiber/cancel.h"
#include "kernel/fiber/scheduler.h"

namespace coppice::fiber {

namespace {

struct ParkTimer : Timer {
  ParkTicket ticket;
};

void fire_park_timer(Timer& timer) {
  unpark(static_cast<ParkTimer&>(timer).ticket, Wake::kDeadline);
}

bool is_woken(const Fiber& fiber) {
  return (fiber.word.load(std::memory_order_acquire) & Fiber::kPhaseMask) == Fiber::kWoken;
}

// Gives up the thread until somebody has won unpark().
Wake wait_for_wake(Fiber& fiber) {
  COPPICE_ASSERT(fiber.no_park == 0);
  // libstdc++ keeps exception state per thread: a park here would mix two fibers' exceptions.
  COPPICE_DEBUG_ASSERT(std::uncaught_exceptions() == 0 && std::current_exception() == nullptr);
  if (!is_woken(fiber)) fiber.scheduler->suspend(Scheduler::Then::kParked);
  const std::uint64_t word = fiber.word.load(std::memory_order_acquire);
  COPPICE_ASSERT((word & Fiber::kPhaseMask) == Fiber::kWoken);
  fiber.word.store(word & ~Fiber::kPhaseMask, std::memory_order_release);  // kRunning
  return static_cast<Wake>((word >> Fiber::kWakeShift) & 3);
}

}  // namespace

ParkTicket prepare_park() {
  Fiber* const fiber = current();
  COPPICE_ASSERT(fiber != nullptr);
  const std::uint64_t word = fiber->word.load(std::memory_order_relaxed);
  COPPICE_ASSERT((word & Fiber::kPhaseMask) == Fiber::kRunning);
  const std::uint64_t epoch = (word >> Fiber::kEpochShift) + 1;
  fiber->word.store(epoch << Fiber::kEpochShift | Fiber::kPreparing, std::memory_order_release);
  return {fiber, epoch};
}

Wake park(ParkTicket ticket, Deadline deadline) {
  Fiber& fiber = *ticket.fiber;
  Scheduler& scheduler = *fiber.scheduler;
  CancelToken* const token = fiber.cancel;
  CancelToken::Listener listener{ticket};
  bool listening = false;
  if (token != nullptr) {
    deadline = std::min(deadline, token->deadline());
    listening = token->add(listener);
    if (!listening) unpark(ticket, Wake::kCancelled);
  }
  ParkTimer timer{{.at = deadline, .fire = &fire_park_timer}, ticket};
  if (deadline != Deadline::never() && !is_woken(fiber)) {
    if (deadline <= scheduler.clock().now()) {
      unpark(ticket, Wake::kDeadline);
    } else {
      scheduler.timers().add(timer);
    }
  }
  const Wake why = wait_for_wake(fiber);
  if (timer.armed()) scheduler.timers().remove(timer);
  if (listening) token->remove(listener);
  return why;
}

void park_shielded(ParkTicket ticket) {
  wait_for_wake(*ticket.fiber);
}

bool unpark(ParkTicket ticket, Wake why) {
  Fiber& fiber = *ticket.fiber;
  std::uint64_t word = fiber.word.load(std::memory_order_acquire);
  for (;;) {
    const std::uint64_t phase = word & Fiber::kPhaseMask;
    if (word >> Fiber::kEpochShift != ticket.epoch) return false;
    if (phase != Fiber::kPreparing && phase != Fiber::kParked) return false;
    const std::uint64_t woken = ticket.epoch << Fiber::kEpochShift |
                                static_cast<std::uint64_t>(why) << Fiber::kWakeShift |
                                Fiber::kWoken;
    if (fiber.word.compare_exchange_weak(word, woken, std::memory_order_acq_rel,
                                         std::memory_order_acquire)) {
      // Still preparing: it will see the wake itself, and `fiber` may not be touched any more.
      if (phase == Fiber::kParked) fiber.scheduler->make_ready(fiber);
      return true;
    }
  }
}

Status wake_status(Wake why) {
  if (why == Wake::kSignalled) return {};
  if (const CancelToken* token = current_cancel()) {
    COPPICE_TRY(why == Wake::kCancelled ? token->status() : token->check(clock().now()));
  }
  COPPICE_ASSERT(why == Wake::kDeadline);
  return fail(Code::kDeadlineExceeded, "deadline exceeded");
}

NoPark::NoPark() : fiber_(current()) {
  if (fiber_ != nullptr) ++fiber_->no_park;
}

NoPark::~NoPark() {
  if (fiber_ != nullptr) --fiber_->no_park;
}

}  // namespace coppice::fiber
