// config.h — [vfs]: what holds for all instances; each instance has its own section.
#pragma once

#include "kernel/base/bytes.h"
#include "kernel/base/time.h"
#include "kernel/core/config.h"

namespace coppice::vfs {

struct VfsConfig {
  Duration query_latency_target = 1ms;
  Size background_bytes_per_second = 0;
  bool calibrate = true;

  static void describe(Fields<VfsConfig>& f) {
    f.value("query_latency_target", &VfsConfig::query_latency_target,
            "Background I/O is held back while a query's batch of reads takes longer than this.")
        .range(50us, 1s)
        .sim(100us, 10ms);
    f.value("background_bytes_per_second", &VfsConfig::background_bytes_per_second,
            "Flushes, merges and prefetches move at most this much on each instance; 0: no limit.");
    f.value("calibrate", &VfsConfig::calibrate,
            "Measure the storage at the first start, for at most two seconds.");
  }
};

}  // namespace coppice::vfs
