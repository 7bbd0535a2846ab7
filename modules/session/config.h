// config.h — [session]
#pragma once

#include "kernel/core/config.h"

namespace coppice::session {

struct SessionConfig {
  static void describe(Fields<SessionConfig>&) {}
};

}  // namespace coppice::session
