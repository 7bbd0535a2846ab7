// run_merger.h — RunMerger: merges of runs in index memtables that are too long for apply.
//
// Role:     a bulk load adds a run for each entry; reads look into each of them until this fiber
//           has made a few of many. The merging itself runs on a helper thread, since it cannot
//           yield.
// Threads:  note() under the apply mutex.   Parks: stop().
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "kernel/fiber/cancel.h"
#include "kernel/fiber/fiber.h"
#include "kernel/fiber/runtime.h"
#include "kernel/fiber/sync.h"
#include "modules/lsm/forest/tables.h"

namespace coppice::lsm {

class RunMerger {
 public:
  // `changed` is called under the apply mutex when a table's memory is another.
  RunMerger(fiber::Mutex& apply_mutex, std::function<void(const TablePtr&)> changed)
      : apply_mutex_(apply_mutex), changed_(std::move(changed)) {}

  void start() {
    task_ = fiber::spawn(
        {.name = "lsm runs", .priority = fiber::Priority::kBackground, .cancel = &stopping_},
        [this] { run(); });
  }
  void stop() {
    stopping_.cancel();
    if (task_.joinable()) task_.join();
  }
  // The table was written to: there may be something to merge.
  void note(const TablePtr& table) {
    if (table->kind() == TableKind::kRows || !table->index().plan_merge()) return;
    if (std::ranges::find(waiting_, table) == waiting_.end()) waiting_.push_back(table);
    wanted_.set();
  }

 private:
  void run() {
    while (wanted_.wait()) {
      wanted_.reset();
      while (!stopping_.cancelled() && merge_one()) {
      }
    }
  }
  bool merge_one() {
    TablePtr table;
    std::optional<IndexMemtable::MergePlan> plan;
    {
      const fiber::MutexGuard guard(apply_mutex_);
      if (waiting_.empty()) return false;
      table = waiting_.back();
      plan = table->index().plan_merge();
      if (!plan) waiting_.pop_back();
    }
    if (!plan) return true;
    IndexRunRef merged = fiber::run_blocking([&] { return plan->run(); });
    const fiber::MutexGuard guard(apply_mutex_);
    table->index().install(*plan, std::move(merged));
    changed_(table);
    return true;
  }

  fiber::Mutex& apply_mutex_;
  const std::function<void(const TablePtr&)> changed_;
  std::vector<TablePtr> waiting_;  // under the apply mutex
  fiber::Event wanted_;
  fiber::CancelToken stopping_;
  fiber::Task task_;
};

}  // namespace coppice::lsm
