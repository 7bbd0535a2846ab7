// config.h — [catalog]
#pragma once

#include "kernel/core/config.h"

namespace coppice::catalog {

struct CatalogConfig {
  static void describe(Fields<CatalogConfig>&) {}
};

}  // namespace coppice::catalog
