#include "modules/lsm/memtable/row_memtable.h"

#include <algorithm>

#include "kernel/base/assert.h"

namespace coppice::lsm {

RowMemtable::RowMemtable(const TableSchema& schema)
    : schema_(schema), all_groups_(schema.all_groups()) {}

// --- writes -------------------------------------------------------------------------------------

Result<TupleView> RowMemtable::checked(ByteView bytes, GroupMask mask) const {
  const TupleView tuple = COPPICE_TRY(TupleView::parse(bytes));
  std::uint32_t position = 0;
  for (const Column& column : schema_.columns) {
    if ((mask >> column.group & 1) == 0) continue;
    if (position >= tuple.count()) break;
    const bool fits = tuple.is_null(position) || is_bytes(column.type) ||
                      tuple.raw(position).size() == fixed_bytes(column.type);
    if (!fits) return fail(Code::kInvalidArgument, "tuple value of another type");
    ++position;
  }
  if (position != tuple.count() || (mask & ~all_groups_) != 0 ||
      position != schema_.columns_of(mask).size())
    return fail(Code::kInvalidArgument, "tuple of another schema");
  return tuple;
}

RowMemtable::Chunk& RowMemtable::chunk_for(Egid egid) {
  if (chunks_.empty() || chunks_.back()->end() != egid || chunks_.back()->rows == kVectorRows) {
    auto chunk = std::make_shared<Chunk>();
    chunk->first = egid;
    for (const Column& column : schema_.columns) chunk->columns.emplace_back(column.type);
    chunks_.push_back(std::move(chunk));
  }
  return *chunks_.back();
}

void RowMemtable::renew_views(Chunk& chunk) {
  chunk.views.clear();
  std::size_t bytes = sizeof chunk + chunk.timestamps.capacity() * sizeof(Hlc);
  for (const VectorBuffer& column : chunk.columns) {
    chunk.views.push_back(column.view());
    bytes += column.memory_bytes() + sizeof(VectorBuffer) + sizeof(Vector);
  }
  memory_bytes_.fetch_add(bytes - chunk.counted_bytes, std::memory_order_relaxed);
  chunk.counted_bytes = bytes;
}

Status RowMemtable::append_rows(Egid first, Hlc timestamp, std::span<const Vector> columns,
                                std::uint32_t from_row, std::uint32_t rows) {
  COPPICE_ASSERT(columns.size() == schema_.columns.size());
  if (!chunks_.empty() && first < chunks_.back()->end()) {  // older than what is here: versions
    std::vector<Datum> values(columns.size());
    for (std::uint32_t row = 0; row < rows; ++row) {
      for (std::size_t i = 0; i < columns.size(); ++i)
        values[i] = columns[i].datum_at(from_row + row);
      Version version{timestamp, all_groups_, false, {}};
      COPPICE_TRY(append_tuple(values, version.tuple));
      COPPICE_TRY(add_version(first + row, std::move(version), Hlc::zero()));
    }
    return {};
  }
  while (rows > 0) {
    const ExclusiveSpinGuard guard(lock_);  // for at most one chunk at a time
    Chunk& chunk = chunk_for(first);
    const std::uint32_t part = std::min(rows, kVectorRows - chunk.rows);
    for (std::size_t i = 0; i < columns.size(); ++i)
      chunk.columns[i].append(columns[i], from_row, part);
    chunk.timestamps.insert(chunk.timestamps.end(), part, timestamp);
    chunk.rows += part;
    renew_views(chunk);
    new_rows_ += part;
    first += part;
    from_row += part;
    rows -= part;
  }
  return {};
}

Status RowMemtable::append_row(Egid egid, Hlc timestamp, ByteView bytes) {
  if (!chunks_.empty() && egid < chunks_.back()->end())
    return update(egid, timestamp, all_groups_, bytes, Hlc::zero());
  const TupleView tuple = COPPICE_TRY(checked(bytes, all_groups_));
  const ExclusiveSpinGuard guard(lock_);
  Chunk& chunk = chunk_for(egid);
  for (std::uint32_t i = 0; i < chunk.columns.size(); ++i)
    chunk.columns[i].append(tuple.at(i, schema_.columns[i].type));
  chunk.timestamps.push_back(timestamp);
  ++chunk.rows;
  renew_views(chunk);
  ++new_rows_;
  return {};
}

Status RowMemtable::update(Egid egid, Hlc timestamp, GroupMask mask, ByteView tuple, Hlc horizon) {
  COPPICE_TRY(checked(tuple, mask));
  if (mask == 0) return fail(Code::kInvalidArgument, "an update of nothing");
  return add_version(egid, {timestamp, mask, false, {tuple.begin(), tuple.end()}}, horizon);
}

Status RowMemtable::erase(Egid egid, Hlc timestamp, Hlc horizon) {
  return add_version(egid, {timestamp, 0, true, {}}, horizon);
}

Status RowMemtable::add_version(Egid egid, Version version, Hlc horizon) {
  const auto known = map_.find(egid);  // the one writer reads without the lock
  if (known && !chains_[*known].empty() && chains_[*known].back().timestamp >= version.timestamp)
    return fail(Code::kInvalidArgument, "row versions out of order");
  const ExclusiveSpinGuard guard(lock_);
  std::size_t bytes = bytes_of(version);
  if (!known) {
    const std::size_t before = map_.memory_bytes();
    map_.insert(egid, static_cast<std::uint32_t>(chains_.size()));
    chains_.emplace_back();
    bytes += map_.memory_bytes() - before + sizeof(Chain);
  }
  Chain& chain = chains_[known ? *known : chains_.size() - 1];
  chain.push_back(std::move(version));
  memory_bytes_.fetch_add(bytes, std::memory_order_relaxed);
  drop_unseen(chain, horizon);
  return {};
}

// Versions older than the newest one at or below the horizon go; it inherits their groups.
void RowMemtable::drop_unseen(Chain& chain, Hlc horizon) {
  std::size_t settled = chain.size();
  while (settled > 0 && chain[settled - 1].timestamp > horizon) --settled;
  if (settled < 2) return;  // nothing below it
  std::size_t freed = 0;
  for (std::size_t older = settled - 1; older > 0; --older) {
    Version& keep = chain[settled - 1];
    const Version& from = chain[older - 1];
    if (keep.deleted || from.deleted) break;
    if ((from.mask & ~keep.mask) == 0) continue;
    freed += bytes_of(keep);
    keep = merged(keep, from);
    freed -= bytes_of(keep);
  }
  for (std::size_t i = 0; i + 1 < settled; ++i) freed += bytes_of(chain[i]);
  chain.erase(chain.begin(), chain.begin() + static_cast<std::ptrdiff_t>(settled - 1));
  memory_bytes_.fetch_sub(freed, std::memory_order_relaxed);
}

RowMemtable::Version RowMemtable::merged(const Version& newer, const Version& older) const {
  const Chain pair{older, newer};
  std::vector<StoredVersion> both;  // views the pair
  append_stored(pair, both);
  Version result{newer.timestamp, newer.mask | older.mask, false, {}};
  std::vector<Datum> values;
  for (const std::uint32_t column : schema_.columns_of(result.mask)) {
    const bool is_new = (newer.mask >> schema_.columns[column].group & 1) != 0;
    values.push_back(both[is_new ? 0 : 1].values[column]);
  }
  // Both tuples were within the limits, and so is one made of their values, but for the sum.
  if (!append_tuple(values, result.tuple)) return newer;
  return result;
}

// --- reads --------------------------------------------------------------------------------------

std::size_t RowMemtable::first_chunk(Egid egid) const {
  const auto at = std::ranges::upper_bound(chunks_, egid, {},
                                           [](const ChunkRef& chunk) { return chunk->end(); });
  return static_cast<std::size_t>(at - chunks_.begin());
}

void RowMemtable::claim(RowFetch& fetch, const FileClip& clip) const {
  const Hlc read_at = std::min(fetch.read_at(), clip.cap);
  for (std::uint32_t row = 0; row < fetch.rows(); ++row) {
    const Egid egid = fetch.egid(row);
    if (!fetch.wants(row) || !clip.holds(egid)) continue;
    const SharedSpinGuard guard(lock_);
    if (map_.size() != 0) {
      const auto chain = map_.find(egid);
      if (chain && !claim_chain(fetch, row, chains_[*chain], read_at)) continue;
    }
    const std::size_t chunk = first_chunk(egid);
    if (chunk < chunks_.size() && chunks_[chunk]->first <= egid)
      claim_chunk(fetch, row, chunks_[chunk], read_at);
  }
}

// Whether older versions still matter.
bool RowMemtable::claim_chain(RowFetch& fetch, std::uint32_t row, const Chain& chain,
                              Hlc read_at) const {
  for (std::size_t i = chain.size(); i > 0; --i) {
    const Version& version = chain[i - 1];
    if (version.timestamp > read_at) continue;
    if (version.deleted) {
      fetch.found_deleted(row, version.timestamp);
      return false;
    }
    const GroupMask supplied = fetch.found(row, version.timestamp, version.mask);
    if (supplied != 0) {
      const auto tuple = TupleView::parse(
          fetch.wants_bytes(supplied) ? fetch.keep_copy(version.tuple) : ByteView(version.tuple));
      COPPICE_ASSERT(tuple.has_value());  // checked when it was applied
      fetch.set_from_tuple(row, *tuple, version.mask, supplied, schema_.columns);
    }
    if (!fetch.wants(row)) return false;
  }
  return true;
}

void RowMemtable::claim_chunk(RowFetch& fetch, std::uint32_t row, const ChunkRef& chunk,
                              Hlc read_at) const {
  const auto position = static_cast<std::uint32_t>(fetch.egid(row) - chunk->first);
  if (chunk->timestamps[position] > read_at) return;
  const GroupMask supplied = fetch.found(row, chunk->timestamps[position], all_groups_);
  const std::span<const std::uint32_t> columns = fetch.columns();
  for (std::uint32_t i = 0; i < columns.size(); ++i) {
    const Column& column = fetch.schema().columns[columns[i]];
    if ((supplied >> column.group & 1) == 0) continue;
    const std::optional<std::uint32_t> stored = position_of(column.id, columns[i]);
    if (stored) fetch.set(row, i, chunk->views[*stored].datum_at(position));
  }
  if (fetch.wants_bytes(supplied)) fetch.keep(chunk);
}

// A read may be under another version of the schema. `likely`: where the column is there.
std::optional<std::uint32_t> RowMemtable::position_of(ColumnId column, std::uint32_t likely) const {
  const std::vector<Column>& columns = schema_.columns;
  if (likely < columns.size() && columns[likely].id == column) return likely;
  const Column* found = schema_.find(column);
  if (found == nullptr) return std::nullopt;  // younger than this memtable
  return static_cast<std::uint32_t>(found - columns.data());
}

bool RowMemtable::has_egid(Egid egid) const {
  const SharedSpinGuard guard(lock_);
  const std::size_t chunk = first_chunk(egid);
  return (chunk < chunks_.size() && chunks_[chunk]->first <= egid) || map_.find(egid).has_value();
}

void RowMemtable::collect_egids(Egid from, Egid to, std::vector<Egid>& egids) const {
  const std::size_t old_size = egids.size();
  const SharedSpinGuard guard(lock_);
  for (std::size_t i = first_chunk(from); i < chunks_.size() && chunks_[i]->first <= to; ++i)
    for (Egid egid = std::max(from, chunks_[i]->first); egid < chunks_[i]->end() && egid <= to;
         ++egid)
      egids.push_back(egid);
  map_.visit(from, to, [&](Egid egid, std::uint32_t) {
    egids.push_back(egid);
    return true;
  });
  const auto begin = egids.begin() + static_cast<std::ptrdiff_t>(old_size);
  std::sort(begin, egids.end());
  egids.erase(std::unique(begin, egids.end()), egids.end());
}

std::uint32_t RowMemtable::chunk_count() const {
  const SharedSpinGuard guard(lock_);
  return static_cast<std::uint32_t>(chunks_.size());
}

void RowMemtable::scan_chunk(std::uint32_t index, std::span<const std::uint32_t> columns,
                             Hlc read_at, ScanBatch& to) const {
  to = {};
  const SharedSpinGuard guard(lock_);
  ChunkRef chunk = chunks_[index];
  if (chunk->rows < kVectorRows && index + 1 == chunks_.size()) {  // still growing: a copy
    auto copy = std::make_shared<Chunk>();
    copy->first = chunk->first;
    copy->rows = chunk->rows;
    copy->timestamps = chunk->timestamps;
    for (std::size_t i = 0; i < chunk->columns.size(); ++i) {
      VectorBuffer& column = copy->columns.emplace_back(chunk->columns[i].type());
      if (std::ranges::find(columns, i) != columns.end())
        column.append(chunk->views[i], 0, chunk->rows);
      copy->views.push_back(column.view());
    }
    chunk = std::move(copy);
  }
  Selection::Mask mask{};
  for (std::uint32_t row = 0; row < chunk->rows; ++row)
    if (chunk->timestamps[row] <= read_at) mask[row / 64] |= std::uint64_t{1} << (row % 64);
  map_.visit(chunk->first, chunk->end() - 1, [&](Egid egid, std::uint32_t) {
    const auto row = static_cast<std::uint32_t>(egid - chunk->first);
    if ((mask[row / 64] >> (row % 64) & 1) != 0) to.others.push_back(egid);
    mask[row / 64] &= ~(std::uint64_t{1} << (row % 64));
    return true;
  });
  to.batch.rows = chunk->rows;
  to.batch.selection = Selection::from_mask(mask, chunk->rows);
  to.batch.egids = Vector::sequence(PhysicalType::kInt64, chunk->rows,
                                    static_cast<std::int64_t>(chunk->first), 1);
  for (const std::uint32_t column : columns) {
    to.batch.columns.push_back(chunk->views[column]);
    to.batch.columns.back().set_owner(chunk);
  }
}

// --- flush --------------------------------------------------------------------------------------

// Newest first; the values view the chain's tuples.
void RowMemtable::append_stored(const Chain& chain, std::vector<StoredVersion>& to) const {
  for (std::size_t i = chain.size(); i > 0; --i) {
    const Version& version = chain[i - 1];
    StoredVersion& stored = to.emplace_back();
    stored = {version.timestamp, version.mask, version.deleted, {}};
    stored.values.resize(schema_.columns.size());
    if (version.deleted) continue;
    const auto tuple = TupleView::parse(version.tuple);
    COPPICE_ASSERT(tuple.has_value());
    std::uint32_t position = 0;
    for (const std::uint32_t column : schema_.columns_of(version.mask))
      stored.values[column] = tuple->at(position++, schema_.columns[column].type);
  }
}

Status RowMemtable::flush_new(Hlc horizon, RowFileBuilder& to) const {
  for (const ChunkRef& chunk : chunks_) {
    std::uint32_t done = 0;
    while (done < chunk->rows) {
      // The next row that changed, and before it runs of one timestamp.
      Egid changed = chunk->end();
      std::uint32_t chain = 0;
      map_.visit(chunk->first + done, chunk->end() - 1, [&](Egid egid, std::uint32_t value) {
        changed = egid;
        chain = value;
        return false;
      });
      const auto until = static_cast<std::uint32_t>(changed - chunk->first);
      while (done < until) {
        std::uint32_t run = done + 1;
        while (run < until && chunk->timestamps[run] == chunk->timestamps[done]) ++run;
        COPPICE_TRY(to.append_rows(chunk->first + done, chunk->timestamps[done], chunk->views, done,
                                   run - done));
        done = run;
      }
      if (done == chunk->rows) break;
      std::vector<StoredVersion> versions;
      append_stored(chains_[chain], versions);
      StoredVersion inserted{chunk->timestamps[done], all_groups_, false, {}};
      for (const Vector& column : chunk->views) inserted.values.push_back(column.datum_at(done));
      versions.push_back(std::move(inserted));
      reduce_versions(schema_, {horizon, true}, versions);
      COPPICE_TRY(add_versions(schema_, chunk->first + done, versions, to));
      ++done;
    }
  }
  return {};
}

Status RowMemtable::flush_rest(Hlc horizon, RowFileBuilder& to) const {
  Status status;
  std::vector<StoredVersion> versions;
  map_.visit(0, kProvisionalBit - 1, [&](Egid egid, std::uint32_t chain) {
    const std::size_t chunk = first_chunk(egid);
    if (chunk < chunks_.size() && chunks_[chunk]->first <= egid) return true;  // flush_new()'s
    versions.clear();
    append_stored(chains_[chain], versions);
    reduce_versions(schema_, {horizon, false}, versions);
    status = add_versions(schema_, egid, versions, to);
    return status.has_value();
  });
  return status;
}

}  // namespace coppice::lsm
