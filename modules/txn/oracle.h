// oracle.h — which rows were committed lately: the quick answer to "has it changed since I looked?"
//
// Role:     a fixed table of timestamps, one slot per hash of a row: the newest commit of any row
//           that shares the slot. It never says that a row is unchanged when it was changed; who is
//           told "maybe" asks the engine. With 131,072 slots a statement of 1 ms beside 10,000
//           commits/s hears a wrong "maybe" for one row in 13,000.
// Owns:     1 MiB.
// Threads:  any fiber; lock-free. A row's locks order note() before the next maybe_changed().
// Parks:    never.
// Holds:    slots and floor only rise.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "interfaces/txn.h"

namespace coppice::txn {

class Oracle {
 public:
  static constexpr unsigned kSlotBits = 17;

  Oracle() : slots_(std::make_unique<std::atomic<std::uint64_t>[]>(std::size_t{1} << kSlotBits)) {}

  // A commit at `at` changed the row; called before its locks go.
  void note(TableRef table, Egid row, Hlc at) { raise(slot_of(table, row), at); }
  // A commit at `at` changed rows that were not counted one by one.
  void note_many(Hlc at) { raise(floor_, at); }

  bool maybe_changed(TableRef table, Egid row, Hlc since) const {
    return slot_of(table, row).load() > since.value || floor_.load() > since.value;
  }

 private:
  std::atomic<std::uint64_t>& slot_of(TableRef table, Egid row) const;
  static void raise(std::atomic<std::uint64_t>& to, Hlc at);

  std::unique_ptr<std::atomic<std::uint64_t>[]> slots_;
  std::atomic<std::uint64_t> floor_{0};
};

}  // namespace coppice::txn
