// keeper.h — Keeper: memtables get into files, the manifest is kept, the log is released.
// The merging of files is Merger's.
//
// Role:     one budget for all memtables: at half of it a flush begins, at all of it apply waits.
//           A flush takes every tree that has something in memory, so that the log is released up
//           to where it began.
// Owns:     the flush fiber, the manifests, the ledger of files.
// Threads:  open(), start(), stop() by the forest's owner; wait_for_room() and applied() by the
//           apply fiber; the rest from any fiber.
// Parks:    open(), stop(), flush_all(), wait_for_room().
// Errors:   of open(): kCorruption naming the file. A flush that fails is tried again; while it
//           does memtables are over their budget, apply waits, and after kFlushAttemptsMax (unless
//           the disk is full) it fails, which stops the log. A full disk refuses changes from the
//           first flush that fails on, so that what was proposed before still finds memory.
// Holds:    order of locks: edit, apply. What is not durable in the log is in no file.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <vector>

#include "interfaces/consensus.h"
#include "kernel/core/log.h"
#include "kernel/fiber/cancel.h"
#include "kernel/fiber/fiber.h"
#include "kernel/fiber/sync.h"
#include "modules/lsm/forest/apply.h"
#include "modules/lsm/forest/file_ledger.h"
#include "modules/lsm/forest/file_store.h"
#include "modules/lsm/forest/flush.h"
#include "modules/lsm/forest/manifest_store.h"
#include "modules/lsm/forest/merger.h"
#include "modules/lsm/forest/run_merger.h"

namespace coppice::lsm {

inline constexpr unsigned kFlushAttemptsMax = 8;
inline constexpr Duration kFlushRetryDelay = 100ms;  // doubled with each attempt, up to 16 times
inline constexpr Duration kDropDelay = 1s;           // between looks at tables that were dropped
inline constexpr std::uint64_t kLogBytesPerMemtableByte = 2;

struct ForestOptions {
  std::uint64_t memtable_bytes = 64_MiB;  // of all trees together
  std::uint64_t file_bytes = 64_MiB;      // of a merged file, about
  Duration snapshot_age_max = std::chrono::hours(1);
};

class Keeper {
 public:
  // All outlive the keeper.
  Keeper(FileStore& store, Consensus& consensus, Tables& tables, Snapshots& snapshots,
         Applier& applier, const Log& log, const ForestOptions& options);
  ~Keeper();

  // Tables, files and log position from the manifest.
  Status open();
  void start();
  // Once the log has been replayed: nobody needs files that the manifest does not name.
  void replayed();
  // What opening, or replay after it, failed with; names a manifest that was passed over.
  Error explain(Error error) const;
  // Apply no longer waits for a flush that fails.
  void give_up();
  void stop();

  // A flush that begins after the call; its outcome.
  Status flush_all();
  Status merge_all() { return merger_.merge_all(); }

  Status wait_for_room();
  // Before a change is proposed: kDiskFull while flushes find no room on the disk.
  Status admit_change() const;
  void applied(std::size_t entry_bytes);  // under the apply mutex
  fiber::Mutex& apply_mutex() { return apply_mutex_; }
  LogIndex replay_from() const { return {flushed_through_.load()}; }
  EngineCounters counters() const;

 private:
  // Open.
  Status load();
  Status restore(Manifest&& manifest);
  Status open_files(const ManifestTable& from, Table& to);

  // Memory, under the apply mutex.
  void recount(const TablePtr& table);
  void forget_dropped(Hlc snap);
  bool over_budget() const { return memory_bytes_.load() >= options_.memtable_bytes; }

  // The flush fiber.
  void run_flush();
  Status flush_round();
  void finish_round(std::uint64_t requests, Status status);
  Status wait_durable(LogIndex index);

  // Changes of what files there are.
  Status edit(const std::function<void(FileLedger&)>& install);
  Manifest collect();
  void remove_dead();

  FileStore& store_;
  Consensus& consensus_;
  Tables& tables_;
  Snapshots& snapshots_;
  Applier& applier_;
  const Log& log_;
  const ForestOptions options_;

  fiber::Mutex apply_mutex_;
  std::vector<TablePtr> dirty_;                  // under it: trees with something in memory
  std::atomic<std::uint64_t> memory_bytes_ = 0;  // of those
  std::atomic<std::uint64_t> frozen_bytes_ = 0;  // of that, what is being flushed
  std::uint64_t log_bytes_ = 0;                  // of entries since the last freeze
  std::atomic<bool> drops_pending_ = false;      // tables that some read may still find

  fiber::Mutex edit_mutex_;
  ManifestStore manifests_;  // guarded by it, like what follows
  FileLedger ledger_;
  std::vector<std::uint64_t> doomed_;  // files to be removed once a manifest does not name them
  bool may_remove_ = false;            // replay has ended, so the manifest was good
  bool manifest_stale_ = false;        // trees are ahead of it
  LogIndex manifest_through_;          // what the last one knows

  std::atomic<bool> disk_full_ = false;  // as the last flush found it
  std::atomic<std::uint64_t> flushed_through_ = 0;
  std::atomic<std::uint64_t> files_ = 0;
  std::atomic<std::uint64_t> file_bytes_ = 0;

  RunMerger run_merger_;
  Merger merger_;

  fiber::Event flush_wanted_;
  fiber::CancelToken stopping_;
  fiber::Task flush_task_;

  fiber::Mutex round_mutex_;
  fiber::Condition round_done_;  // guarded by it, like what follows
  std::uint64_t requested_ = 0, finished_ = 0;
  std::optional<Error> round_error_;
  unsigned failures_ = 0;  // in a row
  bool given_up_ = false;
  bool stopped_ = true;
};

}  // namespace coppice::lsm
