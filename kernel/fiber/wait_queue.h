// wait_queue.h — fibers waiting in line for one thing; what sync.h is made of.
//
// Role:     a FIFO of parked fibers under the owner's std::mutex. Whoever wakes one hands the thing
//           over: a waiter that wait() says OK to owns it, and nobody can overtake.
// Threads:  every method with the owner's mutex held.
// Parks:    wait() (it releases the mutex meanwhile).
#pragma once

#include <mutex>

#include "kernel/base/result.h"
#include "kernel/base/time.h"
#include "kernel/fiber/park.h"

namespace coppice::fiber {

class WaitQueue {
 public:
  WaitQueue() = default;
  ~WaitQueue();  // nobody may be waiting
  WaitQueue(const WaitQueue&) = delete;
  WaitQueue& operator=(const WaitQueue&) = delete;

  struct Waiter {  // lives on the waiting fiber's stack
    ParkTicket ticket;
    void* payload = nullptr;  // of the owner's choosing; valid while the mutex is held
    std::size_t amount = 0;
    bool linked = false;
    Waiter* next = nullptr;
    Waiter* previous = nullptr;
  };

  bool empty() const { return first_ == nullptr; }
  const Waiter* front() const { return first_; }

  // OK when wake_one() chose this fiber; else kCancelled or kDeadlineExceeded, and it was not
  // chosen. `lock` is held again on return.
  Status wait(std::unique_lock<std::mutex>& lock, Deadline deadline, void* payload = nullptr,
              std::size_t amount = 0);
  void wait_shielded(std::unique_lock<std::mutex>& lock);

  // Wakes the first waiter that has not given up; null when there is none. The result is valid
  // until the mutex is released.
  Waiter* wake_one();
  // Takes the first waiter out of the line; null when it has given up. Not when empty().
  Waiter* wake_front();
  void wake_all();

 private:
  void push(Waiter& waiter);
  void remove(Waiter& waiter);

  Waiter* first_ = nullptr;
  Waiter* last_ = nullptr;
};

}  // namespace coppice::fiber
