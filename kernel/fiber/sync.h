// sync.h — Mutex, Condition, Event, Semaphore, Channel: waiting without blocking the thread.
//
// Role:     the only synchronisation that modules use across a park.
// Threads:  fibers of any worker; Event::set, Semaphore::release, Channel::try_send and
//           Condition::notify also from threads outside the runtime.
// Parks:    what takes a Deadline. All waits are served first come, first served.
// Errors:   a wait returns kCancelled or kDeadlineExceeded (of the call or of the fiber's token)
//           only when it has to park; then it holds nothing.
#pragma once

#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

#include "kernel/base/assert.h"
#include "kernel/base/result.h"
#include "kernel/base/time.h"
#include "kernel/fiber/park.h"
#include "kernel/fiber/wait_queue.h"

namespace coppice::fiber {

class Mutex {
 public:
  Status lock(Deadline deadline = Deadline::never());
  void lock_shielded();  // cannot be cancelled, cannot fail: for short critical sections
  bool try_lock();
  void unlock();  // hands it to the first waiter

 private:
  std::mutex mutex_;
  bool locked_ = false;
  WaitQueue waiters_;
};

// Holds a Mutex for a scope. The plain constructor waits shielded;
// `auto guard = COPPICE_TRY(MutexGuard::lock(mutex, deadline));` can be cancelled.
class [[nodiscard]] MutexGuard {
 public:
  explicit MutexGuard(Mutex& mutex) : mutex_(&mutex) { mutex.lock_shielded(); }
  static Result<MutexGuard> lock(Mutex& mutex, Deadline deadline = Deadline::never());
  MutexGuard(MutexGuard&& other) noexcept : mutex_(std::exchange(other.mutex_, nullptr)) {}
  MutexGuard& operator=(MutexGuard&&) = delete;
  ~MutexGuard() {
    if (mutex_ != nullptr) mutex_->unlock();
  }

 private:
  struct Adopt {};
  MutexGuard(Mutex& mutex, Adopt) : mutex_(&mutex) {}
  Mutex* mutex_;
};

class Condition {
 public:
  // Releases `mutex` (which the caller holds), waits for a notify, takes it again. It is held on
  // return, error or not. Check the predicate in a loop.
  Status wait(Mutex& mutex, Deadline deadline = Deadline::never());
  void notify_one();
  void notify_all();

 private:
  std::mutex mutex_;
  WaitQueue waiters_;
};

// A flag to wait for. Stays set until reset().
class Event {
 public:
  void set();
  void reset();
  bool is_set() const;
  Status wait(Deadline deadline = Deadline::never());

 private:
  mutable std::mutex mutex_;
  bool set_ = false;
  WaitQueue waiters_;
};

class Semaphore {
 public:
  explicit Semaphore(std::size_t available) : available_(available) {}
  // A large request at the head of the line holds up small ones behind it.
  Status acquire(std::size_t amount = 1, Deadline deadline = Deadline::never());
  bool try_acquire(std::size_t amount = 1);
  void release(std::size_t amount = 1);
  std::size_t available() const;

 private:
  void hand_out();  // with mutex_ held
  mutable std::mutex mutex_;
  std::size_t available_;
  WaitQueue waiters_;
};

// A bounded queue between fibers. What was sent before close() can still be received.
template <class T>
class Channel {
 public:
  explicit Channel(std::size_t capacity) : capacity_(capacity) { COPPICE_ASSERT(capacity > 0); }

  // kUnavailable when closed. On any error the value is dropped.
  Status send(T value, Deadline deadline = Deadline::never()) {
    std::unique_lock lock(mutex_);
    if (closed_) return closed_error();
    if (offer(value)) return {};
    bool closed = false;
    Pending pending{&value, &closed};
    COPPICE_TRY(senders_.wait(lock, deadline, &pending));
    if (closed) return closed_error();
    return {};
  }
  // True when it was taken; else `value` is untouched (full or closed).
  bool try_send(T& value) {
    std::unique_lock lock(mutex_);
    return !closed_ && offer(value);
  }

  // The next value; nullopt when the channel is closed and empty.
  Result<std::optional<T>> receive(Deadline deadline = Deadline::never()) {
    std::unique_lock lock(mutex_);
    if (std::optional<T> value = take()) return value;
    if (closed_) return std::optional<T>();
    std::optional<T> value;
    COPPICE_TRY(receivers_.wait(lock, deadline, &value));
    return value;
  }
  std::optional<T> try_receive() {
    std::unique_lock lock(mutex_);
    return take();
  }

  // Senders fail from now on, waiting ones too; receivers drain what is there.
  void close() {
    std::unique_lock lock(mutex_);
    closed_ = true;
    while (WaitQueue::Waiter* sender = senders_.wake_one())
      *static_cast<Pending*>(sender->payload)->closed = true;
    receivers_.wake_all();
  }
  std::size_t size() const {
    std::unique_lock lock(mutex_);
    return values_.size();
  }

 private:
  struct Pending {
    T* value;
    bool* closed;
  };
  static std::unexpected<Error> closed_error() {
    return fail(Code::kUnavailable, "channel is closed");
  }
  // With mutex_ held: to a waiting receiver, else into the buffer.
  bool offer(T& value) {
    if (WaitQueue::Waiter* receiver = receivers_.wake_one()) {
      static_cast<std::optional<T>*>(receiver->payload)->emplace(std::move(value));
      return true;
    }
    if (values_.size() >= capacity_) return false;
    values_.push_back(std::move(value));
    return true;
  }
  // With mutex_ held: the oldest value; a waiting sender moves up.
  std::optional<T> take() {
    if (values_.empty()) return std::nullopt;
    std::optional<T> value(std::move(values_.front()));
    values_.pop_front();
    if (WaitQueue::Waiter* sender = senders_.wake_one())
      values_.push_back(std::move(*static_cast<Pending*>(sender->payload)->value));
    return value;
  }

  const std::size_t capacity_;
  mutable std::mutex mutex_;
  bool closed_ = false;
  std::deque<T> values_;
  WaitQueue senders_;
  WaitQueue receivers_;
};

}  // namespace coppice::fiber
