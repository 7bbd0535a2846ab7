#include "modules/lsm/forest/write_set.h"

#include <algorithm>

#include "interfaces/types/sql_error.h"
#include "kernel/base/assert.h"

namespace coppice::lsm {
namespace {

constexpr std::uint64_t kChargeBytes = 64_KiB;  // reserved at once

std::uint64_t memory_of(const std::vector<VectorBuffer>& columns) {
  std::uint64_t bytes = 0;
  for (const VectorBuffer& column : columns) bytes += column.memory_bytes() + sizeof(VectorBuffer);
  return bytes;
}

// The selected rows of a column.
void append_selected(const Vector& from, const Selection& selection, VectorBuffer& to) {
  if (selection.form() == Selection::Form::kAll) {
    to.append(from, 0, selection.count());
  } else {
    selection.for_each([&](std::uint32_t row) { to.append(from.datum_at(row)); });
  }
}

Error no_such_table(TableRef table) {
  return Error(Code::kNotFound, "no table " + std::to_string(table.table.value) + " in namespace " +
                                    std::to_string(table.ns.value));
}

}  // namespace

// --- overlays -----------------------------------------------------------------------------------

void OwnRows::catch_up(const RowWrites& writes) {
  for (; done_ < writes.changes.size(); ++done_) {
    const RowWrites::Change& change = writes.changes[done_];
    for (std::uint32_t i = 0; i < change.rows.size(); ++i) {
      Row& row = changed_[change.rows[i]];
      row.erased = change.erase;
      for (std::size_t c = 0; c < change.columns.size(); ++c)
        row.values[change.columns[c]] = change.values[c].view().datum_at(i);
    }
  }
}

const OwnRows::Row* OwnRows::find(Egid row) const {
  const auto found = changed_.find(row);
  return found == changed_.end() ? nullptr : &found->second;
}

void OwnEntries::catch_up(const IndexWrites& writes) {
  for (; done_ < writes.ops.size(); ++done_) {
    const IndexWrites::Op& op = writes.ops[done_];
    std::string key(as_text(writes.key_of(op)));
    if (op.never_collides) {
      ByteBuffer egid;
      append_egid(egid, op.row);
      key += as_text(egid);
    }
    entries_[std::move(key)][op.row] = op.add;
  }
}

const OwnEntries::Rows* OwnEntries::find(ByteView key) const {
  const auto found = entries_.find(as_text(key));
  return found == entries_.end() ? nullptr : &found->second;
}

// --- operations ---------------------------------------------------------------------------------

Status ForestWriteSet::charge(std::uint64_t bytes) {
  if (bytes_ + bytes > kWriteSetBytesMax)
    return std::unexpected(
        sql_error(sqlstate::kProgramLimitExceeded, "transaction changes too much")
            .note(sql_field::kDetail, "The limit is " + std::to_string(kWriteSetBytesMax >> 20) +
                                          " MiB of changes in one transaction."));
  if (bytes_ + bytes > memory_.bytes())
    COPPICE_TRY(memory_.grow(align_up(bytes_ + bytes - memory_.bytes(), kChargeBytes)));
  bytes_ += bytes;
  return {};
}

Result<Egid> ForestWriteSet::insert(TableRef table, const RowBatch& batch) {
  RowWrites::Insert made;
  made.definition = definition(table);
  if (made.definition == nullptr) return std::unexpected(no_such_table(table));
  const std::vector<Column>& columns = made.definition->schema.columns;
  if (batch.columns.size() != columns.size() || batch.selection.count() > kVectorRows)
    return fail(Code::kInvalidArgument, "rows of another schema");
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (batch.columns[i].type() != columns[i].type)
      return fail(Code::kInvalidArgument, "column of another type");
    append_selected(batch.columns[i], batch.selection, made.columns.emplace_back(columns[i].type));
  }
  made.rows = batch.selection.count();
  TableWrites& writes = writes_[table];
  made.first = writes.next_provisional;
  if (made.rows == 0) return made.first;
  const std::uint64_t bytes = memory_of(made.columns) + sizeof made;
  COPPICE_TRY(charge(bytes));
  writes.next_provisional += made.rows;
  log_.push_back({What::kInsert, &writes, 1, bytes});
  writes.rows.inserts.push_back(std::move(made));
  return writes.rows.inserts.back().first;
}

Status ForestWriteSet::update(TableRef table, std::span<const Egid> rows,
                              std::span<const ColumnId> columns, const RowBatch& values) {
  COPPICE_ASSERT(rows.size() == values.selection.count());
  COPPICE_ASSERT(columns.size() == values.columns.size());
  if (rows.empty() || columns.empty()) return {};
  const DefinitionRef known = definition(table);
  if (known == nullptr) return std::unexpected(no_such_table(table));
  RowWrites::Change change{{rows.begin(), rows.end()}, {columns.begin(), columns.end()}, {}, false};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Column* column = known->schema.find(columns[i]);
    if (column == nullptr || column->type != values.columns[i].type())
      return fail(Code::kInvalidArgument, "update of another schema");
    append_selected(values.columns[i], values.selection, change.values.emplace_back(column->type));
  }
  const std::uint64_t bytes = memory_of(change.values) + rows.size_bytes() + sizeof change;
  COPPICE_TRY(charge(bytes));
  TableWrites& writes = writes_[table];
  log_.push_back({What::kChange, &writes, 1, bytes});
  writes.rows.changes.push_back(std::move(change));
  return {};
}

Status ForestWriteSet::erase(TableRef table, std::span<const Egid> rows) {
  if (rows.empty()) return {};
  const std::uint64_t bytes = rows.size_bytes() + sizeof(RowWrites::Change);
  COPPICE_TRY(charge(bytes));
  TableWrites& writes = writes_[table];
  log_.push_back({What::kChange, &writes, 1, bytes});
  writes.rows.changes.push_back({{rows.begin(), rows.end()}, {}, {}, true});
  return {};
}

