// mem_engine.cpp — every operation in its plainest form.
#include "tests/support/mem_engine.h"

#include <algorithm>
#include <utility>

#include "interfaces/types/vector_buffer.h"
#include "kernel/base/assert.h"

namespace coppice::testing {

namespace {

class MemSnapshot final : public Snapshot {
 public:
  explicit MemSnapshot(Hlc at) : at_(at) {}
  Hlc read_at() const override { return at_; }

 private:
  Hlc at_;
};

template <class T>
const T* newest(const MemVersions<T>& versions, Hlc at) {
  const T* found = nullptr;
  for (const MemVersion<T>& version : versions) {
    if (version.at > at) break;
    found = version.value ? &*version.value : nullptr;
  }
  return found;
}

MemValue own(const Datum& value) {
  return {value.type, value.null, value.bits, std::string(as_text(value.bytes))};
}

std::string own(ByteView bytes) {
  return std::string(as_text(bytes));
}

}  // namespace

// What a transaction wrote: a list of operations (so that undo is a resize) and what they come to.
class MemWriteSet final : public WriteSet {
 public:
  struct Op {
    enum class Kind : std::uint8_t {
      kInsert,
      kUpdate,
      kErase,
      kIndex,
      kNamespace,
      kTable,
      kDrop,
      kEpoch
    };
    Kind kind = Kind::kInsert;
    TableRef table = {};
    Egid row = 0;
    MemRow values = {};  // kInsert: all; kUpdate: the changed ones
    std::string key = {};
    bool add = true;
    std::optional<TableDefinition> definition = {};
  };
  struct Touched {
    bool inserted = false, deleted = false;
    MemRow values;  // of an inserted row all, else the changed ones
  };
  using RowKey = std::pair<TableRef, Egid>;

  explicit MemWriteSet(MemEngine& engine) : engine_(engine) {}

  Result<Egid> insert(TableRef table, const RowBatch& batch) override {
    const auto definition = definition_of(table);
    if (!definition) return fail(Code::kNotFound, "no such table");
    COPPICE_ASSERT(batch.columns.size() == definition->schema.columns.size());
    Egid& next = next_.try_emplace(table, kProvisionalBit + 1).first->second;
    const Egid first = next;
    batch.selection.for_each([&](std::uint32_t at) {
      Op op{.kind = Op::Kind::kInsert, .table = table, .row = next++};
      for (std::size_t c = 0; c < batch.columns.size(); ++c) {
        op.values[definition->schema.columns[c].id] = own(batch.columns[c].datum_at(at));
      }
      push(std::move(op));
    });
    return first;
  }

  Status update(TableRef table, std::span<const Egid> rows, std::span<const ColumnId> columns,
                const RowBatch& values) override {
    COPPICE_ASSERT(rows.size() == values.selection.count());
    std::size_t i = 0;
    values.selection.for_each([&](std::uint32_t at) {
      Op op{.kind = Op::Kind::kUpdate, .table = table, .row = rows[i++]};
      for (std::size_t c = 0; c < columns.size(); ++c) {
        op.values[columns[c]] = own(values.columns[c].datum_at(at));
      }
      push(std::move(op));
    });
    return {};
  }

  Status erase(TableRef table, std::span<const Egid> rows) override {
    for (const Egid row : rows) push({.kind = Op::Kind::kErase, .table = table, .row = row});
    return {};
  }

  Status index(TableRef index, std::span<const IndexOp> ops) override {
    for (const IndexOp& op : ops) {
      push({.kind = Op::Kind::kIndex,
            .table = index,
            .row = op.row,
            .key = own(op.key),
            .add = op.add});
    }
    return {};
  }

  Status create_namespace(NamespaceId ns) override {
    push({.kind = Op::Kind::kNamespace, .table = {ns, {}}, .add = true});
    return {};
  }
  Status drop_namespace(NamespaceId ns) override {
    push({.kind = Op::Kind::kNamespace, .table = {ns, {}}, .add = false});
    return {};
  }
  Status create_table(const TableDefinition& definition) override {
    push({.kind = Op::Kind::kTable, .table = definition.table, .definition = definition});
    return {};
  }
  Status drop_table(TableRef table) override {
    push({.kind = Op::Kind::kDrop, .table = table});
    return {};
  }
  Status set_schema(TableRef table, const TableSchema& schema) override {
    auto definition = definition_of(table);
    if (!definition) return fail(Code::kNotFound, "no such table");
    definition->schema = schema;
    return create_table(*definition);
  }

