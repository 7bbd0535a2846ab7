// config.h — [session]
#pragma once

#include "kernel/base/bytes.h"
#include "kernel/core/config.h"

namespace coppice::session {

struct SessionConfig {
  Size session_memory_max = 1_GiB;
  Size statement_memory_max = 1_GiB;

  static void describe(Fields<SessionConfig>& f) {
    f.value("session_memory_max", &SessionConfig::session_memory_max,
            "What one session may keep: prepared statements, the changes of its transaction. At "
            "most an eighth of memory.total.")
        .range(1_MiB, 1_TiB);
    f.value("statement_memory_max", &SessionConfig::statement_memory_max,
            "What one statement may use to sort, group and join, at most an eighth of "
            "memory.total; all share a quarter of it.")
        .range(1_MiB, 1_TiB);
  }
};

}  // namespace coppice::session
