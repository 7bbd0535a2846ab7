// scanner.h — reads the log front to back, and tells its end from damage.
//
// Role:     recovery and replay: takes the images of a chain's segments, oldest first, and hands
//           over every record. The rule for a bad unit at offset h: if anything valid after it says
//           that the log was durable beyond h, it is corruption; otherwise h is the end, and what
//           follows was never acknowledged.
// Owns:     the bytes of at most one record that spans units.
// Threads:  one at a time.   Parks: never, unless the visitor does.
// Errors:   kCorruption, naming segment file and offset in it; and what the visitor returns.
// Source:   DESIGN section 8; docs/formats/wal.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "modules/raft/wal/segment.h"

namespace coppice::raft {

struct ScannedRecord {
  RecordHeader header;
  ByteView payload;  // as stored; valid during the call
  LogOffset end;     // of the unit in which the record ends
};

class LogVisitor {
 public:
  virtual ~LogVisitor() = default;
  // Records come in log order; one may turn out to be superseded by a later one.
  virtual Status on_record(const ScannedRecord& record) = 0;
  // Before the records that end in the unit. The segment's header comes as a unit without any.
  virtual Status on_progress(LogOffset durable_through, LogIndex commit) = 0;
};

struct LogEnd {
  LogOffset end = 0;              // of the last good unit
  LogOffset durable_through = 0;  // known to be durable
  Generation oldest = 0;          // as the last good unit or header says
  std::string tail;               // why it ends there
};

class LogScanner {
 public:
  explicit LogScanner(LogVisitor& visitor) : visitor_(visitor) {}

  // `image` is the whole file. `cut`: where the next segment of the chain begins; none for the
  // newest.
  Status scan(const SegmentHeader& header, ByteView image, std::optional<LogOffset> cut);
  Result<LogEnd> finish();

  LogOffset position() const { return position_; }

 private:
  Status begin(const SegmentHeader& header, ByteView image);
  Status take_unit(const UnitHeader& unit, ByteView stream);
  Status take_carry(const UnitHeader& unit, ByteView& stream);
  Status take_records(const UnitHeader& unit, ByteView stream);
  Status deliver(ByteView header, ByteView payload, const UnitHeader& unit);
  Result<std::size_t> pending_missing() const;
  void stop_at(const SegmentHeader& header, std::string why);
  void look_beyond(const SegmentHeader& header, ByteView image, std::uint64_t from,
                   std::optional<LogOffset> cut);
  std::unexpected<Error> damaged(const Error& why) const;

  LogVisitor& visitor_;
  bool started_ = false;
  bool stopped_ = false;           // a bad unit was met, at position_
  bool skipping_ = false;          // the chain begins inside a record
  LogOffset position_ = 0;         // of the next unit
  LogOffset durable_through_ = 0;  // the highest seen anywhere
  Generation oldest_ = 0;
  Generation generation_ = 0;          // of the segment under way
  std::uint64_t file_offset_ = 0;      // of the unit under way
  Generation pending_generation_ = 0;  // where the pending record began
  ByteBuffer pending_;                 // the front of a record that goes on in the next unit
  std::string stopped_why_;            // with file and offset
};

}  // namespace coppice::raft
