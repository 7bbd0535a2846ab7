// fiber.cpp — spawn, join, yield, sleep.
#include "kernel/fiber/fiber.h"

#include <utility>

#include "kernel/base/assert.h"
#include "kernel/fiber/account.h"
#include "kernel/fiber/cancel.h"
#include "kernel/fiber/scheduler.h"

namespace coppice::fiber {

namespace {
Scheduler& scheduler_here() {
  Scheduler* const scheduler = Scheduler::here();
  COPPICE_ASSERT(scheduler != nullptr);
  return *scheduler;
}
Fiber& fiber_here() {
  Fiber* const fiber = current();
  COPPICE_ASSERT(fiber != nullptr);
  return *fiber;
}
}  // namespace

Task::Task(Task&& other) noexcept : fiber_(std::exchange(other.fiber_, nullptr)) {}

Task& Task::operator=(Task&& other) noexcept {
  COPPICE_ASSERT(fiber_ == nullptr);
  fiber_ = std::exchange(other.fiber_, nullptr);
  return *this;
}

Task::~Task() {
  COPPICE_ASSERT(fiber_ == nullptr);
}

void Task::join() {
  COPPICE_ASSERT(fiber_ != nullptr);
  Fiber& fiber = *std::exchange(fiber_, nullptr);
  if (fiber.join.load(std::memory_order_acquire) != Fiber::kEnded) {
    const ParkTicket ticket = prepare_park();
    std::uintptr_t running = 0;
    if (!fiber.join.compare_exchange_strong(running, reinterpret_cast<std::uintptr_t>(&ticket),
                                            std::memory_order_acq_rel))
      unpark(ticket);  // it has ended meanwhile
    park_shielded(ticket);
  }
  scheduler_here().recycle(fiber);
}

Task spawn(Options options, Entry entry) {
  Scheduler& scheduler = scheduler_here();
  Fiber& fiber = scheduler.create(options, std::move(entry), nullptr);
  scheduler.start(fiber);
  return Task(&fiber);
}

TaskGroup::~TaskGroup() {
  COPPICE_ASSERT(size() == 0);
}

void TaskGroup::add() {
  std::unique_lock lock(mutex_);
  size_.fetch_add(1, std::memory_order_relaxed);
}

void TaskGroup::spawn_added(Options options, Entry entry) {
  Scheduler& scheduler = scheduler_here();
  scheduler.start(scheduler.create(options, std::move(entry), this));
}

void TaskGroup::spawn(Options options, Entry entry) {
  add();
  spawn_added(options, std::move(entry));
}

void TaskGroup::leave() noexcept {
  std::unique_lock lock(mutex_);
  const bool last = size_.fetch_sub(1, std::memory_order_release) == 1;
  if (!last || !joining_) return;
  joining_ = false;
  const ParkTicket joiner = joiner_;
  lock.unlock();  // the group may be gone from here on
  unpark(joiner);
}

void TaskGroup::join() {
  std::unique_lock lock(mutex_);  // not size() alone: the last leave() may still hold the mutex
  while (size() > 0) {
    COPPICE_ASSERT(!joining_);
    joining_ = true;
    joiner_ = prepare_park();
    const ParkTicket ticket = joiner_;
    lock.unlock();
    park_shielded(ticket);
    lock.lock();
  }
}

void yield() {
  Scheduler& scheduler = scheduler_here();
  COPPICE_ASSERT(scheduler.current()->no_park == 0);
  scheduler.suspend(Scheduler::Then::kReady);
}

Status maybe_yield(unsigned cost) {
  Scheduler& scheduler = *Scheduler::here();
  if (!scheduler.due(cost)) [[likely]]
    return {};
  return scheduler.checkpoint();
}

Status sleep_until(Instant instant) {
  const Wake why = park(prepare_park(), instant);
  // Its own deadline is what a sleep waits for; the token's is an error.
  if (why != Wake::kDeadline) return wake_status(why);
  if (const CancelToken* token = current_cancel(); token != nullptr && token->deadline() <= instant)
    return wake_status(why);
  return {};
}

Status sleep_for(Duration duration) {
  return sleep_until(clock().now() + duration);
}

Fiber* current() {
  Scheduler* const scheduler = Scheduler::here();
  return scheduler != nullptr ? scheduler->current() : nullptr;
}

std::string_view current_name() {
  const Fiber* const fiber = current();
  return fiber != nullptr ? fiber->name : std::string_view();
}

Account* current_account() {
  return fiber_here().account;
}

AccountScope::AccountScope(Account* account) : outer_(fiber_here().account) {
  fiber_here().scheduler->switch_account(account);
}

AccountScope::~AccountScope() {
  fiber_here().scheduler->switch_account(outer_);
}

CancelToken* current_cancel() {
  const Fiber* const fiber = current();
  return fiber != nullptr ? fiber->cancel : nullptr;
}

Ticks current_ticks() {
  const Fiber& fiber = fiber_here();
  return fiber.ticks + (fiber.scheduler->ticks_now() - fiber.scheduler->stay_started());
}

Runtime& runtime() {
  return scheduler_here().runtime();
}

Clock& clock() {
  return scheduler_here().clock();
}

}  // namespace coppice::fiber
