// wait_queue.cpp — a line of parked fibers.
#include "kernel/fiber/wait_queue.h"

#include "kernel/base/assert.h"

namespace coppice::fiber {

WaitQueue::~WaitQueue() {
  COPPICE_ASSERT(first_ == nullptr);
}

Status WaitQueue::wait(std::unique_lock<std::mutex>& lock, Deadline deadline, void* payload,
                       std::size_t amount) {
  Waiter waiter{.ticket = prepare_park(), .payload = payload, .amount = amount};
  push(waiter);
  lock.unlock();
  const Wake why = park(waiter.ticket, deadline);
  lock.lock();
  if (waiter.linked) remove(waiter);
  return wake_status(why);
}

void WaitQueue::wait_shielded(std::unique_lock<std::mutex>& lock) {
  Waiter waiter{.ticket = prepare_park()};
  push(waiter);
  lock.unlock();
  park_shielded(waiter.ticket);
  lock.lock();
  COPPICE_ASSERT(!waiter.linked);
}

WaitQueue::Waiter* WaitQueue::wake_one() {
  while (first_ != nullptr)
    if (Waiter* const waiter = wake_front()) return waiter;
  return nullptr;
}

WaitQueue::Waiter* WaitQueue::wake_front() {
  Waiter* const waiter = first_;
  remove(*waiter);
  return unpark(waiter->ticket) ? waiter : nullptr;
}

void WaitQueue::wake_all() {
  while (wake_one() != nullptr) {
  }
}

void WaitQueue::push(Waiter& waiter) {
  waiter.linked = true;
  waiter.previous = last_;
  (last_ != nullptr ? last_->next : first_) = &waiter;
  last_ = &waiter;
}

void WaitQueue::remove(Waiter& waiter) {
  COPPICE_DEBUG_ASSERT(waiter.linked);
  (waiter.next != nullptr ? waiter.next->previous : last_) = waiter.previous;
  (waiter.previous != nullptr ? waiter.previous->next : first_) = waiter.next;
  waiter.linked = false;
  waiter.next = waiter.previous = nullptr;
}

}  // namespace coppice::fiber
