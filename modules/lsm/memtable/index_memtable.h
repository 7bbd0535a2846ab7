// index_memtable.h — recent operations of one index tree: a head and runs merged in tiers.
//
// Role:     the apply fiber adds what each log entry says; readers take a view. An entry with
//           kOpsForRun operations or more becomes a run at once, smaller ones go to the head.
// Owns:     shares head and runs with the views.
// Threads:  one writer (apply); a view may be used from anywhere. The owner publishes view() with
//           its own snapshot after each change that changed() reports; operations added to the head
//           since are seen by older views too, and hidden by their timestamps.
// Parks:    never. Merges above kInlineMergeOps are the owner's to run elsewhere (plan_merge).
// Holds:    sources are strictly ordered by age: an operation in a newer source is newer than all
//           of the same key and egid in older ones. The head is sealed before a run is put on top.
#pragma once

#include <deque>
#include <optional>

#include "modules/lsm/bitmap/posting_list.h"
#include "modules/lsm/memtable/index_head.h"

namespace coppice::lsm {

inline constexpr std::size_t kOpsForRun = 64;
inline constexpr std::size_t kRunFanIn = 8;
inline constexpr std::size_t kInlineMergeOps = 32 << 10;

// What one read sees of an index memtable.
struct IndexMemtableView {
  std::shared_ptr<const IndexHead> head;
  std::vector<IndexRunRef> runs;  // newest first

  // Adds the operations of `key` as the newest layers. `copies` holds those of the head and must
  // live as long as the list.
  void add_layers(ByteView key, PostingList& list,
                  std::deque<std::vector<PostingOp>>& copies) const;
  // The newest operation on `key` at `read`, whatever its egid: unique indexes.
  std::optional<PostingOp> newest(ByteView key, Hlc read) const;
  // Ordered walks: the nearest key with any operation.
  std::optional<ByteView> key_at_or_above(ByteView key) const;
  std::optional<ByteView> key_below(ByteView key) const;
  std::optional<ByteView> last_key() const;
};

class IndexMemtable {
 public:
  IndexMemtable();

  // The operations of one log entry; the builder is empty afterwards.
  void apply(IndexRunBuilder& batch);
  // A run made elsewhere: the sealed part of a transaction.
  void publish(IndexRunRef run);

  IndexMemtableView view() const { return {head_, runs_}; }
  // True once after head or runs were replaced: publish a new view.
  bool changed() { return std::exchange(changed_, false); }

  // Reads below `snap` are refused from now on: merges may drop what none can see.
  void set_snap(Hlc snap) { snap_ = snap; }
  // Runs to be merged next, adjacent in age; at most one plan at a time.
  struct MergePlan {
    std::vector<IndexRunRef> runs;  // newest first
    Hlc snap;
    IndexRunRef run() const { return merge_runs(runs, snap); }  // anywhere
  };
  std::optional<MergePlan> plan_merge() const;
  void install(const MergePlan& plan, IndexRunRef merged);

  // Everything as runs, for a flush; the memtable goes on empty.
  std::vector<IndexRunRef> take();  // newest first

  std::size_t bytes() const;
  std::size_t operations() const;
  bool empty() const { return operations() == 0; }

 private:
  void seal_head();
  void push(IndexRunRef run);

  std::shared_ptr<IndexHead> head_;
  std::vector<IndexRunRef> runs_;  // newest first
  Hlc snap_ = Hlc::zero();
  bool changed_ = true;
};

}  // namespace coppice::lsm
