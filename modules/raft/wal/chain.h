// chain.h — which of the segment files found make up the log, oldest first.
//
// Role:     follows the links from the newest segment back. Files outside the chain are spare:
//           released ones, and ones that a crash left half made.
// Threads:  any.   Parks: never.
// Errors:   kCorruption, naming the file.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "modules/raft/wal/segment.h"

namespace coppice::raft {

struct FoundSegment {
  Generation generation = 0;  // by its name
  std::optional<SegmentHeader> header =
      {};             // none when it does not decode, or is of another generation
  bool live = false;  // without a header: holds_live_units()
};

struct Chain {
  std::vector<SegmentHeader> segments;  // oldest first; empty: there is no log yet
  // Why it goes no further back, unless it is whole; matters if that segment is still needed.
  std::string front_problem;
};

// Any unit that only a writer which had written the segment's header makes? Then a header that does
// not decode is damage and not a file that was never begun.
bool holds_live_units(ByteView image, Generation generation);

Result<Chain> resolve_chain(std::span<const FoundSegment> found);

}  // namespace coppice::raft
