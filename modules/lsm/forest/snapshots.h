// snapshots.h — Snapshots: T_applied, who reads at which time, and what may be forgotten.
//
// Role:     T_snap = the oldest read timestamp that anybody may still use. It never goes back.
// Threads:  any. Snapshots are handed out with T_applied, so the list is in order of time.
// Parks:    never.
// Source:   DESIGN.md section 9, GC.
#pragma once

#include <list>
#include <memory>
#include <mutex>

#include "interfaces/storage_engine.h"
#include "kernel/base/spin_lock.h"
#include "kernel/base/time.h"

namespace coppice::lsm {

class Snapshots : public std::enable_shared_from_this<Snapshots> {
 public:
  Snapshots(const Clock& clock, Duration age_max) : clock_(clock), age_max_(age_max) {}

  SnapshotRef acquire();
  Hlc applied() const {
    const std::lock_guard guard(lock_);
    return applied_;
  }
  void set_applied(Hlc at);  // an entry is applied wholly
  // T_snap as it is now.
  Hlc move_snap();
  Hlc snap() const {
    const std::lock_guard guard(lock_);
    return snap_;
  }
  // kDeadlineExceeded once what the snapshot needs may have been forgotten.
  Status check(const Snapshot& snapshot) const;

 private:
  class Held;
  struct Entry {
    Hlc read_at;
    Instant since;
  };
  using Entries = std::list<Entry>;

  const Clock& clock_;
  const Duration age_max_;
  mutable SpinLock lock_;  // guards what follows
  Entries held_;           // oldest first
  Hlc applied_ = Hlc::zero();
  Hlc snap_ = Hlc::zero();
};

}  // namespace coppice::lsm
