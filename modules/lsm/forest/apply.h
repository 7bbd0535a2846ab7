// apply.h — Applier: a log entry becomes visible: definitions, memtables, T_applied.
//
// Role:     the only writer of tables and memtables. What is in the forest's files already is
//           passed over, so that replay may begin earlier than any one tree needs.
// Threads:  one fiber, under the forest's apply mutex.   Parks: never.
// Errors:   kCorruption: a record that is malformed, or names what is not there.
#pragma once

#include "interfaces/consensus.h"
#include "modules/lsm/forest/commit_record.h"
#include "modules/lsm/forest/snapshots.h"

namespace coppice::lsm {

class Applier {
 public:
  Applier(Tables& tables, Snapshots& snapshots) : tables_(tables), snapshots_(snapshots) {}

  // Definitions, epochs and egids up to here are known from the manifest.
  void set_known_through(LogIndex index) { known_through_ = applied_ = index; }
  Status apply(const Entry& entry);
  LogIndex applied() const { return applied_; }

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
  IndexRunBuilder batch_;
  ByteBuffer key_;
};

}  // namespace coppice::lsm
