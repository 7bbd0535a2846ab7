// config.h — [executor]
#pragma once

#include "kernel/core/config.h"

namespace coppice::executor {

struct ExecutorConfig {
  static void describe(Fields<ExecutorConfig>&) {}
};

}  // namespace coppice::executor
