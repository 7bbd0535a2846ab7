// key_table.cpp — open addressing, at most half full.
#include "modules/executor/values/key_table.h"

#include "interfaces/types/sql_error.h"

namespace coppice::executor {

std::uint32_t KeyTable::find(ByteView wanted, std::uint64_t hash) const {
  if (slots_.empty()) return kNone;
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    const std::uint32_t number = slots_[at];
    if (number == kNone) return kNone;
    if (entries_[number].hash == hash && as_text(key(number)) == as_text(wanted)) return number;
  }
}

Result<std::uint32_t> KeyTable::insert(ByteView wanted, std::uint64_t hash) {
  if (entries_.size() * 2 >= slots_.size()) COPPICE_TRY(grow());
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  for (; slots_[at] != kNone; at = (at + 1) & mask) {
    const std::uint32_t number = slots_[at];
    if (entries_[number].hash == hash && as_text(key(number)) == as_text(wanted)) return number;
  }
  if (keys_.size() + wanted.size() > keys_.capacity()) {
    // The old keys live on beside the new room while they are moved.
    const std::size_t room = std::max(keys_.capacity() * 2, keys_.size() + wanted.size());
    COPPICE_TRY(memory_.grow_to(room + keys_.capacity() +
                                slots_.size() * (sizeof(std::uint32_t) + sizeof(Entry))));
    keys_.reserve(room);
  }
  entries_.push_back({hash, keys_.size(), static_cast<std::uint32_t>(wanted.size())});
  append(keys_, wanted);
  return slots_[at] = static_cast<std::uint32_t>(entries_.size() - 1);
}

Status KeyTable::grow() {
  const std::size_t count = slots_.empty() ? 64 : slots_.size() * 2;
  if (count > kNone)
    return std::unexpected(sql_error(sqlstate::kProgramLimitExceeded, "too many different keys"));
  COPPICE_TRY(memory_.grow_to(keys_.capacity() + count * (sizeof(std::uint32_t) + sizeof(Entry))));
  entries_.reserve(count / 2);
  slots_.assign(count, kNone);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    std::size_t at = entries_[i].hash & (count - 1);
    while (slots_[at] != kNone) at = (at + 1) & (count - 1);
    slots_[at] = static_cast<std::uint32_t>(i);
  }
  return {};
}

void KeyTable::clear() {
  keys_ = {};
  entries_ = {};
  slots_ = {};
  memory_ = MemoryUse(budget_);
}

}  // namespace coppice::executor
