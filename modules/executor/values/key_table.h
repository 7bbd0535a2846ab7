// key_table.h — a hash table from keys to consecutive numbers.
//
// Owns:     copies of the keys. Memory is reserved before it grows.
// Threads:  one at a time.   Parks: insert(), for the budget. Errors: 53200.
#pragma once

#include <vector>

#include "kernel/base/bytes.h"
#include "modules/executor/values/memory_use.h"

namespace coppice::executor {

class KeyTable {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  explicit KeyTable(Budget* budget) : budget_(budget), memory_(budget) {}

  std::uint32_t find(ByteView key, std::uint64_t hash) const;
  // The key's number; a new key gets size() as it was before.
  Result<std::uint32_t> insert(ByteView key, std::uint64_t hash);

  std::uint32_t size() const { return static_cast<std::uint32_t>(entries_.size()); }
  ByteView key(std::uint32_t number) const {
    const Entry& entry = entries_[number];
    return ByteView(keys_).subspan(entry.offset, entry.size);
  }
  void clear();

 private:
  struct Entry {
    std::uint64_t hash = 0;
    std::uint64_t offset = 0;
    std::uint32_t size = 0;
  };
  Status grow();

  Budget* budget_;
  MemoryUse memory_;
  ByteBuffer keys_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> slots_;  // kNone: free; a power of two of them
};

}  // namespace coppice::executor
