// config.h — [lsm]
#pragma once

#include <string>

#include "interfaces/vfs.h"
#include "kernel/base/bytes.h"
#include "kernel/base/time.h"
#include "kernel/core/config.h"

namespace coppice::lsm {

struct LsmConfig {
  std::string vfs = "data";
  Size memtables = 0;
  Duration snapshot_age_max = std::chrono::hours(1);

  static void describe(Fields<LsmConfig>& f) {
    f.instance<Vfs>("vfs", &LsmConfig::vfs, "Where tables and indexes live.");
    f.value("memtables", &LsmConfig::memtables,
            "Memory for changes that are not in files yet, of all tables together; 0: a quarter of "
            "memory.total.")
        .sim(256_KiB, 16_MiB);
    f.value("snapshot_age_max", &LsmConfig::snapshot_age_max,
            "A transaction that reads an older state than this gets an error, so that old versions "
            "of rows can go.")
        .range(1s, std::chrono::hours(24 * 30));
  }
};

}  // namespace coppice::lsm
