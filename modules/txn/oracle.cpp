// oracle.cpp — hashing a row to its slot.
#include "modules/txn/oracle.h"

namespace coppice::txn {

std::atomic<std::uint64_t>& Oracle::slot_of(TableRef table, Egid row) const {
  std::uint64_t hash = row * 0x9e3779b97f4a7c15;
  hash ^= (std::uint64_t{table.ns.value} << 32 | table.table.value) * 0xbf58476d1ce4e5b9;
  hash ^= hash >> 29;
  hash *= 0x94d049bb133111eb;
  return slots_[hash >> (64 - kSlotBits)];
}

void Oracle::raise(std::atomic<std::uint64_t>& to, Hlc at) {
  std::uint64_t before = to.load();
  while (before < at.value && !to.compare_exchange_weak(before, at.value)) {
  }
}

}  // namespace coppice::txn
