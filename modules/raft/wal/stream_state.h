// stream_state.h — what a reader has learned when it has come to some place in the log.
//
// Role:     kept by whoever writes or reads the stream, and stored in every segment's header, so
//           that reading may begin there.
#pragma once

#include <algorithm>

#include "modules/raft/wal/record.h"

namespace coppice::raft {

struct StreamState {
  LogIndex next_index = {1};  // of the next entry, unless it supersedes
  Term last_term = {};        // of the last entry
  Hlc last_hlc = {};          // the highest of any entry
  Term term = {};             // hard state
  std::uint64_t vote = 0;

  LogIndex last_index() const { return {next_index.value - 1}; }

  // A record begins. The payload is looked at for hard state only.
  Status note(const RecordHeader& header, ByteView payload) {
    if (has_own_index(header.kind)) {
      next_index = {header.index.value + 1};
      last_term = header.term;
      last_hlc = std::max(last_hlc, header.hlc);
    } else if (header.kind == RecordKind::kHardState) {
      vote = COPPICE_TRY(decode_vote(payload));
      term = header.term;
    }
    return {};
  }
};

}  // namespace coppice::raft
