// record.h — log records: the header of 48 bytes in front of every payload.
//
// Role:     what the log is a stream of. Only entries and control entries have a raft index of
//           their own; the other kinds carry the index of the last entry before them.
// Threads:  any.   Parks: never.
// Errors:   kCorruption, for bytes that no writer of this format made.
// Source:   docs/formats/wal.md.
#pragma once

#include <array>
#include <cstdint>

#include "interfaces/consensus.h"
#include "interfaces/types/hlc.h"
#include "kernel/base/bytes.h"
#include "kernel/base/result.h"

namespace coppice::raft {

enum class RecordKind : std::uint8_t {
  kEntry = 1,      // what the state machine gets
  kHardState = 2,  // term in the header, vote in the payload
  kLocal = 3,      // this node's own record
  kPart = 4,       // reserved: transaction parts are entries (docs/adr/0081)
  kSeal = 5,       // nothing; it carries durable_through past the last acknowledged record
  kControl = 6,    // raft's own entry: empty when a leader begins, or a change of the group
};

using Generation = std::uint32_t;  // of a segment; 0 means none

struct RecordHeader {
  RecordKind kind = RecordKind::kSeal;
  bool compressed = false;         // payload is in the frames of payload.h
  Generation generation = 0;       // of the segment where the record begins
  std::uint32_t stored_bytes = 0;  // of payload, as in the log
  std::uint32_t raw_bytes = 0;     // of payload, before compression
  Term term = {};
  LogIndex index = {};
  Hlc hlc = {};
};

inline constexpr std::size_t kRecordHeaderBytes = 48;
using RecordHeaderBytes = std::array<std::byte, kRecordHeaderBytes>;

constexpr bool has_own_index(RecordKind kind) {
  return kind == RecordKind::kEntry || kind == RecordKind::kControl;
}

RecordHeaderBytes encode_record_header(const RecordHeader& header, ByteView payload);

// `bytes` has kRecordHeaderBytes. Checks everything but the checksum, which needs the payload.
Result<RecordHeader> decode_record_header(ByteView bytes);
Status check_record(ByteView header, Generation generation, ByteView payload);

// The payload of a kHardState record: who got this node's vote in the header's term; 0 nobody.
ByteBuffer encode_vote(std::uint64_t vote);
Result<std::uint64_t> decode_vote(ByteView payload);

}  // namespace coppice::raft
