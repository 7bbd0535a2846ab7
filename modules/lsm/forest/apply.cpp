#include "modules/lsm/forest/apply.h"

#include <algorithm>

namespace coppice::lsm {
namespace {

using DefinitionKind = ForestWriteSet::DefinitionOp::Kind;

std::unexpected<Error> bad_entry(LogIndex index, std::string_view what) {
  return fail(Code::kCorruption,
              "log entry " + std::to_string(index.value) + ": " + std::string(what));
}

bool fits(const RowSection::Rows& rows, const TableSchema& schema) {
  if (rows.columns.size() != schema.columns.size()) return false;
  for (std::size_t i = 0; i < rows.columns.size(); ++i) {
    if (rows.columns[i].type() != schema.columns[i].type) return false;
  }
  return true;
}

}  // namespace

Status Applier::apply(const Entry& entry) {
  Result<CommitRecord> record = decode_commit(entry.payload.view());
  if (!record) return bad_entry(entry.at.index, record.error().message());
  snap_ = snapshots_.move_snap();
  touched_.clear();
  dropped_ = false;
  COPPICE_TRY(apply_record(*record, entry.at));
  applied_ = std::max(applied_, entry.at.index);
  snapshots_.set_applied(entry.at.hlc);
  return {};
}

Status Applier::apply_record(const CommitRecord& record, LogPosition at) {
  if (at.index > known_through_) {
    for (const auto& op : record.definitions) apply_definition(op, at.hlc);
  }
  for (const EgidGrant& grant : record.grants) {
    if (const TablePtr table = tables_.find(grant.table))
      table->next_egid = std::max(table->next_egid, grant.first + grant.count);
  }
  for (const RowSection& section : record.rows) COPPICE_TRY(apply_rows(record, section, at));
  for (const IndexSection& section : record.indexes) COPPICE_TRY(apply_index(record, section, at));
  return {};
}

void Applier::apply_definition(const ForestWriteSet::DefinitionOp& op, Hlc at) {
  TablePtr table = tables_.find(op.table);
  switch (op.kind) {
    case DefinitionKind::kCreateNamespace:
      tables_.set_namespace(op.table.ns, at, true);
      break;
    case DefinitionKind::kDropNamespace:
      dropped_ = true;
      tables_.set_namespace(op.table.ns, at, false);
      for (const TablePtr& inside : tables_.all()) {
        if (inside->ref().ns == op.table.ns && inside->newest() != nullptr)
          inside->define(at, nullptr);
      }
      break;
    case DefinitionKind::kDefine:
      if (table == nullptr) table = tables_.add(*op.definition);
      table->define(at, op.definition);
      break;
    case DefinitionKind::kDrop:
      dropped_ = true;
      if (table != nullptr) table->define(at, nullptr);
      break;
    case DefinitionKind::kAdvanceEpoch:
      tables_.advance_epoch(op.table, at);
      break;
  }
}

Result<TablePtr> Applier::find(TableRef ref, bool rows, LogIndex index) const {
  TablePtr table = tables_.find(ref);
  if (table == nullptr) {
    if (index <= known_through_) return table;  // dropped and forgotten before the restart
    return bad_entry(index, "changes a table that is not there");
  }
  if ((table->kind() == TableKind::kRows) != rows)
    return bad_entry(index, "rows for an index, or the reverse");
  if (index <= table->flushed_through) return TablePtr();
  return table;
}

Status Applier::apply_rows(const CommitRecord& record, const RowSection& section, LogPosition at) {
  const TablePtr table = COPPICE_TRY(find(section.table, true, at.index));
  if (table == nullptr) return {};
  const DefinitionRef definition = table->of_version(section.schema_version);
  if (definition == nullptr) return bad_entry(at.index, "rows of an unknown schema");
  RowMemory& memory = table->rows().active(definition);
  if (memory.first_entry.value == 0) memory.first_entry = at.index;
  memory.last_entry = at.index;
  touched_.push_back(table);
  for (const RowSection::Rows& rows : section.inserts) {
    if (!fits(rows, definition->schema)) return bad_entry(at.index, "rows of another schema");
    const Egid first = record.egid({rows.first, true}, section.grant);
    COPPICE_TRY(memory.table.append_rows(first, at.hlc, rows.columns, 0, rows.rows));
  }
  for (const RowSection::Change& change : section.changes) {
    const Egid egid = record.egid(change.row, section.grant);
    Status done = change.mask == 0
                      ? memory.table.erase(egid, at.hlc, snap_)
                      : memory.table.update(egid, at.hlc, change.mask, change.tuple, snap_);
    if (!done) return bad_entry(at.index, done.error().message());
  }
  return {};
}

Status Applier::apply_index(const CommitRecord& record, const IndexSection& section,
                            LogPosition at) {
  const TablePtr table = COPPICE_TRY(find(section.table, false, at.index));
  if (table == nullptr) return {};
  for (const IndexSection::Op& op : section.ops) {
    const Egid egid = record.egid(op.row, section.grant);
    ByteView key = op.key;
    if (op.never_collides && table->kind() == TableKind::kUnique) {
      key_.assign(op.key.begin(), op.key.end());
      append_egid(key_, egid);
      key = key_;
    }
    batch_.add(key, {egid, op.add ? Stamp::add(at.hlc) : Stamp::remove(at.hlc)});
  }
  table->index().apply(batch_, at.index, snap_);
  touched_.push_back(table);
  return {};
}

}  // namespace coppice::lsm
