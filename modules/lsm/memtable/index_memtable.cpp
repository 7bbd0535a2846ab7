// index_memtable.cpp — what goes where, and when runs are merged.
#include "modules/lsm/memtable/index_memtable.h"

#include <algorithm>
#include <bit>

#include "kernel/base/assert.h"

namespace coppice::lsm {
namespace {

// Runs of one tier are within a factor of kRunFanIn of each other.
unsigned tier_of(const IndexRun& run) {
  return static_cast<unsigned>(std::bit_width(run.operations() / kOpsForRun) + 2) / 3;
}
static_assert(kRunFanIn == 8, "tier_of counts in powers of eight");

std::size_t operations_of(std::span<const IndexRunRef> runs) {
  std::size_t total = 0;
  for (const IndexRunRef& run : runs) total += run->operations();
  return total;
}

}  // namespace

// --- view
// ------------------------------------------------------------------------------------------

void IndexMemtableView::add_layers(ByteView key, PostingList& list,
                                   std::deque<std::vector<PostingOp>>& copies) const {
  if (head->operations() > 0) {
    std::vector<PostingOp>& copy = copies.emplace_back();
    head->collect(key, copy);
    list.add_layer(std::span<const PostingOp>(copy));
  }
  for (const IndexRunRef& run : runs) list.add_layer(run->find(key));
}

std::optional<PostingOp> IndexMemtableView::newest(ByteView key, Hlc read) const {
  std::optional<PostingOp> newest;
  const auto consider = [&](std::span<const PostingOp> ops) {
    for (const PostingOp& op : ops) {
      if (op.stamp.visible_at(read) && (!newest || op.stamp > newest->stamp)) newest = op;
    }
  };
  if (head->operations() > 0) {
    std::vector<PostingOp> copy;
    head->collect(key, copy);
    consider(copy);
  }
  for (auto run = runs.begin(); run != runs.end() && !newest; ++run) consider((*run)->find(key));
  return newest;
}

std::optional<ByteView> IndexMemtableView::key_at_or_above(ByteView key) const {
  std::optional<ByteView> least = head->key_at_or_above(key);
  for (const IndexRunRef& run : runs) {
    const std::size_t at = run->lower_bound(key);
    if (at == run->keys()) continue;
    if (!least || compare_keys(run->key(at), *least) < 0) least = run->key(at);
  }
  return least;
}

std::optional<ByteView> IndexMemtableView::key_below(ByteView key) const {
  std::optional<ByteView> greatest = head->key_below(key);
  for (const IndexRunRef& run : runs) {
    const std::size_t at = run->lower_bound(key);
    if (at == 0) continue;
    if (!greatest || compare_keys(run->key(at - 1), *greatest) > 0) greatest = run->key(at - 1);
  }
  return greatest;
}

std::optional<ByteView> IndexMemtableView::last_key() const {
  std::optional<ByteView> greatest = head->last_key();
  for (const IndexRunRef& run : runs) {
    if (run->keys() == 0) continue;
    const ByteView key = run->key(run->keys() - 1);
    if (!greatest || compare_keys(key, *greatest) > 0) greatest = key;
  }
  return greatest;
}

// --- memtable
// --------------------------------------------------------------------------------------

IndexMemtable::IndexMemtable() : head_(std::make_shared<IndexHead>()) {}

void IndexMemtable::apply(IndexRunBuilder& batch) {
  if (batch.operations() >= kOpsForRun) {
    publish(batch.finish());
    return;
  }
  for (const auto& entry : batch.entries()) {
    head_->add(batch.key_of(entry), entry.op, batch.lossy());
    if (head_->full()) seal_head();
  }
  batch.clear();
}

void IndexMemtable::publish(IndexRunRef run) {
  seal_head();
  push(std::move(run));
}

void IndexMemtable::seal_head() {
  if (head_->operations() == 0) return;
  push(head_->to_run());
  head_ = std::make_shared<IndexHead>();
}

void IndexMemtable::push(IndexRunRef run) {
  changed_ = true;
  runs_.insert(runs_.begin(), std::move(run));
  while (const auto plan = plan_merge()) {
    if (operations_of(plan->runs) > kInlineMergeOps) break;
    install(*plan, plan->run());
  }
}

// The newest runs that are no larger than the newest one's tier allows, once there are enough.
std::optional<IndexMemtable::MergePlan> IndexMemtable::plan_merge() const {
  for (unsigned tier = runs_.empty() ? 0 : tier_of(*runs_.front());;) {
    std::size_t count = 0;
    while (count < runs_.size() && tier_of(*runs_[count]) <= tier) ++count;
    if (count >= kRunFanIn) {
      return MergePlan{{runs_.begin(), runs_.begin() + static_cast<std::ptrdiff_t>(count)}, snap_};
    }
    // A larger tier may be due below smaller runs.
    if (count == runs_.size()) return std::nullopt;
    tier = tier_of(*runs_[count]);
  }
}

void IndexMemtable::install(const MergePlan& plan, IndexRunRef merged) {
  const auto at = std::ranges::find(runs_, plan.runs.front());
  const auto left = static_cast<std::size_t>(runs_.end() - at);
  // Taken by a flush, or by a small merge, meanwhile: the work is lost, nothing else.
  if (left < plan.runs.size() || !std::equal(plan.runs.begin(), plan.runs.end(), at)) return;
  *at = std::move(merged);
  runs_.erase(at + 1, at + static_cast<std::ptrdiff_t>(plan.runs.size()));
  changed_ = true;
}

std::vector<IndexRunRef> IndexMemtable::take() {
  seal_head();
  changed_ = true;
  return std::exchange(runs_, {});
}

std::size_t IndexMemtable::bytes() const {
  std::size_t total = head_->bytes();
  for (const IndexRunRef& run : runs_) total += run->bytes();
  return total;
}

std::size_t IndexMemtable::operations() const {
  return head_->operations() + operations_of(runs_);
}

}  // namespace coppice::lsm