  void expect_epoch(TableRef table, std::uint64_t epoch) override {
    expected_.emplace(table, epoch);
  }
  void advance_epoch(TableRef table) override { push({.kind = Op::Kind::kEpoch, .table = table}); }
  bool advances_epoch(TableRef table) const override {
    return std::any_of(ops_.begin(), ops_.end(), [&](const Op& op) {
      return op.kind == Op::Kind::kEpoch && op.table == table;
    });
  }

  std::size_t mark() override { return ops_.size(); }
  void undo_to(std::size_t mark) override {
    COPPICE_ASSERT(mark <= ops_.size());
    ops_.resize(mark);
    rows_.clear();
    postings_.clear();
    for (const Op& op : ops_) take(op);
  }
  bool empty() const override { return ops_.empty(); }
  std::uint64_t bytes() const override { return ops_.size() * sizeof(Op); }

  std::optional<TableDefinition> definition_of(TableRef table) const {
    for (auto op = ops_.rbegin(); op != ops_.rend(); ++op) {
      if (op->table != table) continue;
      if (op->kind == Op::Kind::kTable) return op->definition;
      if (op->kind == Op::Kind::kDrop) return std::nullopt;
    }
    return engine_.definition(MemSnapshot(Hlc::max()), table);
  }

  const std::vector<Op>& ops() const { return ops_; }
  const std::map<TableRef, std::uint64_t>& expected() const { return expected_; }
  const std::map<RowKey, Touched>& rows() const { return rows_; }
  const std::map<std::string, std::map<Egid, bool>>* postings(TableRef index) const {
    const auto found = postings_.find(index);
    return found == postings_.end() ? nullptr : &found->second;
  }

 private:
  void push(Op op) {
    take(op);
    ops_.push_back(std::move(op));
  }
  void take(const Op& op) {
    if (op.kind == Op::Kind::kIndex) postings_[op.table][op.key][op.row] = op.add;
    if (op.kind > Op::Kind::kErase) return;
    Touched& row = rows_[{op.table, op.row}];
    row.inserted = row.inserted || op.kind == Op::Kind::kInsert;
    row.deleted = op.kind == Op::Kind::kErase;
    for (const auto& [column, value] : op.values) row.values[column] = value;
  }

  MemEngine& engine_;
  std::vector<Op> ops_;
  std::map<TableRef, std::uint64_t> expected_;
  std::map<TableRef, Egid> next_;
  std::map<RowKey, Touched> rows_;
  std::map<TableRef, std::map<std::string, std::map<Egid, bool>>> postings_;
};

namespace {

const MemWriteSet* own_of(const ReadView& view) {
  return static_cast<const MemWriteSet*>(view.own);
}

class MemRowCursor final : public RowCursor {
 public:
  explicit MemRowCursor(std::vector<RowBatch> batches) : batches_(std::move(batches)) {}
  Result<bool> next(RowBatch& batch) override {
    if (at_ == batches_.size()) return false;
    batch = std::move(batches_[at_++]);
    return true;
  }

 private:
  std::vector<RowBatch> batches_;
  std::size_t at_ = 0;
};

class MemIndexCursor final : public IndexCursor {
 public:
  explicit MemIndexCursor(std::vector<std::pair<std::string, Egid>> entries)
      : entries_(std::move(entries)) {}
  Result<bool> next(Entries& to) override {
    to.keys.clear();
    to.rows.clear();
    for (; at_ < entries_.size() && to.rows.size() < kVectorRows; ++at_) {
      to.keys.push_back(as_bytes(entries_[at_].first));
      to.rows.push_back(entries_[at_].second);
    }
    return !to.rows.empty();
  }

