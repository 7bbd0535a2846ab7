// local_read.h — a batch of reads, made fit for direct I/O.
//
// Role:     reads that are aligned go straight to their destination; the others are widened to
//           sectors, read into a bounce buffer and copied out.
// Parks:    read_batch().
#pragma once

#include <span>

#include "interfaces/vfs.h"
#include "interfaces/vfs_counters.h"
#include "plugins/vfs/local/bounce_pool.h"

namespace coppice::vfs_local {

Status read_batch(std::span<const ReadRequest> requests, IoClass io_class, BouncePool& pool,
                  AtomicVfsCounters& counters);

}  // namespace coppice::vfs_local
