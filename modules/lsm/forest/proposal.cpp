#include "modules/lsm/forest/proposal.h"

#include <algorithm>

#include "interfaces/types/sql_error.h"

namespace coppice::lsm {
namespace {

using DefinitionKind = ForestWriteSet::DefinitionOp::Kind;

Error conflict(std::string message) {
  return Error(Code::kConflict, std::move(message))
      .note(sql_field::kSqlstate, std::string(sqlstate::kSerializationFailure));
}

bool has_rows(const ForestWriteSet::TableWrites& writes) {
  return !writes.rows.inserts.empty() || !writes.rows.changes.empty();
}

}  // namespace

// --- stamping -----------------------------------------------------------------------------------

void StampState::load(const Tables& tables) {
  tables_.clear();
  for (const auto& [table, epochs] : tables.epochs()) at(table).epoch = 1 + epochs.size();
  for (const TablePtr& table : tables.all()) {
    TableState& state = at(table->ref());
    state.next_egid = table->next_egid;
    const DefinitionRef definition = table->newest();
    state.exists = definition != nullptr;
    if (definition != nullptr) state.schema_version = definition->schema.version;
  }
}

void StampState::drop_namespace(NamespaceId ns) {
  for (auto& [name, state] : tables_) {
    if (name >> 32 == ns.value) state.exists = false;
  }
}

Status CommitProposal::check() const {
  for (const auto& [table, epoch] : writes_.expected_epochs()) {
    if (state_.at(table).epoch != epoch)
      return std::unexpected(conflict("the definition of a table changed concurrently"));
  }
  for (const auto& [table, version] : schemas_) {
    const StampState::TableState& state = state_.at(table);
    if (!state.exists || (version != 0 && state.schema_version != version))
      return std::unexpected(conflict("the definition of a table changed concurrently"));
  }
  return {};
}

Result<ByteBuffer> CommitProposal::stamp(LogPosition) {
  COPPICE_TRY(check());
  for (const auto& op : writes_.definitions()) {
    StampState::TableState& state = state_.at(op.table);
    if (op.kind == DefinitionKind::kDefine) {
      state.exists = true;
      state.schema_version = op.definition->schema.version;
    }
    if (op.kind == DefinitionKind::kDrop) state.exists = false;
    if (op.kind == DefinitionKind::kDropNamespace) state_.drop_namespace(op.table.ns);
    if (op.kind == DefinitionKind::kAdvanceEpoch) ++state.epoch;
  }
  for (std::size_t i = 0; i < grants_.size(); ++i) {
    Egid& next = state_.at(grants_[i].table).next_egid;
    store_le(payload_.data() + places_[i], next);
    next += grants_[i].count;
  }
  return std::move(payload_);
}

// --- encoding -----------------------------------------------------------------------------------

void CommitBuilder::number_rows(CommitProposal& to) {
  for (const auto& [table, writes] : writes_.tables()) {
    if (writes.rows.inserts.empty()) continue;
    Numbering& numbering = numbering_[table];
    std::uint64_t number = 0;
    for (const RowWrites::Insert& insert : writes.rows.inserts) {
      numbering.runs.push_back({insert.first, insert.rows, number});
      number += insert.rows;
    }
    to.grants_.push_back({table, number, 0});
    numbering.grant = static_cast<std::uint32_t>(to.grants_.size());
  }
}

std::uint32_t CommitBuilder::grant_of(TableRef rows) const {
  const auto found = numbering_.find(rows);
  return found == numbering_.end() ? 0 : found->second.grant;
}

Result<RowName> CommitBuilder::name_of(TableRef rows, Egid row) const {
  if (!is_provisional(row)) return RowName{row, false};
  const auto found = numbering_.find(rows);
  if (found != numbering_.end()) {
    const auto& runs = found->second.runs;
    const auto run = std::ranges::upper_bound(runs, row, {}, &Numbering::Run::first);
    if (run != runs.begin() && row - std::prev(run)->first < std::prev(run)->rows)
      return RowName{std::prev(run)->number + (row - std::prev(run)->first), true};
  }
  return fail(Code::kInvalidArgument, "an index entry of a row that was not inserted");
}

Status CommitBuilder::build(CommitProposal& to) {
  number_rows(to);
  encoder_.definitions(writes_.definitions());
  encoder_.grants(to.grants_);
  // What the transaction itself dropped is not written; what is unknown is a conflict.
  std::vector<TableRef> rows, indexes;
  for (const auto& [table, writes] : writes_.tables()) {
    if (!has_rows(writes) && writes.index.ops.empty()) continue;
    const auto own = writes_.own_definition(table);
    if (own && *own == nullptr) continue;
    if (writes_.definition(table) == nullptr)
      return std::unexpected(conflict("a table was dropped concurrently"));
    (has_rows(writes) ? rows : indexes).push_back(table);
  }
  encoder_.begin_rows(rows.size());
  for (const TableRef table : rows) COPPICE_TRY(add_rows(table, writes_.tables().at(table), to));
  encoder_.begin_indexes(indexes.size());
  for (const TableRef table : indexes) {
    if (!writes_.own_definition(table)) to.schemas_.emplace_back(table, 0);
    COPPICE_TRY(add_index(table, writes_.tables().at(table)));
  }
  if (encoder_.size() > kEntryBytesMax)
    return std::unexpected(
        sql_error(sqlstate::kProgramLimitExceeded, "transaction changes too much"));
  to.places_.assign(encoder_.grant_places().begin(), encoder_.grant_places().end());
  to.payload_ = encoder_.take();
  return {};
}

// Whole batches stay as they are, unless a row of theirs was touched, or the schema changed since.
void CommitBuilder::plan_insert(const RowWrites::Insert& insert, std::uint64_t number,
                                const TableSchema& schema, const OwnRows& changes,
                                std::vector<InsertPiece>& to) {
  const auto touched = changes.changed().lower_bound(insert.first);
  const bool same_schema = insert.definition->schema.version == schema.version;
  if (same_schema &&
      (touched == changes.changed().end() || touched->first >= insert.first + insert.rows)) {
    to.push_back({number, insert.rows, {}, &insert});
    return;
  }
  bool open = false;
  for (std::uint32_t row = 0; row < insert.rows; ++row) {
    const OwnRows::Row* change = changes.find(insert.first + row);
    if (change != nullptr && change->erased) {
      open = false;
      continue;
    }
    if (!open || to.back().rows == kVectorRows) {
      InsertPiece& piece = to.emplace_back(InsertPiece{number + row, 0, {}, nullptr});
      for (const Column& column : schema.columns) piece.made.emplace_back(column.type);
      open = true;
    }
    InsertPiece& piece = to.back();
    ++piece.rows;
    for (std::size_t i = 0; i < schema.columns.size(); ++i) {
      const Column& column = schema.columns[i];
      const auto& stored = insert.definition->schema.columns;
      const auto at = std::ranges::find(stored, column.id, &Column::id);
      Datum value = column.missing_value();
      if (at != stored.end()) {
        const auto place = static_cast<std::size_t>(at - stored.begin());
        value = insert.columns[place].view().datum_at(row);
      }
      if (change != nullptr) {
        const auto changed = change->values.find(column.id);
        if (changed != change->values.end()) value = changed->second;
      }
      piece.made[i].append(value);
    }
  }
}

Status CommitBuilder::add_rows(TableRef table, const TableWrites& writes, CommitProposal& to) {
  const DefinitionRef definition = writes_.definition(table);
  const TableSchema& schema = definition->schema;
  if (!writes_.own_definition(table)) to.schemas_.emplace_back(table, schema.version);
  const OwnRows& own = *writes_.own_rows(table)->rows;

  std::vector<InsertPiece> inserts;
  std::uint64_t number = 0;
  for (const RowWrites::Insert& insert : writes.rows.inserts) {
    plan_insert(insert, number, schema, own, inserts);
    number += insert.rows;
  }
  encoder_.row_section(table, schema.version, grant_of(table), inserts.size());
  for (const InsertPiece& piece : inserts) {
    std::vector<Vector> columns;
    const auto& from = piece.whole != nullptr ? piece.whole->columns : piece.made;
    for (const VectorBuffer& column : from) columns.push_back(column.view());
    encoder_.insert(piece.first, piece.rows, columns, 0);
  }

  std::vector<ChangedRow> changes;
  for (const auto& [row, change] : own.changed()) {
    if (is_provisional(row)) continue;
    GroupMask mask = 0;
    for (const auto& [id, value] : change.values) {
      const Column* column = change.erased ? nullptr : schema.find(id);
      if (column != nullptr) mask |= GroupMask{1} << column->group;
    }
    if (mask != 0 || change.erased) changes.push_back({row, mask, &change});
  }
  encoder_.begin_changes(changes.size());
  return add_changes(table, schema, changes);
}

Status CommitBuilder::add_changes(TableRef table, const TableSchema& schema,
                                  std::span<const ChangedRow> rows) {
  for (std::size_t at = 0; at < rows.size(); at += kVectorRows) {
    COPPICE_TRY(add_changed_batch(
        table, schema, rows.subspan(at, std::min<std::size_t>(kVectorRows, rows.size() - at))));
  }
  return {};
}

// A group is written whole: columns of it that did not change are read first.
Status CommitBuilder::add_changed_batch(TableRef table, const TableSchema& schema,
                                        std::span<const ChangedRow> rows) {
  GroupMask groups = 0;
  bool complete = true;
  std::vector<Egid> updated;
  for (const ChangedRow& row : rows) {
    if (row.mask == 0) continue;
    updated.push_back(row.row);
    groups |= row.mask;
    for (const std::uint32_t column : schema.columns_of(row.mask))
      complete = complete && row.change->values.contains(schema.columns[column].id);
  }
  RowBatch base;
  std::map<ColumnId, std::size_t> base_columns;
  if (!complete) {
    std::vector<ColumnId> ids;
    for (const std::uint32_t column : schema.columns_of(groups)) {
      base_columns[schema.columns[column].id] = ids.size();
      ids.push_back(schema.columns[column].id);
    }
    base = COPPICE_TRY(fetch_(table, updated, ids));
    if (base.rows != updated.size())
      return std::unexpected(conflict("a row to be updated is not there any more"));
  }
  std::uint32_t at = 0;  // of base
  std::vector<Datum> values;
  for (const ChangedRow& row : rows) {
    values.clear();
    for (const std::uint32_t column : schema.columns_of(row.mask)) {
      const ColumnId id = schema.columns[column].id;
      const auto changed = row.change->values.find(id);
      values.push_back(changed != row.change->values.end()
                           ? changed->second
                           : base.columns[base_columns.at(id)].datum_at(at));
    }
    if (row.mask != 0) ++at;
    COPPICE_TRY(encoder_.change({row.row, false}, row.mask, values));
  }
  return {};
}

Status CommitBuilder::add_index(TableRef index, const TableWrites& writes) {
  const DefinitionRef definition = writes_.definition(index);
  const IndexWrites& from = writes.index;
  // Taking away what this transaction added leaves nothing to be written; the last word on an
  // entry counts. Only where an entry was taken away need we look.
  const bool only_additions =
      std::ranges::all_of(from.ops, [](const IndexWrites::Op& op) { return op.add; });
  if (only_additions) {
    encoder_.index_section(index, grant_of(definition->rows), from.ops.size());
    for (const IndexWrites::Op& op : from.ops) {
      const RowName name = COPPICE_TRY(name_of(definition->rows, op.row));
      encoder_.index_op(name, true, op.never_collides, from.key_of(op));
    }
    return {};
  }
  std::vector<const IndexWrites::Op*> last;
  {
    std::map<std::pair<std::string_view, Egid>, const IndexWrites::Op*> newest;
    for (const IndexWrites::Op& op : from.ops) newest[{as_text(from.key_of(op)), op.row}] = &op;
    for (const auto& [entry, op] : newest) {
      if (op->add || !is_provisional(op->row)) last.push_back(op);
    }
  }
  encoder_.index_section(index, grant_of(definition->rows), last.size());
  for (const IndexWrites::Op* op : last) {
    const RowName name = COPPICE_TRY(name_of(definition->rows, op->row));
    encoder_.index_op(name, op->add, op->never_collides, from.key_of(*op));
  }
  return {};
}

}  // namespace coppice::lsm
