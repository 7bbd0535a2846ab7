// keeper.h — Keeper: gets memtables into files, merges files, and keeps the manifest.
#pragma once

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
  Status flush_all() { return {}; }
  Status merge_all() { return {}; }
  Status wait_for_room() { return {}; }
  void applied() {}
  fiber::Mutex& apply_mutex() { return apply_mutex_; }
  LogIndex replay_from() const { return {}; }
  EngineCounters counters() const { return {}; }

 private:
  fiber::Mutex apply_mutex_;
};

}  // namespace coppice::lsm
