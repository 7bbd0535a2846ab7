// unit.h — flush units: what one write puts into a segment, a multiple of 4 KiB.
//
// Role:     a header, then bytes of the record stream, then zeros. A record may begin in one unit
//           and end in a later one. The header says how far the log was durable when the unit was
//           submitted, which is what tells a torn tail from a damaged log.
// Threads:  any.   Parks: never.
// Errors:   kCorruption.
// Source:   docs/formats/wal.md.
#pragma once

#include <cstdint>

#include "interfaces/vfs.h"
#include "kernel/base/bytes.h"
#include "kernel/base/result.h"
#include "modules/raft/wal/record.h"

namespace coppice::raft {

// Where a byte lies in the log, counted in bytes of units since the log was made; goes on over
// segments.
using LogOffset = std::uint64_t;

inline constexpr std::size_t kBlockBytes = kSectorBytes;
inline constexpr std::size_t kUnitHeaderBytes = 72;
inline constexpr std::size_t kUnitBytesMax = 4 << 20;

struct UnitHeader {
  Generation generation = 0;
  bool restated = false;     // written by a recovery, before the segment's header was
  std::uint64_t log_id = 0;  // random, of the whole log
  LogOffset offset = 0;      // of this unit
  LogOffset durable_through = 0;
  LogIndex commit = {};     // entries up to it are never superseded
  std::uint32_t bytes = 0;  // of the unit, padding included
  std::uint32_t used = 0;   // of the record stream in it
  std::uint32_t carry = 0;  // of `used`: the rest of a record that began in an earlier unit
  Generation oldest = 0;    // segments below it may be missing

  LogOffset end() const { return offset + bytes; }
};

// Smallest unit for that many bytes of stream.
constexpr std::size_t unit_bytes_for(std::size_t used) {
  return align_up(kUnitHeaderBytes + used, kBlockBytes);
}

// Writes header and both checksums into `unit`, whose stream and padding are in place.
void seal_unit(const UnitHeader& header, MutableByteView unit);

// Is there a unit header of that generation at the front of `bytes` (a block or more)? It says
// nothing about the body. `log_id` 0 takes any.
Result<UnitHeader> decode_unit_header(ByteView bytes, Generation generation, std::uint64_t log_id);

// `unit` has header.bytes.
Status check_unit_body(const UnitHeader& header, ByteView unit);

}  // namespace coppice::raft
