// cancel.cpp — who listens to a token, and what they are told.
#include "kernel/fiber/cancel.h"

#include <utility>

#include "kernel/base/assert.h"
#include "kernel/fiber/fiber_state.h"

namespace coppice::fiber {

CancelToken::~CancelToken() {
  COPPICE_ASSERT(listeners_ == nullptr);
}

void CancelToken::cancel(Code code, std::string message) {
  std::unique_lock lock(mutex_);
  if (cancelled()) return;
  code_ = code;
  message_ = std::move(message);
  cancelled_.store(true, std::memory_order_release);
  // Under the lock: a listener that wakes waits for it in remove() before it leaves its stack.
  for (const Listener* listener = listeners_; listener != nullptr; listener = listener->next)
    unpark(listener->ticket, Wake::kCancelled);
}

Status CancelToken::check(Instant now) const {
  if (cancelled()) return status();
  if (now >= deadline()) return fail(Code::kDeadlineExceeded, "deadline exceeded");
  return {};
}

Status CancelToken::status() const {
  if (!cancelled()) return {};
  std::unique_lock lock(mutex_);
  return fail(code_, message_);
}

bool CancelToken::add(Listener& listener) {
  std::unique_lock lock(mutex_);
  if (cancelled()) return false;
  listener.previous = nullptr;
  listener.next = listeners_;
  if (listeners_ != nullptr) listeners_->previous = &listener;
  listeners_ = &listener;
  return true;
}

void CancelToken::remove(Listener& listener) {
  std::unique_lock lock(mutex_);
  if (listener.next != nullptr) listener.next->previous = listener.previous;
  (listener.previous != nullptr ? listener.previous->next : listeners_) = listener.next;
}

CancelScope::CancelScope(CancelToken* token) : outer_(current()->cancel) {
  current()->cancel = token;
}

CancelScope::~CancelScope() {
  current()->cancel = outer_;
}

}  // namespace coppice::fiber
