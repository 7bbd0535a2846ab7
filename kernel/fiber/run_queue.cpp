// run_queue.cpp — picking the next fiber.
#include "kernel/fiber/run_queue.h"

#include <algorithm>

#include "kernel/base/assert.h"
#include "kernel/fiber/account.h"
#include "kernel/fiber/tick_rate.h"

namespace coppice::fiber {

namespace {
constexpr std::size_t kLogLevel = static_cast<std::size_t>(Priority::kLog);
constexpr std::size_t kQueryLevel = static_cast<std::size_t>(Priority::kQuery);
constexpr std::size_t kFlushLevel = static_cast<std::size_t>(Priority::kUrgentFlush);
constexpr std::size_t kBackgroundLevel = static_cast<std::size_t>(Priority::kBackground);
constexpr std::int64_t kFlushShare = 9;  // of ten parts below query
}  // namespace

RunQueue::RunQueue()
    : quantum_(ticks_in(kTenantQuantum)),
      debt_max_(ticks_in(kTenantDebtMax)),
      long_after_(ticks_in(kLongAfter)) {}

RunQueue::~RunQueue() = default;

TenantQueue& RunQueue::tenant_of(const Fiber& fiber) {
  const auto index = static_cast<std::size_t>(fiber.priority);
  const bool shared = index == kQueryLevel && fiber.account != nullptr;
  const std::uint32_t id = shared ? fiber.account->tenant().value : 0;
  Level& level = levels_[index];
  if (level.last != nullptr && level.last->id == id) return *level.last;  // the only one, mostly
  std::unique_ptr<TenantQueue>& slot = level.tenants[id];
  if (slot == nullptr) {
    slot = std::make_unique<TenantQueue>();
    slot->id = id;
    slot->quantum =
        static_cast<std::int64_t>(quantum_) * (shared ? std::max(1U, fiber.account->weight()) : 1);
  }
  return *slot;
}

void RunQueue::enter_ring(std::size_t index, TenantQueue& tenant) {
  if (tenant.in_ring) return;
  Level& level = levels_[index];
  active_levels_ |= 1U << index;
  tenant.in_ring = true;
  if (level.last == nullptr) {
    tenant.next = &tenant;
  } else {
    tenant.next = level.last->next;
    level.last->next = &tenant;
  }
  level.last = &tenant;
}

void RunQueue::leave_ring(std::size_t index, TenantQueue& tenant) {
  Level& level = levels_[index];
  COPPICE_DEBUG_ASSERT(level.last->next == &tenant);
  tenant.in_ring = false;
  tenant.deficit = std::min<std::int64_t>(tenant.deficit, 0);  // unused time is not saved up
  if (tenant.next == &tenant) {
    level.last = nullptr;
    active_levels_ &= ~(1U << index);
  } else {
    level.last->next = tenant.next;
  }
  tenant.next = nullptr;
}

void RunQueue::forget_idle(Level& level) {
  if (level.tenants.size() <= kTenantsKept) return;
  std::erase_if(level.tenants, [this](const auto& entry) {
    return !entry.second->in_ring && entry.second.get() != running_;
  });
}

void RunQueue::add_ready_waiting(std::size_t by) {
  ready_waiting_.store(ready_waiting_.load(std::memory_order_relaxed) + by,
                       std::memory_order_relaxed);
}

void RunQueue::push(Fiber& fiber) {
  TenantQueue& tenant = tenant_of(fiber);
  fiber.tenant = &tenant;
  fiber.stamp = ++stamps_;
  (fiber.ticks > long_after_ ? tenant.ready_long : tenant.ready).push_back(fiber);
  enter_ring(static_cast<std::size_t>(fiber.priority), tenant);
  add_ready_waiting(1);
}

void RunQueue::push_start(Fiber& fiber) {
  TenantQueue& tenant = tenant_of(fiber);
  fiber.tenant = &tenant;
  fiber.stamp = ++stamps_;
  {
    std::unique_lock lock(mutex_);
    tenant.starts.push_back(fiber);
    starts_.push_back(fiber);
    starts_waiting_.store(starts_waiting() + 1, std::memory_order_relaxed);
  }
  enter_ring(static_cast<std::size_t>(fiber.priority), tenant);
}

Fiber* RunQueue::take_ready(ReadyList& list) {
  Fiber& fiber = list.front();
  list.pop_front();
  add_ready_waiting(static_cast<std::size_t>(-1));
  return &fiber;
}

Fiber* RunQueue::pop_tenant(TenantQueue& tenant) {
  const bool long_turn = ++tenant.turns % kLongTurn == 0;
  if (long_turn && !tenant.ready_long.empty()) return take_ready(tenant.ready_long);
  if (starts_waiting() > 0) {
    std::unique_lock lock(mutex_);
    if (!tenant.starts.empty()) {
      Fiber& start = tenant.starts.front();
      if (tenant.ready.empty() || start.stamp < tenant.ready.front().stamp) {
        tenant.starts.pop_front();
        starts_.erase(starts_.iterator_to(start));
        starts_waiting_.store(starts_waiting() - 1, std::memory_order_relaxed);
        return &start;
      }
    }
  }
  if (!tenant.ready.empty()) return take_ready(tenant.ready);
  if (!tenant.ready_long.empty()) return take_ready(tenant.ready_long);
  return nullptr;  // all its starts were stolen
}

Fiber* RunQueue::pop_level(std::size_t index) {
  Level& level = levels_[index];
  if (level.last == nullptr) return nullptr;
  while (level.last != nullptr) {
    TenantQueue& tenant = *level.last->next;
    const bool alone = tenant.next == &tenant;
    if (alone) {
      tenant.deficit = tenant.quantum;
    } else if (tenant.deficit <= 0) {
      tenant.deficit += tenant.quantum;
      if (tenant.deficit <= 0) {  // still paying for its last turns
        level.last = &tenant;
        continue;
      }
    }
    if (Fiber* const fiber = pop_tenant(tenant)) {
      running_ = &tenant;
      running_level_ = index;
      return fiber;
    }
    leave_ring(index, tenant);
  }
  forget_idle(level);
  return nullptr;
}

Fiber* RunQueue::pop() {
  if (active_levels_ == 1U << kQueryLevel) return pop_level(kQueryLevel);  // mostly
  if (Fiber* const fiber = pop_level(kLogLevel)) return fiber;
  const std::size_t first = background_credit_ > 0 ? kBackgroundLevel : kFlushLevel;
  const std::size_t second = first == kFlushLevel ? kBackgroundLevel : kFlushLevel;
  const bool lower_turn = ++picks_ % kLowerTurn == 0;
  if (!lower_turn)
    if (Fiber* const fiber = pop_level(kQueryLevel)) return fiber;
  if (Fiber* const fiber = pop_level(first)) return fiber;
  if (Fiber* const fiber = pop_level(second)) return fiber;
  return lower_turn ? pop_level(kQueryLevel) : nullptr;
}

void RunQueue::charge(Ticks ticks) {
  const auto used = static_cast<std::int64_t>(ticks);
  const auto limit = static_cast<std::int64_t>(debt_max_);
  TenantQueue& tenant = *running_;
  tenant.deficit = std::max(tenant.deficit - used, -limit);
  Level& level = levels_[running_level_];
  // Its turn is over; the next in the ring is first now.
  if (tenant.in_ring && tenant.deficit <= 0 && level.last->next == &tenant) level.last = &tenant;
  if (running_level_ == kFlushLevel)
    background_credit_ = std::min(background_credit_ + used / kFlushShare, limit);
  if (running_level_ == kBackgroundLevel)
    background_credit_ = std::max(background_credit_ - used, -limit);
}

Fiber* RunQueue::steal(std::size_t waiting_min) {
  if (starts_waiting() == 0 || waiting() < waiting_min) return nullptr;
  std::unique_lock lock(mutex_);
  if (starts_.empty()) return nullptr;
  Fiber& fiber = starts_.front();
  starts_.pop_front();
  fiber.tenant->starts.erase(fiber.tenant->starts.iterator_to(fiber));
  starts_waiting_.store(starts_waiting() - 1, std::memory_order_relaxed);
  return &fiber;
}

}  // namespace coppice::fiber
