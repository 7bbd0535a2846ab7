// merger.h — Merger: the fiber that keeps trees in few files.
//
// Role:     takes the tree with the most files in level 0 (merge_plan.h), merges, puts the outcome
//           in the tree's place and in the manifest. Who flushes waits here for a tree that has far
//           too many.
// Owns:     its fiber.
// Threads:  any.
// Parks:    stop(), merge_all(), wait_for_level0().
// Errors:   a merge that fails is logged and left alone for kMergeRetryDelay; merge_all() gives it.
// Holds:    one merge at a time, so files of a tree go only here.
#pragma once

#include <atomic>
#include <functional>
#include <map>

#include "kernel/core/log.h"
#include "kernel/fiber/cancel.h"
#include "kernel/fiber/fiber.h"
#include "kernel/fiber/sync.h"
#include "modules/lsm/forest/file_ledger.h"
#include "modules/lsm/forest/file_store.h"
#include "modules/lsm/forest/merge_plan.h"
#include "modules/lsm/forest/snapshots.h"
#include "modules/lsm/forest/tables.h"

namespace coppice::lsm {

inline constexpr std::size_t kLevel0Behind = 2 * kLevel0Files;  // merges run beside flushes
inline constexpr std::size_t kLevel0Stop = 4 * kLevel0Files;    // flushes wait
inline constexpr Duration kMergeRetryDelay = 10s;

class Merger {
 public:
  // Runs the function under the apply mutex, then writes the manifest.
  using Edit = std::function<Status(const std::function<void(FileLedger&)>&)>;
  struct Options {
    std::uint64_t file_bytes = 64_MiB;
    const Codec* codec = nullptr;  // of index files in the last level
  };
  Merger(FileStore& store, Tables& tables, Snapshots& snapshots, Edit edit, const Log& log,
         const Options& options);

  void start();
  void stop();
  void wake() { wanted_.set(); }  // something was flushed
  // All trees, as far as it goes.
  Status merge_all();
  // Until no tree has kLevel0Stop files in level 0, or merging does not help.
  Status wait_for_level0();
  std::uint64_t debt_bytes() const { return debt_bytes_.load(); }

 private:
  struct Job {
    TablePtr table;
    RowTreeRef rows;  // one of them
    IndexTreeRef index;
    MergePick pick;
  };
  struct Survey {
    std::optional<Job> job;
    std::size_t level0_most = 0;  // of trees that may be merged
  };
  void run_fiber();
  Survey survey(const MergeLimits& limits);
  Result<bool> merge_one(const MergeLimits& limits);  // false: nothing to do
  Status run(const Job& job);
  Status run_rows(const Job& job);
  Status run_index(const Job& job);
  bool still_there(const Job& job) const { return tables_.find(job.table->ref()) == job.table; }
  static Status check_progress(const Job& job, std::size_t made);
  void remove(const std::vector<std::uint64_t>& files);

  FileStore& store_;
  Tables& tables_;
  Snapshots& snapshots_;
  const Edit edit_;
  const Log& log_;
  const Options options_;

  fiber::Mutex one_at_a_time_;  // held for as long as a merge takes
  fiber::Mutex failed_mutex_;
  std::map<TableRef, Instant> not_before_;  // under it: trees whose merge failed
  std::atomic<std::uint64_t> debt_bytes_ = 0;
  fiber::Event wanted_;
  fiber::Event progress_;  // set by each merge that ended
  fiber::CancelToken stopping_;
  fiber::Task task_;
};

}  // namespace coppice::lsm
