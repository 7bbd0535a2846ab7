// log.h — the entries that the core keeps in memory, and how far they have come.
//
// Role:     a suffix of the log: base, then entries. Indexes grow in this order:
//             applied ≤ min(commit, persisted), handed ≥ persisted, all ≤ last
// Threads:  one at a time.   Parks: never.
#pragma once

#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "modules/raft/core/types.h"

namespace coppice::raft {

class EntryLog {
 public:
  // Everything given is persisted already.
  EntryLog(LogBase base, std::vector<LogEntry> entries, std::uint64_t commit,
           std::uint64_t applied);

  std::uint64_t first_index() const { return base_.index + 1; }
  std::uint64_t last_index() const { return base_.index + entries_.size(); }
  std::uint64_t last_term() const { return *term(last_index()); }
  LogBase base() const { return base_; }
  // Nothing when it is compacted away or not there yet. Of the base: its term.
  std::optional<std::uint64_t> term(std::uint64_t index) const;
  bool matches(std::uint64_t index, std::uint64_t term_there) const {
    return term(index) == term_there;
  }
  const LogEntry& at(std::uint64_t index) const;
  // From `from` on; at least one if there is any, then as many as `bytes_max` allows.
  std::vector<LogEntry> slice(std::uint64_t from, std::uint64_t through,
                              std::size_t bytes_max) const;
  bool up_to_date(std::uint64_t index, std::uint64_t other_term) const;

  void append(LogEntry entry);  // index is last + 1
  // A follower's append after (index, term): the last index that now matches; nothing if they do
  // not meet. Cuts off what conflicts.
  std::optional<std::uint64_t> merge(std::uint64_t index, std::uint64_t term_there,
                                     std::span<const LogEntry> entries);
  // The highest index ≤ `index` whose term is ≤ `hint_term`: where a probe goes on.
  LogBase last_not_above(std::uint64_t index, std::uint64_t hint_term) const;

  std::uint64_t commit() const { return commit_; }
  void commit_to(std::uint64_t index);

  // To be written down, and counted as handed over from now on.
  std::vector<LogEntry> take_unhanded();
  bool has_unhanded() const { return handed_ < last_index(); }
  // A no-op when (index, term) has been cut off since.
  void persisted_to(std::uint64_t index, std::uint64_t term_there);
  std::uint64_t persisted() const { return persisted_; }

  // Committed and persisted, not applied; counted as applied from now on.
  std::vector<LogEntry> take_committed(std::size_t bytes_max);
  bool has_committed() const { return std::min(commit_, persisted_) > applied_; }
  std::uint64_t applied() const { return applied_; }
  // Somebody applied them by another way: replay, or relaxed.
  void applied_to(std::uint64_t index);

  void compact(std::uint64_t index);  // forgets entries through it; it is applied
  void reset_to(LogBase snapshot);    // everything up to it is in a snapshot, nothing else is

 private:
  void cut_from(std::uint64_t index);

  LogBase base_;
  std::deque<LogEntry> entries_;
  std::uint64_t commit_;
  std::uint64_t applied_;
  std::uint64_t persisted_;
  std::uint64_t handed_;
};

}  // namespace coppice::raft
