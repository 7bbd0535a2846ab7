// park.h — the one place where a fiber gives up its thread to wait.
//
// Role:     what sync.h, timers, sockets and disk are built on. Three steps:
//             ParkTicket ticket = prepare_park();   // this fiber, this wait
//             ... publish the ticket to whoever will wake it ...
//             Wake why = park(ticket, deadline);    // until somebody wins unpark(ticket)
//           A wake between the steps is not lost: park() then returns at once.
// Holds:    of all unparks with one ticket, exactly one wins (a compare-and-swap on the fiber's
//           epoch); a ticket of an earlier wait loses, even when the fiber has ended since.
// Threads:  prepare_park() and park() on the fiber; unpark() anywhere, also outside the runtime.
// Parks:    park(). Never inside a catch block or while unwinding, nor inside a NoPark scope.
#pragma once

#include <cstdint>

#include "kernel/base/result.h"
#include "kernel/base/time.h"

namespace coppice::fiber {

class Fiber;

struct ParkTicket {
  Fiber* fiber = nullptr;
  std::uint64_t epoch = 0;
};

enum class Wake : std::uint8_t {
  kSignalled = 1,  // what it waited for has come
  kCancelled,      // its CancelToken was set
  kDeadline,       // the deadline of the call, or of its CancelToken, has passed
};

ParkTicket prepare_park();
// After prepare_park() exactly one of these follows. `park` listens to the fiber's CancelToken too;
// `park_shielded` waits for a signal alone.
Wake park(ParkTicket ticket, Deadline deadline = Deadline::never());
void park_shielded(ParkTicket ticket);

// True when this call is the one that wakes the fiber.
bool unpark(ParkTicket ticket, Wake why = Wake::kSignalled);

// What a cancellable call returns after park(): OK, or the error of the token or the deadline.
Status wake_status(Wake why);

// Asserts that nothing in its scope parks or yields: preconditions checked before it still hold.
class NoPark {
 public:
  NoPark();
  ~NoPark();
  NoPark(const NoPark&) = delete;
  NoPark& operator=(const NoPark&) = delete;

 private:
  Fiber* const fiber_;
};

}  // namespace coppice::fiber
