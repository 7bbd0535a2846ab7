// memory_governor.cpp — shares first, then the cache, then patience.
#include "modules/metering/memory_governor.h"

#include <algorithm>
#include <string>

#include "kernel/base/assert.h"
#include "kernel/fiber/fiber.h"

namespace coppice::metering {
namespace {

constexpr Duration kLookAgain = 10ms;  // release() announces itself, but not under the mutex

std::size_t index_of(MemoryPool pool) {
  return static_cast<std::size_t>(pool);
}

Error out_of_memory(std::uint64_t bytes, std::string_view of) {
  return Error(Code::kOutOfMemory, "out of memory: " + std::to_string(bytes) +
                                       " bytes were refused by the limit of " + std::string(of))
      .note('C', "53200");
}

// Adds unless the sum would pass `limit`.
bool add_within(std::atomic<std::uint64_t>& to, std::uint64_t amount, std::uint64_t limit) {
  std::uint64_t now = to.load(std::memory_order_relaxed);
  do {
    if (amount > limit || now > limit - amount) return false;
  } while (!to.compare_exchange_weak(now, now + amount, std::memory_order_relaxed));
  return true;
}

}  // namespace

MemoryGovernor::MemoryGovernor(std::uint64_t total_bytes, BlockCache* cache)
    : total_(total_bytes),
      headroom_(total_bytes / 20),
      cache_min_(total_bytes / 20),
      shares_{total_bytes / 4, total_bytes / 4},
      cache_(cache) {
  set_cache_target(cache_room(0));
}

std::uint64_t MemoryGovernor::reserved() const {
  std::uint64_t sum = 0;
  for (const auto& pool : reserved_) sum += pool.load(std::memory_order_relaxed);
  return sum;
}

Status MemoryGovernor::reserve(MemoryPool pool, std::uint64_t bytes) {
  if (try_share(pool, bytes)) {
    if (reserved() + cache_target_.load(std::memory_order_relaxed) + headroom_ > total_) {
      const fiber::MutexGuard guard(mutex_);
      fit_cache(reserved());
    }
    return {};
  }
  const Deadline deadline = fiber::clock().now() + kReserveWait;
  const fiber::MutexGuard guard(mutex_);
  while (!try_borrow(pool, bytes)) {
    const Instant now = fiber::clock().now();
    const bool hopeless = bytes > total_ / 2 + shares_[index_of(pool)];
    if (now >= deadline || hopeless) {
      refusals_.fetch_add(1, std::memory_order_relaxed);
      return std::unexpected(out_of_memory(bytes, "the server"));
    }
    Status waited = released_.wait(mutex_, std::min(deadline, now + kLookAgain));
    if (!waited && waited.error().code() != Code::kDeadlineExceeded) return waited;
  }
  return {};
}

bool MemoryGovernor::try_share(MemoryPool pool, std::uint64_t bytes) {
  return add_within(reserved_[index_of(pool)], bytes, shares_[index_of(pool)]);
}

// Only the cache lends: what other pools may still take within their shares stays theirs.
bool MemoryGovernor::try_borrow(MemoryPool pool, std::uint64_t bytes) {
  std::uint64_t taken = 0;
  for (std::size_t i = 0; i < kMemoryPoolCount; ++i) {
    const std::uint64_t now = reserved_[i].load(std::memory_order_relaxed);
    taken += i == index_of(pool) ? now : std::max(now, shares_[i]);
  }
  const std::uint64_t usable = total_ - headroom_ - cache_min_;
  if (bytes > usable || taken > usable - bytes) return false;
  reserved_[index_of(pool)].fetch_add(bytes, std::memory_order_relaxed);
  fit_cache(reserved());
  return true;
}

void MemoryGovernor::fit_cache(std::uint64_t reserved_bytes) {
  const std::uint64_t room = cache_room(reserved_bytes);
  if (room < cache_target_.load(std::memory_order_relaxed)) set_cache_target(room);
}

std::uint64_t MemoryGovernor::cache_room(std::uint64_t used_elsewhere) const {
  const std::uint64_t usable = total_ - headroom_;
  const std::uint64_t left = used_elsewhere < usable ? usable - used_elsewhere : 0;
  return std::clamp(left, cache_min_, total_ / 2);
}

void MemoryGovernor::set_cache_target(std::uint64_t bytes) {
  cache_target_.store(bytes, std::memory_order_relaxed);
  if (cache_ != nullptr) cache_->resize(bytes);
}

void MemoryGovernor::release(MemoryPool pool, std::uint64_t bytes) noexcept {
  const std::uint64_t before =
      reserved_[index_of(pool)].fetch_sub(bytes, std::memory_order_relaxed);
  COPPICE_ASSERT(before >= bytes);
  released_.notify_all();
}

void MemoryGovernor::adjust(std::uint64_t live_bytes) {
  const fiber::MutexGuard guard(mutex_);
  live_.store(live_bytes, std::memory_order_relaxed);
  const std::uint64_t cached = cache_ == nullptr ? 0 : cache_->bytes();
  const std::uint64_t elsewhere = live_bytes > cached ? live_bytes - cached : 0;
  const std::uint64_t room = cache_room(std::max(elsewhere, reserved()));
  const std::uint64_t now = cache_target_.load(std::memory_order_relaxed);
  const std::uint64_t target = std::min(room, now + total_ / 32);
  if (target != now) set_cache_target(target);
}

MemoryState MemoryGovernor::state() const {
  MemoryState state;
  state.total = total_;
  state.live = live_.load(std::memory_order_relaxed);
  for (std::size_t i = 0; i < kMemoryPoolCount; ++i) {
    state.reserved[i] = reserved_[i].load(std::memory_order_relaxed);
    state.shares[i] = shares_[i];
  }
  state.cache_target = cache_target_.load(std::memory_order_relaxed);
  state.refusals = refusals_.load(std::memory_order_relaxed);
  return state;
}

PoolBudget::~PoolBudget() {
  COPPICE_ASSERT(live() == 0);
}

Status PoolBudget::reserve(std::uint64_t bytes) {
  if (!add_within(live_, bytes, limit_)) {
    return std::unexpected(out_of_memory(bytes, "the statement or its tenant"));
  }
  Status reserved = governor_.reserve(pool_, bytes);
  if (!reserved) {
    live_.fetch_sub(bytes, std::memory_order_relaxed);
    return reserved;
  }
  const std::uint64_t now = live();
  std::uint64_t peak = peak_.load(std::memory_order_relaxed);
  while (peak < now && !peak_.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {
  }
  return {};
}

void PoolBudget::release(std::uint64_t bytes) noexcept {
  const std::uint64_t before = live_.fetch_sub(bytes, std::memory_order_relaxed);
  COPPICE_ASSERT(before >= bytes);
  governor_.release(pool_, bytes);
}

}  // namespace coppice::metering