 private:
  std::vector<std::pair<std::string, Egid>> entries_;
  std::size_t at_ = 0;
};

}  // namespace

std::uint64_t MemTable::epoch_at(Hlc at) const {
  const auto end = std::upper_bound(epochs.begin(), epochs.end(), at);
  return 1 + static_cast<std::uint64_t>(end - epochs.begin());
}

SnapshotRef MemEngine::snapshot() {
  const std::scoped_lock lock(mutex_);
  return std::make_shared<MemSnapshot>(now_);
}

std::unique_ptr<WriteSet> MemEngine::write_set(Budget&) {
  return std::make_unique<MemWriteSet>(*this);
}

// Provisional ids that are still in use become consecutive from the table's next egid.
std::map<std::pair<TableRef, Egid>, Egid> MemEngine::assign_egids(const MemWriteSet& writes) {
  std::map<std::pair<TableRef, Egid>, Egid> assigned;
  for (const auto& [key, row] : writes.rows()) {
    if (row.inserted) assigned[key] = tables_[key.first].next_egid++;
  }
  return assigned;
}

void MemEngine::apply_definition(const MemWriteSet& writes, Hlc at) {
  using Kind = MemWriteSet::Op::Kind;
  for (const auto& op : writes.ops()) {
    if (op.kind == Kind::kNamespace)
      namespaces_[op.table.ns].push_back({at, op.add ? std::optional(true) : std::nullopt});
    if (op.kind == Kind::kTable) tables_[op.table].definitions.push_back({at, op.definition});
    if (op.kind == Kind::kDrop) tables_[op.table].definitions.push_back({at, std::nullopt});
    if (op.kind == Kind::kEpoch) tables_[op.table].epochs.push_back(at);
  }
}

Result<Hlc> MemEngine::commit(WriteSet& writes, bool) {
  const auto& own_writes = static_cast<const MemWriteSet&>(writes);
  const std::scoped_lock lock(mutex_);
  for (const auto& [table, epoch] : own_writes.expected()) {
    if (tables_[table].epoch_at(now_) != epoch)
      return fail(Code::kConflict, "the table's definition changed");
  }
  if (own_writes.empty()) return now_;
  const Hlc at = now_.next();
  apply_definition(own_writes, at);
  const auto assigned = assign_egids(own_writes);
  const auto final_id = [&](TableRef table, Egid row) {
    return is_provisional(row) ? assigned.at({table, row}) : row;
  };
  for (const auto& [key, touched] : own_writes.rows()) {
    if (touched.inserted && touched.deleted) continue;
    MemVersions<MemRow>& versions = tables_[key.first].rows[final_id(key.first, key.second)];
    MemRow row;
    if (const MemRow* base = newest(versions, at)) row = *base;
    for (const auto& [column, value] : touched.values) row[column] = value;
    versions.push_back({at, touched.deleted ? std::nullopt : std::optional(std::move(row))});
  }
  for (auto& [index, table] : tables_) {
    const auto* postings = own_writes.postings(index);
    if (postings == nullptr || table.definitions.empty()) continue;
    const MemVersions<TableDefinition>& definitions = table.definitions;
    const TableDefinition* const definition = newest(definitions, at);
    if (definition == nullptr) continue;  // dropped by this very transaction
    for (const auto& [posting_key, rows] : *postings) {
      for (const auto& [row, add] : rows) {
        if (!add && is_provisional(row)) continue;
        table.postings[posting_key][final_id(definition->rows, row)].push_back(
            {at, add ? std::optional(true) : std::nullopt});
      }
    }
  }
  now_ = at;
  return at;
}

std::optional<MemRow> MemEngine::find_row(const ReadView& view, TableRef table, Egid row) {
  const MemWriteSet::Touched* touched = nullptr;
  if (view.own != nullptr) {
    const auto found = own_of(view)->rows().find({table, row});
    if (found != own_of(view)->rows().end()) touched = &found->second;
  }
  if (touched != nullptr && touched->deleted) return std::nullopt;
  if (touched != nullptr && touched->inserted) return touched->values;
  const auto versions = tables_[table].rows.find(row);
  if (versions == tables_[table].rows.end()) return std::nullopt;
  const MemRow* const base = newest(versions->second, view.snapshot->read_at());
  if (base == nullptr) return std::nullopt;
  MemRow result = *base;
  if (touched != nullptr) {
    for (const auto& [column, value] : touched->values) result[column] = value;
  }
  return result;
}

RowBatch MemEngine::batch_of(const ReadView& view, TableRef table, std::span<const Egid> rows,
                             std::span<const ColumnId> columns) {
  std::optional<TableDefinition> definition;
  if (view.own != nullptr) {
    for (const auto& op : own_of(view)->ops()) {
      if (op.table == table && op.definition) definition = op.definition;
    }
  }
  if (!definition) {
    if (const TableDefinition* stored =
            newest(tables_[table].definitions, view.snapshot->read_at()))
      definition = *stored;
  }
  COPPICE_ASSERT(definition.has_value());
  struct Storage {
    std::vector<VectorBuffer> columns;
    VectorBuffer egids{PhysicalType::kInt64};
  };
  auto storage = std::make_shared<Storage>();
  for (const ColumnId id : columns)
    storage->columns.emplace_back(definition->schema.find(id)->type);
  RowBatch batch;
  for (const Egid id : rows) {
    const auto row = find_row(view, table, id);
    if (!row) continue;
    ++batch.rows;
    storage->egids.append(Datum::of(static_cast<std::int64_t>(id)));
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const auto value = row->find(columns[c]);
      storage->columns[c].append(value != row->end()
                                     ? value->second.datum()
                                     : definition->schema.find(columns[c])->missing_value());
    }
  }
  batch.selection = Selection::all(batch.rows);
  batch.egids = storage->egids.view();
  batch.egids.set_owner(storage);
  for (const VectorBuffer& column : storage->columns) {
    batch.columns.push_back(column.view());
    batch.columns.back().set_owner(storage);
  }
  return batch;
}

