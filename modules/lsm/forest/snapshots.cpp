#include "modules/lsm/forest/snapshots.h"

#include <algorithm>

#include "interfaces/types/sql_error.h"

namespace coppice::lsm {

class Snapshots::Held final : public Snapshot {
 public:
  Held(std::shared_ptr<Snapshots> owner, Entries&& entry)
      : owner_(std::move(owner)), at_(entry.front().read_at), entry_(std::move(entry)) {}
  ~Held() override {
    const std::lock_guard guard(owner_->lock_);
    entry_.splice(entry_.end(), owner_->held_, place_);
  }
  Hlc read_at() const override { return at_; }

  // With the owner's lock held.
  void link() {
    place_ = entry_.begin();
    at_ = place_->read_at = owner_->applied_;
    owner_->held_.splice(owner_->held_.end(), entry_, place_);
  }

 private:
  std::shared_ptr<Snapshots> owner_;
  Hlc at_;
  Entries entry_;  // of one; its node is in the owner's list while this lives
  Entries::iterator place_;
};

SnapshotRef Snapshots::acquire() {
  auto held = std::make_shared<Held>(shared_from_this(), Entries{{Hlc::zero(), clock_.now()}});
  const std::lock_guard guard(lock_);
  held->link();
  return held;
}

void Snapshots::set_applied(Hlc at) {
  const std::lock_guard guard(lock_);
  applied_ = std::max(applied_, at);  // replay begins below what the files know
}

Hlc Snapshots::move_snap() {
  const Instant oldest = clock_.now() - age_max_;
  const std::lock_guard guard(lock_);
  Hlc low = applied_;
  for (const Entry& entry : held_) {
    if (entry.since < oldest) continue;
    low = entry.read_at;
    break;
  }
  snap_ = std::max(snap_, low);
  return snap_;
}

Status Snapshots::check(const Snapshot& snapshot) const {
  const std::lock_guard guard(lock_);
  if (snapshot.read_at() >= snap_) return {};
  return std::unexpected(
      Error(Code::kDeadlineExceeded, "snapshot too old").note(sql_field::kSqlstate, "72000"));
}

}  // namespace coppice::lsm
