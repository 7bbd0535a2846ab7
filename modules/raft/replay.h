// replay.h — reads the log to a state machine: what a restart, or an attach, has to do.
//
// Parks:    replay().
// Errors:   kCorruption: the log is damaged, does not go back to what the machine needs, or ends
//           before what the machine has; what the machine returns; those of the Vfs.
#pragma once

#include <vector>

#include "interfaces/consensus.h"
#include "modules/raft/wal/recovery.h"

namespace coppice::raft {

struct ReplayPlan {
  std::vector<SegmentHeader> segments;  // oldest first
  LogOffset end = 0;                    // durable; nothing behind it is looked at
  LogIndex commit = {};
};

struct ReplayCount {
  std::uint64_t entries = 0;
  std::uint64_t local_records = 0;
  std::uint64_t bytes = 0;  // of log read
};

Result<ReplayCount> replay(SegmentStore& store, Codecs codecs, const ReplayPlan& plan,
                           StateMachine& machine);

}  // namespace coppice::raft