Result<RowBatch> MemEngine::fetch(const ReadView& view, TableRef table, std::span<const Egid> rows,
                                  std::span<const ColumnId> columns) {
  COPPICE_ASSERT(rows.size() <= kVectorRows && std::is_sorted(rows.begin(), rows.end()));
  const std::scoped_lock lock(mutex_);
  return batch_of(view, table, rows, columns);
}

std::vector<Egid> MemEngine::visible_rows(const ReadView& view, TableRef table, Egid low,
                                          Egid high) {
  std::set<Egid> candidates;
  for (const auto& [row, versions] : tables_[table].rows) candidates.insert(row);
  if (view.own != nullptr) {
    for (const auto& [key, touched] : own_of(view)->rows()) {
      if (key.first == table) candidates.insert(key.second);
    }
  }
  std::vector<Egid> rows;
  for (const Egid row : candidates) {
    const bool inside = is_provisional(row) ? high == UINT64_MAX : row >= low && row < high;
    if (inside && find_row(view, table, row)) rows.push_back(row);
  }
  return rows;
}

Result<std::unique_ptr<RowCursor>> MemEngine::scan(const ReadView& view, TableRef table,
                                                   const ScanOptions& options) {
  const std::scoped_lock lock(mutex_);
  std::vector<Egid> rows = visible_rows(view, table, options.low, options.high);
  if (options.direction == Direction::kBackward) std::reverse(rows.begin(), rows.end());
  std::vector<RowBatch> batches;
  for (std::size_t at = 0; at < rows.size(); at += kVectorRows) {
    const std::size_t count = std::min<std::size_t>(kVectorRows, rows.size() - at);
    batches.push_back(batch_of(view, table, std::span(rows).subspan(at, count), options.columns));
    if (!options.with_egids) batches.back().egids = Vector();
  }
  return std::make_unique<MemRowCursor>(std::move(batches));
}

std::vector<std::pair<std::string, Egid>> MemEngine::entries(const ReadView& view, TableRef index,
                                                             const KeyRange& range) {
  std::set<std::pair<std::string, Egid>> found;
  for (const auto& [key, rows] : tables_[index].postings) {
    if (!range.contains(as_bytes(key))) continue;
    for (const auto& [row, versions] : rows) {
      if (newest(versions, view.snapshot->read_at()) != nullptr) found.insert({key, row});
    }
  }
  const auto* const own_postings = view.own == nullptr ? nullptr : own_of(view)->postings(index);
  if (own_postings != nullptr) {
    for (const auto& [key, rows] : *own_postings) {
      if (!range.contains(as_bytes(key))) continue;
      for (const auto& [row, add] : rows) {
        if (add) {
          found.insert({key, row});
        } else {
          found.erase({key, row});
        }
      }
    }
  }
  return {found.begin(), found.end()};
}

