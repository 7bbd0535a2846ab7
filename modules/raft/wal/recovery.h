// recovery.h — opens the log: finds its end and goes on in a new segment.
//
// Role:     what was written and not known to be durable is written again, at the front of the new
//           segment, before anybody is told of it. So a reader never depends on bytes that a later
//           power cut could still take, and the discarded tail stays discarded.
// Parks:    open_log().
// Errors:   kCorruption (segment and offset), kUnsupported (a codec), and those of the Vfs.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "interfaces/codec.h"
#include "modules/raft/core/types.h"
#include "modules/raft/wal/scanner.h"
#include "modules/raft/wal/segment_store.h"

namespace coppice::raft {

using Codecs = std::span<const Codec* const>;

struct OpenedLog {
  std::vector<SegmentHeader> segments;  // oldest first; the last is the one to write to
  std::unique_ptr<SegmentFile> file;    // of that one
  LogOffset end = 0;                    // where writing goes on; all before it is durable
  StreamState stream;
  LogBase committed;                    // the last entry that is committed for certain
  std::vector<LogEntry> uncommitted;    // the entries after it
  std::vector<std::string> free_files;  // to be used again
  std::vector<std::string> odd_files;   // to be removed
  std::uint32_t newest_spare = 0;
  std::string tail;  // why the old log ended where it did; empty for a new log
  std::uint64_t restated_bytes = 0;
};

// `log_id` names a log that is made now.
Result<OpenedLog> open_log(SegmentStore& store, Codecs codecs, std::uint64_t log_id);

// The payload as it was proposed.
Result<SharedBytes> unpack(const RecordHeader& header, const SharedBytes& stored, Codecs codecs);

}  // namespace coppice::raft
