// scheduler.cpp — running one fiber for one stay.
#include "kernel/fiber/scheduler.h"

#include <algorithm>
#include <utility>

#include "kernel/base/assert.h"
#include "kernel/fiber/account.h"
#include "kernel/fiber/cancel.h"

namespace coppice::fiber {

namespace {
constexpr std::size_t kSpareBatch = 32;
thread_local Scheduler* scheduler_of_thread = nullptr;

void add_relaxed(std::atomic<std::uint64_t>& counter, std::uint64_t by) {
  counter.store(counter.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
}
}  // namespace

void Fiber::prepare(const Options& options, Entry function, TaskGroup* in_group) {
  COPPICE_ASSERT(!in_use && context.at == nullptr);
  name = options.name;
  priority = options.priority;
  home = options.home;
  account = options.account;
  cancel = options.cancel;
  group = in_group;
  entry = std::move(function);
  ticks = 0;
  in_use = true;
  posted = false;
  join.store(0, std::memory_order_relaxed);
}

void FiberPool::take(std::vector<Fiber*>& to, std::size_t count) {
  std::unique_lock lock(mutex_);
  for (; count > 0; --count) {
    if (idle_.empty()) {
      all_.push_back(std::make_unique<Fiber>());
      to.push_back(all_.back().get());
    } else {
      to.push_back(idle_.back());
      idle_.pop_back();
    }
  }
}

Fiber& FiberPool::take_one() {
  std::vector<Fiber*> one;
  take(one, 1);
  return *one.front();
}

void FiberPool::give(std::vector<Fiber*>& from, std::size_t count) {
  std::unique_lock lock(mutex_);
  idle_.insert(idle_.end(), from.end() - static_cast<std::ptrdiff_t>(count), from.end());
  from.resize(from.size() - count);
}

Scheduler::Scheduler(Runtime& runtime, Clock& clock, FiberPool& fibers, StackPool& stacks)
    : runtime_(runtime), clock_(clock), pool_(fibers), stacks_(stacks) {}

Scheduler::~Scheduler() {
  pool_.give(spare_, spare_.size());
}

Scheduler* Scheduler::here() {
  // The barrier keeps callers from folding two calls into one.
  asm volatile("" ::: "memory");
  return scheduler_of_thread;
}

void Scheduler::enter() {
  COPPICE_ASSERT(scheduler_of_thread == nullptr);
  scheduler_of_thread = this;
}

void Scheduler::leave() {
  COPPICE_ASSERT(scheduler_of_thread == this && current_ == nullptr);
  scheduler_of_thread = nullptr;
}

Fiber& Scheduler::create(const Options& options, Entry entry, TaskGroup* group) {
  if (spare_.empty()) pool_.take(spare_, kSpareBatch);
  Fiber& fiber = *spare_.back();
  spare_.pop_back();
  fiber.prepare(options, std::move(entry), group);
  add_relaxed(spawned_, 1);
  fiber.id = spawned_.load(std::memory_order_relaxed);
  return fiber;
}

void Scheduler::recycle(Fiber& fiber) {
  COPPICE_ASSERT(fiber.in_use && !fiber.stack);
  fiber.in_use = false;
  spare_.push_back(&fiber);
  if (spare_.size() > 2 * kSpareBatch) pool_.give(spare_, kSpareBatch);
}

void Scheduler::give_stack(Fiber& fiber) {
  fiber.stack = stacks_.take();
  unpoison_stack(fiber.stack.bottom(), Stack::usable());
  make_context(fiber.context, fiber.stack.bottom(), Stack::usable(), &Scheduler::fiber_main);
  fiber.scheduler = this;
}

Ticks Scheduler::run(Fiber& fiber) {
  if (fiber.context.at == nullptr) give_stack(fiber);
  COPPICE_DEBUG_ASSERT(fiber.scheduler == this && current_ == nullptr);
  current_ = &fiber;
  add_relaxed(switches_, 1);
  const Ticks from = loop_ticks_;
  stay_started_.store(from, std::memory_order_relaxed);
  charged_until_ = from;
  fiber.context.at = switch_context(loop_, fiber.context, &fiber).fctx;
  loop_ticks_ = ticks_now();
  const Ticks took = loop_ticks_ - from;
  stay_started_.store(0, std::memory_order_relaxed);
  current_ = nullptr;
  fiber.ticks += took;
  if (fiber.account != nullptr) fiber.account->charge(loop_ticks_ - charged_until_);
  switch (then_) {
    case Then::kReady:
      ready_again(fiber);
      break;
    case Then::kParked: {
      // Woken between prepare_park() and here: it goes on. Else wakers find it parked from now on.
      std::uint64_t word = fiber.word.load(std::memory_order_acquire);
      if ((word & Fiber::kPhaseMask) != Fiber::kPreparing ||
          !fiber.word.compare_exchange_strong(word, word - Fiber::kPreparing + Fiber::kParked,
                                              std::memory_order_acq_rel))
        ready_again(fiber);
      break;
    }
    case Then::kEnded:
      ended(fiber);
      break;
  }
  return took;
}

void Scheduler::ended(Fiber& fiber) {
  drop_context(fiber.context);
  stacks_.give(std::exchange(fiber.stack, Stack{}));
  add_relaxed(ended_, 1);
  if (fiber.group != nullptr || fiber.posted) {
    TaskGroup* const group = fiber.group;
    const bool posted = fiber.posted;
    recycle(fiber);
    if (group != nullptr) group->leave();
    if (posted) posted_ended();
    return;
  }
  // From this exchange on the block is the joiner's.
  const std::uintptr_t joiner = fiber.join.exchange(Fiber::kEnded, std::memory_order_acq_rel);
  if (joiner != 0) unpark(*reinterpret_cast<const ParkTicket*>(joiner));
}

void Scheduler::suspend(Then then) {
  Fiber& fiber = *current_;
  then_ = then;
  loop_.at = switch_context(fiber.context, loop_, nullptr, then == Then::kEnded).fctx;
}

void Scheduler::fiber_main(boost::context::detail::transfer_t from) noexcept {
  Fiber& fiber = *static_cast<Fiber*>(from.data);
  Scheduler& scheduler = *fiber.scheduler;
  enter_context(scheduler.loop_);
  scheduler.loop_.at = from.fctx;
  fiber.entry();
  fiber.entry = nullptr;  // what it captured is destroyed here, where parking is allowed
  scheduler.suspend(Then::kEnded);
  unreachable();
}

void Scheduler::switch_account(Account* to) {
  const Ticks now = ticks_now();
  if (current_->account != nullptr) current_->account->charge(now - charged_until_);
  charged_until_ = now;
  current_->account = to;
}

Status Scheduler::check_current() {
  if (const CancelToken* cancel = current_->cancel) {
    const bool timed = cancel->deadline() != Deadline::never();
    if (timed || cancel->cancelled()) COPPICE_TRY(cancel->check(timed ? clock_.now() : Instant{}));
  }
  if (current_->account != nullptr) COPPICE_TRY(current_->account->check());
  return {};
}

}  // namespace coppice::fiber
