// sync.cpp — each primitive is a small state under a mutex and a line of waiters.
#include "kernel/fiber/sync.h"

namespace coppice::fiber {

Status Mutex::lock(Deadline deadline) {
  std::unique_lock lock(mutex_);
  if (locked_) return waiters_.wait(lock, deadline);  // unlock() hands it over, still locked
  locked_ = true;
  return {};
}

void Mutex::lock_shielded() {
  std::unique_lock lock(mutex_);
  if (locked_) return waiters_.wait_shielded(lock);
  locked_ = true;
}

bool Mutex::try_lock() {
  std::unique_lock lock(mutex_);
  return !std::exchange(locked_, true);
}

void Mutex::unlock() {
  std::unique_lock lock(mutex_);
  COPPICE_ASSERT(locked_);
  if (waiters_.wake_one() == nullptr) locked_ = false;
}

Result<MutexGuard> MutexGuard::lock(Mutex& mutex, Deadline deadline) {
  COPPICE_TRY(mutex.lock(deadline));
  return MutexGuard(mutex, Adopt());
}

Status Condition::wait(Mutex& mutex, Deadline deadline) {
  std::unique_lock lock(mutex_);
  mutex.unlock();  // a notify now waits for mutex_, until this fiber stands in line
  Status status = waiters_.wait(lock, deadline);
  lock.unlock();
  mutex.lock_shielded();
  return status;
}

void Condition::notify_one() {
  std::unique_lock lock(mutex_);
  waiters_.wake_one();
}

void Condition::notify_all() {
  std::unique_lock lock(mutex_);
  waiters_.wake_all();
}

void Event::set() {
  std::unique_lock lock(mutex_);
  set_ = true;
  waiters_.wake_all();
}

void Event::reset() {
  std::unique_lock lock(mutex_);
  set_ = false;
}

bool Event::is_set() const {
  std::unique_lock lock(mutex_);
  return set_;
}

Status Event::wait(Deadline deadline) {
  std::unique_lock lock(mutex_);
  if (set_) return {};
  return waiters_.wait(lock, deadline);
}

Status Semaphore::acquire(std::size_t amount, Deadline deadline) {
  std::unique_lock lock(mutex_);
  if (waiters_.empty() && available_ >= amount) {
    available_ -= amount;
    return {};
  }
  Status status = waiters_.wait(lock, deadline, nullptr, amount);
  if (!status) hand_out();  // it may have been the one that held up the line
  return status;
}

bool Semaphore::try_acquire(std::size_t amount) {
  std::unique_lock lock(mutex_);
  if (!waiters_.empty() || available_ < amount) return false;
  available_ -= amount;
  return true;
}

void Semaphore::release(std::size_t amount) {
  std::unique_lock lock(mutex_);
  available_ += amount;
  hand_out();
}

std::size_t Semaphore::available() const {
  std::unique_lock lock(mutex_);
  return available_;
}

void Semaphore::hand_out() {
  while (!waiters_.empty() && waiters_.front()->amount <= available_)
    if (const WaitQueue::Waiter* woken = waiters_.wake_front()) available_ -= woken->amount;
}

}  // namespace coppice::fiber
