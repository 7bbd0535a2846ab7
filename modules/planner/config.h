// config.h — [planner]
#pragma once

#include "kernel/core/config.h"

namespace coppice::planner {

struct PlannerConfig {
  static void describe(Fields<PlannerConfig>&) {}
};

}  // namespace coppice::planner
