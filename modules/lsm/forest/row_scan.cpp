#include "modules/lsm/forest/row_scan.h"

#include <algorithm>

namespace coppice::lsm {
namespace {

constexpr Egid kLastEgid = kProvisionalBit - 1;

Egid egid_at(const RowBatch& batch, std::uint32_t row) {
  return static_cast<Egid>(batch.egids.int_at(row));
}

}  // namespace

RowScan::RowScan(std::unique_ptr<RowRead> read, std::vector<std::uint32_t> columns,
                 const ScanOptions& options)
    : read_(std::move(read)), columns_(std::move(columns)), options_(options) {
  low_ = options.low;
  high_ = options.high > kLastEgid ? kLastEgid : options.high - 1;
  done_ = options.high <= options.low;
  own_done_ = !read_->own() || options.high != UINT64_MAX;
  if (read_->tree() != nullptr) {
    for (const RowFileRef& file : read_->tree()->last) {
      const RowFileProperties& properties = file->reader->properties();
      if (properties.max_egid >= low_ && properties.min_egid <= high_)
        segments_.push_back({file.get(), nullptr});
    }
    const auto& memory = read_->tree()->memory;
    for (auto at = memory.rbegin(); at != memory.rend(); ++at)
      segments_.push_back({nullptr, at->get()});
  }
  if (!forward()) std::ranges::reverse(segments_);
}

Result<bool> RowScan::next(RowBatch& batch) {
  while (ready_.empty()) {
    const bool more = COPPICE_TRY(step());
    if (!more && ready_.empty()) return false;
  }
  batch = std::move(ready_.front());
  ready_.pop_front();
  return true;
}

// Makes some batches ready, or none yet. False: nothing is left.
Result<bool> RowScan::step() {
  if (done_) return false;
  if (!forward() && !own_done_) {
    own_done_ = true;
    COPPICE_TRY(emit_own());
    return true;
  }
  ScanBatch bulk;
  if (!bulk_done_) {
    const bool more = COPPICE_TRY(next_bulk(bulk));
    if (more) {
      COPPICE_TRY(emit_bulk(bulk));
      return true;
    }
    bulk_done_ = true;
    if (low_ <= high_) COPPICE_TRY(emit_between(low_, high_, nullptr));
    return true;
  }
  done_ = true;
  if (!own_done_) COPPICE_TRY(emit_own());
  return true;
}

// --- bulk ---------------------------------------------------------------------------------------

Result<bool> RowScan::next_bulk(ScanBatch& bulk) {
  for (; segment_ < segments_.size(); ++segment_) {
    const Segment& segment = segments_[segment_];
    if (segment.memory != nullptr) {
      const bool more = COPPICE_TRY(next_chunk(*segment.memory, bulk));
      if (more) return true;
      chunk_ = -1;
      continue;
    }
    if (file_scan_ == nullptr) {
      file_scan_ = std::make_unique<RowFileScan>(
          *segment.file->reader, read_->schema(), columns_, read_->read_at(),
          FileClip{.from = low_, .to = high_},
          forward() ? RowFileScan::Direction::kForward : RowFileScan::Direction::kBackward);
    }
    const bool more = COPPICE_TRY(file_scan_->next(read_->blocks(), bulk));
    if (more) return true;
    file_scan_.reset();
  }
  return false;
}

Result<bool> RowScan::next_chunk(const RowMemory& memory, ScanBatch& bulk) {
  const std::int64_t count = memory.table.chunk_count();
  if (chunk_ < 0) {
    chunk_ = forward() ? 0 : count - 1;
  } else {
    chunk_ += forward() ? 1 : -1;
  }
  if (chunk_ < 0 || chunk_ >= count) return false;
  // The memtable may have another version of the schema than this read.
  std::vector<std::uint32_t> stored;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const Column& column = read_->schema().columns[columns_[i]];
    if (const Column* found = memory.schema().find(column.id)) {
      stored.push_back(static_cast<std::uint32_t>(found - memory.schema().columns.data()));
      places.push_back(i);
    }
  }
  memory.table.scan_chunk(static_cast<std::uint32_t>(chunk_), stored, read_->read_at(), bulk);
  if (stored.size() == columns_.size()) return true;
  std::vector<Vector> columns(columns_.size());
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const Column& column = read_->schema().columns[columns_[i]];
    columns[i] = Vector::constant(column.missing_value(), bulk.batch.rows);
    columns[i].set_owner(read_->definition());
  }
  for (std::size_t i = 0; i < places.size(); ++i)
    columns[places[i]] = std::move(bulk.batch.columns[i]);
  bulk.batch.columns = std::move(columns);
  return true;
}

