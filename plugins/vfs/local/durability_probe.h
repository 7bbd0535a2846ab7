// durability_probe.h — which way of making a small write durable is the faster one here.
//
// Role:     devices with FUA favour RWF_DSYNC, others may favour a write and an fdatasync; it is
//           measured once, when the root is opened, in some milliseconds.
// Parks:    probe_durability().
#pragma once

#include "kernel/base/time.h"
#include "plugins/vfs/local/local_files.h"
#include "plugins/vfs/local/root_folder.h"

namespace coppice::vfs_local {

struct DurabilityFigures {
  Duration dsync{};  // median of a 4 KiB write
  Duration fdatasync{};
  Durability better() const {
    return fdatasync < dsync ? Durability::kFdatasync : Durability::kDsync;
  }
};

Result<DurabilityFigures> probe_durability(const RootFolder& root, const Clock& clock);

}  // namespace coppice::vfs_local
