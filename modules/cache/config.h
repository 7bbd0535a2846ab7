// config.h — [cache]
#pragma once

#include "kernel/base/bytes.h"
#include "kernel/core/config.h"

namespace coppice::cache {

struct CacheConfig {
  Size capacity = 0;

  static void describe(Fields<CacheConfig>& f) {
    f.value("capacity", &CacheConfig::capacity,
            "Bytes of blocks kept in memory at start; 0: half of memory.total. The memory governor "
            "sizes the cache from then on.")
        .sim(64_KiB, 8_MiB);
  }
};

}  // namespace coppice::cache
