#include "modules/lsm/forest/forest.h"

#include <algorithm>

#include "interfaces/types/sql_error.h"
#include "kernel/base/assert.h"
#include "modules/lsm/forest/index_scan.h"
#include "modules/lsm/forest/row_scan.h"

namespace coppice::lsm {
namespace {

std::unexpected<Error> no_table(TableRef table) {
  return fail(Code::kNotFound, "no table " + std::to_string(table.table.value) + " in namespace " +
                                   std::to_string(table.ns.value));
}

}  // namespace

Forest::Forest(Vfs& vfs, BlockCache& cache, Consensus& consensus, std::vector<const Codec*> codecs,
               const Clock& clock, const Log& log, const ForestOptions& options)
    : consensus_(consensus),
      store_(vfs, cache, std::move(codecs)),
      snapshots_(std::make_shared<Snapshots>(clock, options.snapshot_age_max)),
      applier_(tables_, *snapshots_),
      keeper_(store_, consensus, tables_, *snapshots_, applier_, log, options) {}

Forest::~Forest() = default;

Status Forest::start() {
  COPPICE_TRY(keeper_.open());
  keeper_.start();
  auto attached = consensus_.attach(*this);
  if (!attached) {
    keeper_.give_up();
    keeper_.stop();
    return std::unexpected(keeper_.explain(std::move(attached).error()));
  }
  attachment_ = *std::move(attached);
  keeper_.replayed();
  stamps_.load(tables_);
  return {};
}

void Forest::stop() {
  keeper_.give_up();
  attachment_.reset();
  keeper_.stop();
}

Status Forest::apply(const Entry& entry) {
  COPPICE_TRY(keeper_.wait_for_room());
  const fiber::MutexGuard guard(keeper_.apply_mutex());
  COPPICE_TRY(applier_.apply(entry));
  keeper_.applied(entry.payload.size());
  return {};
}

// --- writes -------------------------------------------------------------------------------------

std::unique_ptr<WriteSet> Forest::write_set(Budget& budget) {
  return std::make_unique<ForestWriteSet>(tables_, budget);
}

Result<RowBatch> Forest::fetch_newest(TableRef table, std::span<const Egid> rows,
                                      std::span<const ColumnId> columns) {
  const SnapshotRef now = snapshot();
  return fetch({now.get()}, table, rows, columns);
}

Result<Hlc> Forest::commit(WriteSet& writes, bool relaxed) {
  const auto& own = static_cast<const ForestWriteSet&>(writes);
  if (own.empty()) {
    for (const auto& [table, expected] : own.expected_epochs()) {
      if (epoch(table) != expected)
        return fail(Code::kConflict, "the definition of a table changed concurrently");
    }
    return snapshots_->applied();
  }
  COPPICE_TRY(keeper_.admit_change());
  CommitProposal proposal(stamps_, own);
  CommitBuilder builder(
      own, [this](TableRef table, std::span<const Egid> rows, std::span<const ColumnId> columns) {
        return fetch_newest(table, rows, columns);
      });
  COPPICE_TRY(builder.build(proposal));
  const LogPosition at =
      COPPICE_TRY(relaxed ? consensus_.propose_relaxed(proposal) : consensus_.propose(proposal));
  return at.hlc;
}

// --- rows ---------------------------------------------------------------------------------------

Result<std::unique_ptr<RowRead>> Forest::open_rows(const ReadView& view, TableRef ref) {
  COPPICE_TRY(snapshots_->check(*view.snapshot));
  TablePtr table = tables_.find(ref);
  DefinitionRef definition;
  if (view.own != nullptr) definition = own_of(view)->own_definition(ref).value_or(nullptr);
  if (definition == nullptr && table != nullptr)
    definition = table->definition(view.snapshot->read_at());
  if (definition == nullptr || definition->kind != TableKind::kRows) return no_table(ref);
  return std::make_unique<RowRead>(store_, view, ref, std::move(table), std::move(definition));
}

Result<RowBatch> Forest::fetch(const ReadView& view, TableRef table, std::span<const Egid> rows,
                               std::span<const ColumnId> columns) {
  COPPICE_ASSERT(rows.size() <= kVectorRows);
  const auto read = COPPICE_TRY(open_rows(view, table));
  const auto positions = COPPICE_TRY(read->positions(columns));
  return read->fetch(rows, positions);
}

Result<std::unique_ptr<RowCursor>> Forest::scan(const ReadView& view, TableRef table,
                                                const ScanOptions& options) {
  auto read = COPPICE_TRY(open_rows(view, table));
  auto positions = COPPICE_TRY(read->positions(options.columns));
  return std::make_unique<RowScan>(std::move(read), std::move(positions), options);
}

Result<std::uint64_t> Forest::row_count_estimate(const ReadView& view, TableRef table) {
  const auto read = COPPICE_TRY(open_rows(view, table));
  std::uint64_t rows = 0;
  if (const RowTreeVersion* tree = read->tree()) {
    for (const RowMemoryRef& memory : tree->memory) rows += memory->table.new_rows();
    for (const RowFileRef& file : tree->last) {
      const RowFileProperties& properties = file->reader->properties();
      rows += properties.rows - std::min(properties.rows, properties.tombstones);
    }
  }
  if (read->own()) {
    for (const RowWrites::Insert& insert : read->own()->writes->inserts) rows += insert.rows;
  }
  return rows;
}

Result<std::vector<Hlc>> Forest::newest_commit(TableRef ref, std::span<const Egid> rows) {
  const TablePtr table = tables_.find(ref);
  const DefinitionRef definition = table == nullptr ? nullptr : table->newest();
  std::vector<Hlc> result(rows.size(), Hlc::zero());
  if (definition == nullptr || definition->kind != TableKind::kRows) return result;
  RowFetch newest(definition->schema, Hlc::max(), {}, rows);
  StoredRowBlocks blocks(store_, IoClass::kQuery);
  const RowTreeRef tree = table->rows().load();
  COPPICE_TRY(claim_all(*tree, newest, blocks));
  for (std::uint32_t i = 0; i < newest.rows(); ++i) result[i] = newest.timestamp(i);
  return result;
}

// --- indexes ------------------------------------------------------------------------------------

Result<std::unique_ptr<IndexRead>> Forest::open_index(const ReadView& view, TableRef ref) {
  COPPICE_TRY(snapshots_->check(*view.snapshot));
  TablePtr table = tables_.find(ref);
  DefinitionRef definition;
  if (view.own != nullptr) definition = own_of(view)->own_definition(ref).value_or(nullptr);
  if (definition == nullptr && table != nullptr)
    definition = table->definition(view.snapshot->read_at());
  if (definition == nullptr || definition->kind == TableKind::kRows) return no_table(ref);
  return std::make_unique<IndexRead>(store_, view, ref, std::move(table),
                                     definition->kind == TableKind::kUnique);
}

BitmapRead Forest::bitmap(const ReadView& view) {
  return {view.snapshot->read_at(),
          [this, view](TableRef index) { return open_index(view, index); }};
}

Result<RowIds> Forest::rows_of(const ReadView& view, const BitmapNode& node) {
  return bitmap(view).rows(node);
}
Result<std::uint64_t> Forest::count_of(const ReadView& view, const BitmapNode& node) {
  return bitmap(view).count(node);
}
Result<std::uint64_t> Forest::estimate_of(const ReadView& view, const BitmapNode& node) {
  return bitmap(view).estimate(node);
}

Result<std::unique_ptr<IndexCursor>> Forest::index_scan(const ReadView& view, TableRef index,
                                                        const KeyRange& range,
                                                        Direction direction) {
  auto read = COPPICE_TRY(open_index(view, index));
  return std::make_unique<IndexScan>(std::move(read), range, direction);
}

Result<std::vector<std::optional<Egid>>> Forest::find_unique(const ReadView& view, TableRef index,
                                                             std::span<const ByteView> keys) {
  const auto read = COPPICE_TRY(open_index(view, index));
  if (!read->unique()) return fail(Code::kInvalidArgument, "not a unique index");
  return read->find_unique(keys);
}

// --- definitions --------------------------------------------------------------------------------

std::optional<TableDefinition> Forest::definition(const Snapshot& at, TableRef table) {
  const DefinitionRef found = tables_.definition(table, at.read_at());
  return found == nullptr ? std::nullopt : std::optional(*found);
}

std::uint64_t Forest::epoch(TableRef table) {
  return tables_.epoch(table, Hlc::max());
}

std::uint64_t Forest::epoch_at(const Snapshot& at, TableRef table) {
  return tables_.epoch(table, at.read_at());
}

std::vector<NamespaceId> Forest::namespaces(const Snapshot& at) {
  return tables_.namespaces(at.read_at());
}

}  // namespace coppice::lsm
