// config.h — [txn]
#pragma once

#include "kernel/core/config.h"

namespace coppice::txn {

struct TxnConfig {
  static void describe(Fields<TxnConfig>&) {}
};

}  // namespace coppice::txn