Status ForestWriteSet::index(TableRef index, std::span<const IndexOp> ops) {
  if (ops.empty()) return {};
  std::uint64_t bytes = 0;
  for (const IndexOp& op : ops) {
    COPPICE_TRY(check_key_size(op.key));
    bytes += op.key.size() + sizeof(IndexWrites::Op);
  }
  COPPICE_TRY(charge(bytes));
  TableWrites& writes = writes_[index];
  for (const IndexOp& op : ops) {
    writes.index.ops.push_back({writes.index.keys.size(), static_cast<std::uint32_t>(op.key.size()),
                                op.add, op.never_collides, op.row});
    append(writes.index.keys, op.key);
  }
  log_.push_back({What::kIndexOp, &writes, static_cast<std::uint32_t>(ops.size()), bytes});
  return {};
}

void ForestWriteSet::undo_to(std::size_t mark) {
  COPPICE_ASSERT(mark <= log_.size());
  while (log_.size() > mark) {
    const Logged last = log_.back();
    log_.pop_back();
    bytes_ -= last.bytes;
    switch (last.what) {
      case What::kInsert:
        last.table->rows.inserts.pop_back();
        break;
      case What::kChange:
        last.table->rows.changes.pop_back();
        last.table->own_rows = {};
        break;
      case What::kIndexOp: {
        IndexWrites& index = last.table->index;
        index.ops.resize(index.ops.size() - last.count);
        index.keys.resize(index.ops.empty() ? 0
                                            : index.ops.back().key_at + index.ops.back().key_size);
        last.table->own_entries = {};
        break;
      }
      case What::kDefinition:
        definitions_.pop_back();
        break;
    }
  }
}

// --- definitions --------------------------------------------------------------------------------

Status ForestWriteSet::define(DefinitionOp op) {
  const std::uint64_t bytes =
      sizeof op +
      (op.definition == nullptr
           ? 0
           : sizeof(TableDefinition) + op.definition->schema.columns.size() * sizeof(Column));
  COPPICE_TRY(charge(bytes));
  log_.push_back({What::kDefinition, nullptr, 1, bytes});
  definitions_.push_back(std::move(op));
  return {};
}

Status ForestWriteSet::create_namespace(NamespaceId ns) {
  return define({DefinitionOp::Kind::kCreateNamespace, {ns, {}}, nullptr});
}
Status ForestWriteSet::drop_namespace(NamespaceId ns) {
  return define({DefinitionOp::Kind::kDropNamespace, {ns, {}}, nullptr});
}
Status ForestWriteSet::create_table(const TableDefinition& definition) {
  if (definition.kind == TableKind::kRows) COPPICE_TRY(definition.schema.validate());
  return define({DefinitionOp::Kind::kDefine, definition.table,
                 std::make_shared<const TableDefinition>(definition)});
}
Status ForestWriteSet::drop_table(TableRef table) {
  if (definition(table) == nullptr) return std::unexpected(no_such_table(table));
  return define({DefinitionOp::Kind::kDrop, table, nullptr});
}
Status ForestWriteSet::set_schema(TableRef table, const TableSchema& schema) {
  const DefinitionRef known = definition(table);
  if (known == nullptr) return std::unexpected(no_such_table(table));
  TableDefinition next = *known;
  next.schema = schema;
  if (next.schema.version <= known->schema.version) next.schema.version = known->schema.version + 1;
  return create_table(next);
}
void ForestWriteSet::expect_epoch(TableRef table, std::uint64_t epoch) {
  expected_.emplace(table, epoch);
}
void ForestWriteSet::advance_epoch(TableRef table) {
  log_.push_back({What::kDefinition, nullptr, 1, 0});
  definitions_.push_back({DefinitionOp::Kind::kAdvanceEpoch, table, nullptr});
}

bool ForestWriteSet::advances_epoch(TableRef table) const {
  return std::ranges::any_of(definitions_, [&](const DefinitionOp& op) {
    return op.kind == DefinitionOp::Kind::kAdvanceEpoch && op.table == table;
  });
}

std::optional<DefinitionRef> ForestWriteSet::own_definition(TableRef table) const {
  for (auto op = definitions_.rbegin(); op != definitions_.rend(); ++op) {
    if (op->kind == DefinitionOp::Kind::kDropNamespace && op->table.ns == table.ns)
      return DefinitionRef();
    if (op->table != table) continue;
    if (op->kind == DefinitionOp::Kind::kDefine) return op->definition;
    if (op->kind == DefinitionOp::Kind::kDrop) return DefinitionRef();
  }
  return std::nullopt;
}

DefinitionRef ForestWriteSet::definition(TableRef table) const {
  if (auto own = own_definition(table)) return *std::move(own);
  return tables_.definition(table, Hlc::max());
}

// --- for reads ----------------------------------------------------------------------------------

std::optional<ForestWriteSet::OwnTable> ForestWriteSet::own_rows(TableRef table) const {
  const auto found = writes_.find(table);
  if (found == writes_.end()) return std::nullopt;
  TableWrites& writes = found->second;
  if (writes.rows.inserts.empty() && writes.rows.changes.empty()) return std::nullopt;
  writes.own_rows.catch_up(writes.rows);
  return OwnTable{&writes.rows, &writes.own_rows};
}

const OwnEntries* ForestWriteSet::own_entries(TableRef index) const {
  const auto found = writes_.find(index);
  if (found == writes_.end() || found->second.index.ops.empty()) return nullptr;
  found->second.own_entries.catch_up(found->second.index);
  return &found->second.own_entries;
}

}  // namespace coppice::lsm
