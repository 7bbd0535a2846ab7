// published.h — a value that one side replaces and many sides take: the current version of a tree.
//
// Threads:  any; load() copies a reference under a spin lock.   Parks: never.
#pragma once

#include <memory>
#include <mutex>
#include <utility>

#include "kernel/base/spin_lock.h"

namespace coppice::lsm {

template <class T>
class Published {
 public:
  using Ref = std::shared_ptr<const T>;
  explicit Published(Ref first) : current_(std::move(first)) {}

  Ref load() const {
    const std::lock_guard guard(lock_);
    return current_;
  }
  void store(Ref next) {
    {
      const std::lock_guard guard(lock_);
      current_.swap(next);
    }
    // The old version goes here, outside the lock.
  }

 private:
  mutable SpinLock lock_;
  Ref current_;
};

}  // namespace coppice::lsm
