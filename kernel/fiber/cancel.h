// cancel.h — telling a fiber to stop: a token and an error, never an unwind.
//
// Role:     a statement's CancelToken is named in the Options of its fibers; whoever wants it to
// end
//           (a cancel request, a timeout, shutdown) sets it. Parked calls then return its error,
//           and so does the next maybe_yield(); the fiber runs to its end by returning errors.
// Threads:  cancel() anywhere; the deadline is set by the owner before, or by the fiber itself.
// Parks:    never.
#pragma once

#include <atomic>
#include <mutex>
#include <string>

#include "kernel/base/result.h"
#include "kernel/base/time.h"
#include "kernel/fiber/park.h"

namespace coppice::fiber {

class CancelToken {
 public:
  explicit CancelToken(Deadline deadline = Deadline::never()) : deadline_ns_(deadline.ns) {}
  ~CancelToken();  // no fiber may be listening any more
  CancelToken(const CancelToken&) = delete;
  CancelToken& operator=(const CancelToken&) = delete;

  // The first call decides code and message; later ones change nothing. Wakes the parked.
  void cancel(Code code = Code::kCancelled, std::string message = "cancelled");
  bool cancelled() const { return cancelled_.load(std::memory_order_acquire); }

  // Takes hold at the next park or maybe_yield of the fibers that name the token.
  void set_deadline(Deadline deadline) { deadline_ns_.store(deadline.ns); }
  Deadline deadline() const { return {deadline_ns_.load(std::memory_order_relaxed)}; }

  // OK, or the error that was set, or kDeadlineExceeded when `now` is past the deadline.
  Status check(Instant now) const;
  // The error alone; OK while nobody has cancelled.
  Status status() const;

  // For park(): a parked fiber waiting for cancellation. Lives on that fiber's stack.
  struct Listener {
    ParkTicket ticket;
    Listener* next = nullptr;
    Listener* previous = nullptr;
  };
  bool add(Listener& listener);  // false: cancelled already, not added
  void remove(Listener& listener);

 private:
  std::atomic<bool> cancelled_ = false;
  std::atomic<std::int64_t> deadline_ns_;
  mutable std::mutex mutex_;  // guards what follows; never held across a park
  Code code_ = Code::kCancelled;
  std::string message_;
  Listener* listeners_ = nullptr;
};

// While it lives, the current fiber obeys `token` instead of the one it was spawned with; nullptr
// shields it (cleanup that must finish).
class CancelScope {
 public:
  explicit CancelScope(CancelToken* token);
  ~CancelScope();
  CancelScope(const CancelScope&) = delete;
  CancelScope& operator=(const CancelScope&) = delete;

 private:
  CancelToken* const outer_;
};

}  // namespace coppice::fiber
