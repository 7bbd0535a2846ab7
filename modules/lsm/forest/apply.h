// apply.h — Applier: a log entry becomes visible: definitions, memtables, T_applied.
//
// Role:     the only writer of tables and memtables. What is in the forest's files already is
//           passed over, so that replay may begin earlier than any one tree needs.
// Threads:  one fiber, under the forest's apply mutex.   Parks: never.
// Errors:   kCorruption: a record that is malformed, or names what is not there.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "interfaces/consensus.h"
#include "modules/lsm/forest/commit_record.h"
#include "modules/lsm/forest/snapshots.h"

namespace coppice::lsm {

class Applier {
 public:
  Applier(Tables& tables, Snapshots& snapshots) : tables_(tables), snapshots_(snapshots) {}

  // What the manifest says: definitions, epochs and egids are known up to `known_through`, and
  // replay gives what comes after `replay_from`.
  void begin(LogIndex known_through, LogIndex replay_from) {
    known_through_ = known_through;
    applied_ = replay_from;
  }
  Status apply(const Entry& entry);
  LogIndex applied() const { return applied_; }
  LogIndex known_through() const { return std::max(known_through_, applied_); }
  // Tables that the last entry put something into; one may be named twice.
  std::span<const TablePtr> touched() const { return touched_; }
  bool dropped() const { return dropped_; }  // whether it dropped something

 private:
  Status apply_record(const CommitRecord& record, LogPosition at);
  void apply_definition(const ForestWriteSet::DefinitionOp& op, Hlc at);
  Status apply_rows(const CommitRecord& record, const RowSection& section, LogPosition at);
  Status apply_index(const CommitRecord& record, const IndexSection& section, LogPosition at);
  Result<TablePtr> find(TableRef table, bool rows, LogIndex index) const;  // null: pass over

  Tables& tables_;
  Snapshots& snapshots_;
  LogIndex known_through_ = {};
  LogIndex applied_ = {};
  Hlc snap_;
  std::vector<TablePtr> touched_;
  bool dropped_ = false;
  IndexRunBuilder batch_;
  ByteBuffer key_;
};

}  // namespace coppice::lsm
