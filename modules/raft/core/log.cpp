#include "modules/raft/core/log.h"

#include <algorithm>
#include <utility>

#include "kernel/base/assert.h"

namespace coppice::raft {

EntryLog::EntryLog(LogBase base, std::vector<LogEntry> entries, std::uint64_t commit,
                   std::uint64_t applied)
    : base_(base),
      entries_(std::make_move_iterator(entries.begin()), std::make_move_iterator(entries.end())),
      commit_(commit),
      applied_(applied),
      persisted_(last_index()),
      handed_(last_index()) {
  COPPICE_ASSERT(base_.index <= applied_ && applied_ <= commit_ && commit_ <= last_index());
}

std::optional<std::uint64_t> EntryLog::term(std::uint64_t index) const {
  if (index == base_.index) return base_.term;
  if (index < base_.index || index > last_index()) return std::nullopt;
  return at(index).term;
}

const LogEntry& EntryLog::at(std::uint64_t index) const {
  COPPICE_ASSERT(index > base_.index && index <= last_index());
  return entries_[index - base_.index - 1];
}

std::vector<LogEntry> EntryLog::slice(std::uint64_t from, std::uint64_t through,
                                      std::size_t bytes_max) const {
  std::vector<LogEntry> entries;
  std::size_t bytes = 0;
  for (std::uint64_t index = from; index <= through; ++index) {
    bytes += at(index).payload.size();
    if (!entries.empty() && bytes > bytes_max) break;
    entries.push_back(at(index));
  }
  return entries;
}

bool EntryLog::up_to_date(std::uint64_t index, std::uint64_t other_term) const {
  return other_term > last_term() || (other_term == last_term() && index >= last_index());
}

void EntryLog::append(LogEntry entry) {
  COPPICE_ASSERT(entry.index == last_index() + 1);
  COPPICE_ASSERT(entry.term >= last_term());
  entries_.push_back(std::move(entry));
}

std::optional<std::uint64_t> EntryLog::merge(std::uint64_t index, std::uint64_t term_there,
                                             std::span<const LogEntry> entries) {
  if (!matches(index, term_there)) return std::nullopt;
  std::uint64_t matched = index;
  for (const LogEntry& entry : entries) {
    ++matched;
    if (entry.index != matched) return std::nullopt;  // a peer's bug; nothing is agreed
    if (matches(entry.index, entry.term)) continue;
    if (entry.index <= commit_) return std::nullopt;  // no correct leader sends that
    if (entry.index <= last_index()) cut_from(entry.index);
    if (entry.term < last_term()) return std::nullopt;
    append(entry);
  }
  return matched;
}

void EntryLog::cut_from(std::uint64_t index) {
  COPPICE_ASSERT(index > commit_);
  entries_.resize(index - base_.index - 1);
  persisted_ = std::min(persisted_, index - 1);
  handed_ = std::min(handed_, index - 1);
}

LogBase EntryLog::last_not_above(std::uint64_t index, std::uint64_t hint_term) const {
  index = std::min(index, last_index());
  while (index > base_.index && at(index).term > hint_term) --index;
  return {index, term(index).value_or(0)};
}

void EntryLog::commit_to(std::uint64_t index) {
  COPPICE_ASSERT(index <= last_index());
  commit_ = std::max(commit_, index);
}

std::vector<LogEntry> EntryLog::take_unhanded() {
  std::vector<LogEntry> entries = slice(handed_ + 1, last_index(), SIZE_MAX);
  handed_ = last_index();
  return entries;
}

void EntryLog::persisted_to(std::uint64_t index, std::uint64_t term_there) {
  if (index <= persisted_ || !matches(index, term_there)) return;
  COPPICE_ASSERT(index <= handed_);
  persisted_ = index;
}

std::vector<LogEntry> EntryLog::take_committed(std::size_t bytes_max) {
  if (!has_committed()) return {};
  std::vector<LogEntry> entries = slice(applied_ + 1, std::min(commit_, persisted_), bytes_max);
  applied_ = entries.back().index;
  return entries;
}

void EntryLog::applied_to(std::uint64_t index) {
  COPPICE_ASSERT(index <= last_index());
  applied_ = std::max(applied_, index);
}

void EntryLog::compact(std::uint64_t index) {
  if (index <= base_.index) return;
  COPPICE_ASSERT(index <= applied_ && index <= persisted_);
  base_.term = *term(index);
  entries_.erase(entries_.begin(), entries_.begin() + static_cast<long>(index - base_.index));
  base_.index = index;
}

void EntryLog::reset_to(LogBase snapshot) {
  base_ = snapshot;
  entries_.clear();
  commit_ = applied_ = persisted_ = handed_ = snapshot.index;
}

}  // namespace coppice::raft
