// config.h — [raft]
#pragma once

#include <string>

#include "interfaces/vfs.h"
#include "kernel/base/bytes.h"
#include "kernel/core/config.h"

namespace coppice::raft {

struct RaftConfig {
  std::string vfs = "wal";
  std::string codec = "zstd";
  Size retention = 0;

  static void describe(Fields<RaftConfig>& f) {
    f.instance<Vfs>("vfs", &RaftConfig::vfs, "Where the log lives. It wants a local disk.");
    f.value("codec", &RaftConfig::codec,
            "Codec of large entries, by instance or kind; empty: none.");
    f.value("retention", &RaftConfig::retention,
            "Bytes of log that a restart may have to read; a segment is an eighth of it, 4 to 64 "
            "MiB. 0: half of memory.total, twice the share of the memtables.")
        .sim(1_MiB, 64_MiB);
  }
};

}  // namespace coppice::raft