std::set<Egid> MemEngine::evaluate(const ReadView& view, const BitmapNode& node) {
  std::set<Egid> result;
  if (node.kind == BitmapNode::Kind::kLeaf) {
    for (const KeyRange& range : node.ranges) {
      for (const auto& [key, row] : entries(view, node.index, range)) result.insert(row);
    }
    return result;
  }
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const std::set<Egid> child = evaluate(view, node.children[i]);
    if (i == 0) {
      result = child;
    } else if (node.kind == BitmapNode::Kind::kOr) {
      result.insert(child.begin(), child.end());
    } else {
      const bool keep_common = node.kind == BitmapNode::Kind::kAnd;
      std::erase_if(result, [&](Egid row) { return child.contains(row) != keep_common; });
    }
  }
  return result;
}

Result<RowIds> MemEngine::rows_of(const ReadView& view, const BitmapNode& node) {
  const std::scoped_lock lock(mutex_);
  const std::set<Egid> rows = evaluate(view, node);
  return RowIds(rows.begin(), rows.end());
}

Result<std::uint64_t> MemEngine::count_of(const ReadView& view, const BitmapNode& node) {
  const RowIds rows = COPPICE_TRY(rows_of(view, node));
  return rows.size();
}

Result<std::uint64_t> MemEngine::estimate_of(const ReadView& view, const BitmapNode& node) {
  return count_of(view, node);
}

Result<std::uint64_t> MemEngine::row_count_estimate(const ReadView& view, TableRef table) {
  const std::scoped_lock lock(mutex_);
  return visible_rows(view, table, 1, UINT64_MAX).size();
}

Result<std::unique_ptr<IndexCursor>> MemEngine::index_scan(const ReadView& view, TableRef index,
                                                           const KeyRange& range,
                                                           Direction direction) {
  const std::scoped_lock lock(mutex_);
  auto found = entries(view, index, range);
  if (direction == Direction::kBackward) std::reverse(found.begin(), found.end());
  return std::make_unique<MemIndexCursor>(std::move(found));
}

Result<std::vector<std::optional<Egid>>> MemEngine::find_unique(const ReadView& view,
                                                                TableRef index,
                                                                std::span<const ByteView> keys) {
  const std::scoped_lock lock(mutex_);
  std::vector<std::optional<Egid>> result;
  for (const ByteView key : keys) {
    KeyRange exactly{ByteBuffer(key.begin(), key.end()), ByteBuffer(key.begin(), key.end())};
    exactly.high->push_back(std::byte{0});
    const auto found = entries(view, index, exactly);
    result.push_back(found.empty() ? std::nullopt : std::optional(found.front().second));
  }
  return result;
}

Result<std::vector<Hlc>> MemEngine::newest_commit(TableRef table, std::span<const Egid> rows) {
  const std::scoped_lock lock(mutex_);
  std::vector<Hlc> result;
  for (const Egid row : rows) {
    const auto versions = tables_[table].rows.find(row);
    const bool known = versions != tables_[table].rows.end() && !versions->second.empty();
    result.push_back(known ? versions->second.back().at : Hlc::zero());
  }
  return result;
}

std::optional<TableDefinition> MemEngine::definition(const Snapshot& at, TableRef table) {
  const std::scoped_lock lock(mutex_);
  const TableDefinition* const found = newest(tables_[table].definitions, at.read_at());
  return found == nullptr ? std::nullopt : std::optional(*found);
}

std::uint64_t MemEngine::epoch(TableRef table) {
  const std::scoped_lock lock(mutex_);
  return tables_[table].epoch_at(now_);
}

std::uint64_t MemEngine::epoch_at(const Snapshot& at, TableRef table) {
  const std::scoped_lock lock(mutex_);
  return tables_[table].epoch_at(at.read_at());
}

std::vector<NamespaceId> MemEngine::namespaces(const Snapshot& at) {
  const std::scoped_lock lock(mutex_);
  std::vector<NamespaceId> result;
  for (const auto& [ns, versions] : namespaces_) {
    if (newest(versions, at.read_at()) != nullptr) result.push_back(ns);
  }
  return result;
}

}  // namespace coppice::testing
