// segment.h — the first block of a segment, and the names of segment files.
//
// Role:     says which segment of which log this is, which one it follows and at what offset, and
//           what a reader that begins here must know: hard state, last entry, commit.
// Threads:  any.   Parks: never.
// Errors:   kCorruption; kUnsupportedVersion.
// Source:   docs/formats/wal.md.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "modules/raft/wal/record.h"
#include "modules/raft/wal/stream_state.h"
#include "modules/raft/wal/unit.h"

namespace coppice::raft {

struct SegmentHeader {
  Generation generation = 0;
  Generation previous = 0;      // the segment before it; 0 for the first of the log
  Generation oldest = 0;        // segments below it may be missing
  bool after_recovery = false;  // a record unfinished at its start stays so
  std::uint64_t log_id = 0;
  std::uint64_t segment_bytes = 0;  // of the file
  LogOffset base = 0;               // of the first unit; the segment before ends here
  LogOffset durable_through = 0;
  LogIndex commit = {};
  StreamState stream = {};  // as of base: records that begin before it

  // Log offset → place in the file.
  std::uint64_t file_offset(LogOffset offset) const { return offset - base + kBlockBytes; }
};

using Block = std::array<std::byte, kBlockBytes>;

Block encode_segment_header(const SegmentHeader& header);
// `block` has kBlockBytes.
Result<SegmentHeader> decode_segment_header(ByteView block);

inline constexpr std::string_view kSegmentPrefix = "log/segment-";
inline constexpr std::string_view kSparePrefix = "log/spare-";  // zero-filled, never used yet
std::string segment_name(Generation generation);
std::string spare_name(std::uint32_t number);
std::optional<std::uint32_t> number_in_name(std::string_view prefix, std::string_view name);

inline constexpr std::uint64_t kSegmentBytesMin = 4 << 20;
inline constexpr std::uint64_t kSegmentBytesMax = 64 << 20;
std::uint64_t segment_bytes_for(std::uint64_t retention_bytes);

}  // namespace coppice::raft
