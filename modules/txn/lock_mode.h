// lock_mode.h — which locks exclude each other.
//
// Source:   PostgreSQL 15 manual, tables 13.2 (relation locks) and 13.3 (row locks).
#pragma once

#include <array>
#include <cstdint>

#include "interfaces/txn.h"

namespace coppice::txn {

using LockMode = std::uint8_t;     // index into one of the tables below
using LockModeSet = std::uint8_t;  // bit i: mode i

// Conflicts of one family of modes: bit j of `conflicts[i]` says that i and j exclude each other.
struct LockFamily {
  std::array<LockModeSet, 8> conflicts;
};

inline constexpr LockFamily kRelationFamily = {{
    0b1000'0000,  // ACCESS SHARE against ACCESS EXCLUSIVE
    0b1100'0000,  // ROW SHARE against EXCLUSIVE and above
    0b1111'0000,  // ROW EXCLUSIVE against SHARE and above
    0b1111'1000,  // SHARE UPDATE EXCLUSIVE against itself and above
    0b1110'1100,  // SHARE against ROW EXCLUSIVE, SHARE UPDATE EXCLUSIVE, and above itself
    0b1111'1100,  // SHARE ROW EXCLUSIVE against ROW EXCLUSIVE and above
    0b1111'1110,  // EXCLUSIVE against ROW SHARE and above
    0b1111'1111,  // ACCESS EXCLUSIVE against all
}};

inline constexpr LockFamily kRowFamily = {{
    0b0000'1000,  // KEY SHARE against UPDATE
    0b0000'1100,  // SHARE against NO KEY UPDATE and UPDATE
    0b0000'1110,  // NO KEY UPDATE against SHARE and above
    0b0000'1111,  // UPDATE against all
    0,
    0,
    0,
    0,
}};

constexpr LockMode mode_of(RelationLock mode) {
  return static_cast<LockMode>(mode);
}
constexpr LockMode mode_of(RowLock mode) {
  return static_cast<LockMode>(mode);
}
constexpr LockModeSet bit_of(LockMode mode) {
  return static_cast<LockModeSet>(1U << mode);
}

}  // namespace coppice::txn
