// unit_builder.h — cuts the stream of records into flush units.
//
// Role:     takes records from the front of a queue and lays them into a unit; one that does not
//           fit goes on in the next.
// Threads:  one at a time.   Parks: never.
#pragma once

#include <cstdint>
#include <deque>

#include "interfaces/types/shared_bytes.h"
#include "modules/raft/wal/stream_state.h"
#include "modules/raft/wal/unit.h"

namespace coppice::raft {

class RecordQueue {
 public:
  // `header.generation` is filled in when the record begins.
  void push(const RecordHeader& header, SharedBytes payload);

  bool empty() const { return records_.empty(); }
  std::size_t bytes() const { return bytes_; }  // of stream, not laid down yet
  std::size_t size() const { return records_.size(); }

  // Fills `stream` from the front; gives how much was used, how much of that finished a record of
  // an earlier unit, and how many records ended.
  struct Laid {
    std::size_t used = 0, carry = 0, finished = 0;
    bool seals_only = true;
  };
  Laid lay(MutableByteView stream, Generation generation);
  // As of the records that have begun.
  const StreamState& state() const { return state_; }
  void set_state(const StreamState& state) { state_ = state; }

 private:
  struct Record {
    RecordHeader header;
    SharedBytes payload;
    RecordHeaderBytes header_bytes;  // once it has begun
    std::size_t laid = 0;
  };
  std::size_t lay_one(Record& record, MutableByteView stream, Generation generation);

  std::deque<Record> records_;
  std::size_t bytes_ = 0;
  StreamState state_;
};

}  // namespace coppice::raft