Status RowScan::emit_bulk(const ScanBatch& bulk) {
  if (bulk.batch.rows == 0) return {};
  const Egid first = egid_at(bulk.batch, 0);
  const Egid last = egid_at(bulk.batch, bulk.batch.rows - 1);
  if (last < low_ || first > high_) return {};
  const RowMemory* own_memory = segments_[segment_].memory;
  if (forward() && first > low_) COPPICE_TRY(emit_between(low_, first - 1, nullptr));
  if (!forward() && last < high_) COPPICE_TRY(emit_between(last + 1, high_, nullptr));
  const Egid from = std::max(first, low_);
  const Egid to = std::min(last, high_);

  std::vector<Egid> others;
  COPPICE_TRY(collect(from, to, own_memory, others));
  for (const Egid row : bulk.others) {
    if (row >= from && row <= to) others.push_back(row);
  }
  std::ranges::sort(others);
  others.erase(std::unique(others.begin(), others.end()), others.end());
  if (forward()) {
    low_ = to + 1;
  } else {
    high_ = from - 1;
  }
  if (others.empty() && from == first && to == last && forward()) {
    push(bulk.batch);
    return {};
  }
  std::vector<bool> dropped(bulk.batch.rows);
  std::size_t at = 0;
  for (std::uint32_t row = 0; row < bulk.batch.rows; ++row) {
    const Egid egid = egid_at(bulk.batch, row);
    while (at < others.size() && others[at] < egid) ++at;
    dropped[row] = egid < from || egid > to || (at < others.size() && others[at] == egid);
  }
  return emit_merged(bulk.batch, dropped, others);
}

// --- the others ---------------------------------------------------------------------------------

// Rows that may have a version outside of the bulk.
Status RowScan::collect(Egid from, Egid to, const RowMemory* except, std::vector<Egid>& rows) {
  if (const RowTreeVersion* tree = read_->tree()) {
    for (const RowMemoryRef& memory : tree->memory) {
      if (memory.get() != except) memory->table.collect_egids(from, to, rows);
    }
    for (const RowFileRef& file : tree->level0)
      COPPICE_TRY(file->reader->collect_egids(from, to, read_->blocks(), rows));
  }
  if (read_->own()) {
    const auto& changed = read_->own()->rows->changed();
    for (auto at = changed.lower_bound(from); at != changed.end() && at->first <= to; ++at)
      rows.push_back(at->first);
  }
  return {};
}

// Rows of a stretch where nothing is in bulk.
Status RowScan::emit_between(Egid from, Egid to, const RowMemory* except) {
  std::vector<Egid> rows;
  COPPICE_TRY(collect(from, to, except, rows));
  std::ranges::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return emit_fetched(rows);
}

Status RowScan::emit_fetched(std::span<const Egid> rows) {
  const std::size_t batches = (rows.size() + kVectorRows - 1) / kVectorRows;
  for (std::size_t i = 0; i < batches; ++i) {
    const std::size_t at = (forward() ? i : batches - 1 - i) * kVectorRows;
    const RowBatch fetched = COPPICE_TRY(read_->fetch(
        rows.subspan(at, std::min<std::size_t>(kVectorRows, rows.size() - at)), columns_));
    if (forward()) {
      push(fetched);
      continue;
    }
    BatchBuilder reversed(read_->schema(), columns_);
    for (std::uint32_t row = fetched.rows; row > 0; --row) reversed.copy_row(fetched, row - 1);
    push(reversed.finish());
  }
  return {};
}

// The rows of `bulk` that are selected and not dropped, and those of `others` that exist.
Status RowScan::emit_merged(const RowBatch& bulk, const std::vector<bool>& dropped,
                            std::span<const Egid> others) {
  std::vector<RowBatch> parts;
  for (std::size_t at = 0; at < others.size(); at += kVectorRows) {
    RowBatch part = COPPICE_TRY(read_->fetch(
        others.subspan(at, std::min<std::size_t>(kVectorRows, others.size() - at)), columns_));
    parts.push_back(std::move(part));
  }
  struct Place {
    Egid egid;
    const RowBatch* batch;
    std::uint32_t row;
  };
  std::vector<Place> places;
  bulk.selection.for_each([&](std::uint32_t row) {
    if (!dropped[row]) places.push_back({egid_at(bulk, row), &bulk, row});
  });
  for (const RowBatch& part : parts) {
    for (std::uint32_t row = 0; row < part.rows; ++row)
      places.push_back({egid_at(part, row), &part, row});
  }
  std::ranges::sort(places, {}, &Place::egid);
  if (!forward()) std::ranges::reverse(places);
  BatchBuilder merged(read_->schema(), columns_);
  for (const Place& place : places) {
    merged.copy_row(*place.batch, place.row);
    if (!merged.full()) continue;
    push(merged.finish());
    merged = BatchBuilder(read_->schema(), columns_);
  }
  push(merged.finish());
  return {};
}

Status RowScan::emit_own() {
  std::vector<Egid> rows;
  for (const RowWrites::Insert& insert : read_->own()->writes->inserts) {
    for (std::uint32_t i = 0; i < insert.rows; ++i) rows.push_back(insert.first + i);
  }
  return emit_fetched(rows);
}

void RowScan::push(RowBatch batch) {
  if (batch.selection.count() == 0) return;
  if (!options_.with_egids) batch.egids = Vector();
  ready_.push_back(std::move(batch));
}

}  // namespace coppice::lsm
