// keeper.h — Keeper: where memtables will get into files, files be merged, the manifest be kept.
//
// Role:     the forest's calls to it are in place; so far everything stays in memory, memtables
//           have no bound, and a restart replays the whole log.
// Errors:   flush_all() and merge_all() give kUnsupported: nothing was written.
#pragma once

#include <string>

#include "interfaces/consensus.h"
#include "kernel/core/log.h"
#include "kernel/fiber/sync.h"
#include "modules/lsm/forest/apply.h"
#include "modules/lsm/forest/file_store.h"

namespace coppice::lsm {

struct ForestOptions {
  std::uint64_t memtable_bytes = 64_MiB;  // of all trees together
  Duration snapshot_age_max = std::chrono::hours(1);
};

class Keeper {
 public:
  Keeper(FileStore&, Consensus&, Tables&, Snapshots&, Applier&, const Log&, const ForestOptions&) {}

  Status open() { return {}; }
  void start() {}
  void stop() {}
  Status flush_all() { return not_yet("flushing memtables"); }
  Status merge_all() { return not_yet("merging files"); }
  Status wait_for_room() { return {}; }
  void applied() {}
  fiber::Mutex& apply_mutex() { return apply_mutex_; }
  LogIndex replay_from() const { return {}; }
  EngineCounters counters() const { return {}; }

 private:
  static Status not_yet(const std::string& what) {
    return fail(Code::kUnsupported, what + " is not supported yet");
  }
  fiber::Mutex apply_mutex_;
};

}  // namespace coppice::lsm
