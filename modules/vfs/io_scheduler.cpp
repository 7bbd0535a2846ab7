// io_scheduler.cpp — turns are given when a request ends and when a window of latency closes.
#include "modules/vfs/io_scheduler.h"

#include "kernel/base/assert.h"
#include "kernel/fiber/cancel.h"
#include "kernel/fiber/fiber.h"

namespace coppice::vfs {

Result<IoScheduler::Slot> IoScheduler::begin(IoClass io_class, std::uint64_t bytes) {
  if (!is_background(io_class)) return Slot();
  const std::size_t index = index_of(io_class);
  Instant not_before;
  {
    const fiber::MutexGuard guard(mutex_);
    ++waiting_[index];
    Status waited;
    while (waited && !has_turn(index)) {
      // A turn may also come from a wider window, which nobody announces.
      waited = turns_[index].wait(mutex_, fiber::clock().now() + DepthControl::kWindow);
      if (!waited && waited.error().code() == Code::kDeadlineExceeded) {
        const fiber::CancelToken* cancel = fiber::current_cancel();
        waited = cancel == nullptr ? Status() : cancel->check(fiber::clock().now());
      }
    }
    --waiting_[index];
    if (!waited) {
      wake_next();  // the turn may have been meant for this fiber
      return std::unexpected(std::move(waited).error());
    }
    ++under_way_;
    not_before = rate_.take(bytes, fiber::clock().now());
    wake_next();
  }
  Slot slot(this);
  if (not_before > fiber::clock().now()) COPPICE_TRY(fiber::sleep_until(not_before));
  return slot;
}

bool IoScheduler::has_turn(std::size_t index) {
  for (std::size_t higher = 0; higher < index; ++higher) {
    if (waiting_[higher] > 0) return false;
  }
  return under_way_ < depth_.depth(fiber::clock().now());
}

void IoScheduler::wake_next() {
  for (std::size_t index = 0; index < kBackgroundClasses; ++index) {
    if (waiting_[index] == 0) continue;
    if (has_turn(index)) turns_[index].notify_one();
    return;
  }
}

void IoScheduler::end() {
  const fiber::MutexGuard guard(mutex_);
  COPPICE_ASSERT(under_way_ > 0);
  --under_way_;
  wake_next();
}

void IoScheduler::observe_query_read(Duration latency) {
  const fiber::MutexGuard guard(mutex_);
  depth_.observe_read(latency);
}

IoScheduler::State IoScheduler::state() {
  const fiber::MutexGuard guard(mutex_);
  State state{.depth = depth_.depth(fiber::clock().now()), .under_way = under_way_};
  for (const unsigned waiting : waiting_) state.waiting += waiting;
  return state;
}

}  // namespace coppice::vfs
