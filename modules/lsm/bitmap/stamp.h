// stamp.h — Stamp: a commit timestamp with the sign of an index operation, in one word.
//
// Holds:    value = timestamp << 1 | (1 for an addition). Stamps compare as their timestamps do; at
//           one timestamp an addition is newer than a removal, so that −k +k of one commit is +k.
#pragma once

#include <compare>
#include <cstdint>

#include "interfaces/types/hlc.h"

namespace coppice::lsm {

struct Stamp {
  std::uint64_t value = 0;

  friend constexpr auto operator<=>(Stamp, Stamp) = default;
  static constexpr Stamp add(Hlc at) { return {at.value << 1 | 1}; }
  static constexpr Stamp remove(Hlc at) { return {at.value << 1}; }
  // An addition whose time no longer matters: every allowed read sees it.
  static constexpr Stamp folded() { return {1}; }

  constexpr bool is_add() const { return (value & 1) != 0; }
  constexpr Hlc at() const { return {value >> 1}; }
  constexpr bool visible_at(Hlc read) const { return at() <= read; }
};

// One operation on the posting list of a key. Order: egid ascending, then stamp descending.
struct PostingOp {
  std::uint64_t egid = 0;
  Stamp stamp;

  friend constexpr bool operator==(PostingOp, PostingOp) = default;
  friend constexpr std::strong_ordering operator<=>(PostingOp a, PostingOp b) {
    if (a.egid != b.egid) return a.egid <=> b.egid;
    return b.stamp <=> a.stamp;
  }
};

}  // namespace coppice::lsm
