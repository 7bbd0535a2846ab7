// row_numbers.h — equal rows get equal numbers: 0, 1, 2 … in order of
// appearance.
//
// Role:     grouping, DISTINCT, hash joins and IN. One integer column is hashed
// as it is, anything
//           else through its RowKeys.
// Threads:  one at a time.   Parks: insert(), for the budget. Errors: 53200;
// 42883 from make().
#pragma once

#include "modules/executor/values/key_table.h"
#include "modules/executor/values/row_keys.h"

namespace coppice::executor {

// A hash table from integers to consecutive numbers.
class IntegerTable {
 public:
  explicit IntegerTable(Budget* budget) : budget_(budget), memory_(budget) {}

  std::uint32_t find(std::int64_t key) const {
    if (slots_.empty()) return KeyTable::kNone;
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = place(key);; at = (at + 1) & mask) {
      const Slot& slot = slots_[at];
      if (slot.number == KeyTable::kNone || slot.key == key) return slot.number;
    }
  }
  // The key's number; a new key gets `next`.
  std::uint32_t insert(std::int64_t key, std::uint32_t next) {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = place(key);; at = (at + 1) & mask) {
      Slot& slot = slots_[at];
      if (slot.number != KeyTable::kNone && slot.key != key) continue;
      if (slot.number == KeyTable::kNone) {
        slot = {key, next};
        ++used_;
      }
      return slot.number;
    }
  }
  // Makes room for `more` new keys.
  Status reserve(std::size_t more);
  void clear();

 private:
  struct Slot {
    std::int64_t key = 0;
    std::uint32_t number = KeyTable::kNone;
  };
  std::size_t place(std::int64_t key) const {
    return static_cast<std::size_t>(
        (static_cast<std::uint64_t>(key) * std::uint64_t{0x9E37'79B9'7F4A'7C15}) >> shift_);
  }

  Budget* budget_;
  MemoryUse memory_;
  std::vector<Slot> slots_;  // a power of two of them, at most half of them used
  std::size_t used_ = 0;
  unsigned shift_ = 63;
};

class RowNumbers {
 public:
  static constexpr std::uint32_t kNone = KeyTable::kNone;
  enum class Nulls : std::uint8_t { kEqual, kNeverEqual };

  static Result<RowNumbers> make(std::span<const TypeOid> types, Nulls nulls,
                                 const Execution& execution);
  // Rows of other columns are to be looked up too: finder() reads what was
  // inserted here.
  static Result<RowNumbers> make(std::span<const TypeOid> types,
                                 std::span<const TypeOid> finder_types, Nulls nulls,
                                 const Execution& execution);

  // Numbers of the selected rows, in order; kNone for a NULL that equals
  // nothing. New rows get size() as it was, and up.
  Status insert(std::span<const Vector> columns, const Selection& rows,
                std::vector<std::uint32_t>& numbers);
  void find(std::span<const Vector> columns, const Selection& rows,
            std::vector<std::uint32_t>& numbers);

  std::uint32_t size() const { return size_; }
  bool has_null() const { return has_null_; }  // a row with a NULL was inserted, whatever it got
  void clear();

 private:
  RowNumbers(Nulls nulls, Budget* budget) : nulls_(nulls), integers_(budget), table_(budget) {}

  Nulls nulls_;
  bool one_integer_ = false;
  IntegerTable integers_;
  std::uint32_t null_number_ = kNone;  // one_integer_
  RowKeys keys_, finder_keys_;
  KeyTable table_;
  EncodedKeys encoded_;
  std::uint32_t size_ = 0;
  bool has_null_ = false;
};

}  // namespace coppice::executor
