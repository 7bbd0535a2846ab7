#include "modules/lsm/sstable/row_file_builder.h"

#include <algorithm>

#include "interfaces/types/tuple.h"
#include "kernel/base/assert.h"
#include "kernel/base/coding.h"
#include "modules/lsm/sstable/key_block.h"

namespace coppice::lsm {

RowFileBuilder::RowFileBuilder(const RowFileOptions& options, ByteSink& sink)
    : options_(options),
      all_groups_(options.schema->all_groups()),
      group_count_(options.schema->group_count()),
      out_(sink, options.file, options.start),
      wide_(out_, options.dictionaries.empty() ? nullptr : options.dictionaries[0].get(),
            properties_.extents),
      tail_(options.schema->version) {
  COPPICE_ASSERT(options.dictionaries.size() <= kDictionariesMax);
  properties_.file = options.file;
  properties_.start = options.start;
  properties_.schema_version = options.schema->version;
  properties_.min_timestamp = Hlc::max();
  for (const Column& column : options.schema->columns) {
    columns_.emplace_back(column.type);
    properties_.columns.push_back({column.id, column.type, column.group, 0, {}});
  }
}

Status RowFileBuilder::start_row(Egid egid, Hlc timestamp, GroupMask mask, std::uint8_t flags) {
  if (keys_.rows() == kVectorRows) COPPICE_TRY(finish_block());
  if (properties_.rows == 0) properties_.min_egid = egid;
  properties_.max_egid = egid;
  properties_.min_timestamp = std::min(properties_.min_timestamp, timestamp);
  properties_.max_timestamp = std::max(properties_.max_timestamp, timestamp);
  ++properties_.rows;
  if ((flags & kVersionDeleted) != 0) ++properties_.tombstones;
  keys_.egids.push_back(egid);
  keys_.timestamps.push_back(timestamp);
  keys_.masks.push_back(mask);
  keys_.flags.push_back(flags);
  last_egid_ = egid;
  last_timestamp_ = timestamp;
  return {};
}

Status RowFileBuilder::add(const RowVersion& version) {
  if ((version.mask & ~all_groups_) != 0 || version.deleted != (version.mask == 0) ||
      is_provisional(version.egid))
    return fail(Code::kInvalidArgument, "impossible row version");
  if (properties_.rows != 0 && version.egid == last_egid_) return add_older(version);
  if (properties_.rows != 0 && version.egid < last_egid_)
    return fail(Code::kInvalidArgument, "row versions out of order");
  COPPICE_TRY(start_row(version.egid, version.timestamp, version.mask,
                        version.deleted ? std::uint8_t{kVersionDeleted} : std::uint8_t{0}));
  std::size_t value = 0;
  for (std::uint32_t column = 0; column < columns_.size(); ++column) {
    if ((version.mask >> options_.schema->columns[column].group & 1) == 0) continue;
    COPPICE_ASSERT(value < version.values.size());
    COPPICE_TRY(append_value(column, version.values[value++]));
  }
  return {};
}

Status RowFileBuilder::add_older(const RowVersion& version) {
  if (version.timestamp >= last_timestamp_)
    return fail(Code::kInvalidArgument, "row versions out of order");
  keys_.flags.back() |= std::uint8_t{kVersionHasOlder};
  last_timestamp_ = version.timestamp;
  properties_.min_timestamp = std::min(properties_.min_timestamp, version.timestamp);
  ++properties_.older_versions;
  ByteBuffer tuple;
  COPPICE_TRY(append_tuple(version.values, tuple));
  std::optional<BlockRef> long_at;
  OverflowPlace place;
  if (tuple.size() > kInlineValueMax) {
    place = COPPICE_TRY(wide_.write_overflow(tuple));
    long_at = BlockRef{options_.file, properties_.extents[place.extent].offset + place.offset,
                       place.length, BlockKind::kOverflow};
  }
  tail_.add_history(version.egid, version.timestamp, version.mask,
                    version.deleted ? std::uint8_t{kVersionDeleted} : std::uint8_t{0}, tuple,
                    long_at, place.value_bytes, place.chain);
  return {};
}

Status RowFileBuilder::append_value(std::uint32_t column, const Datum& value) {
  ColumnState& state = columns_[column];
  if (value.null || !is_bytes(value.type) || value.bytes.size() <= kInlineValueMax) {
    state.values.append(value);
    return {};
  }
  OverflowPlace place = COPPICE_TRY(wide_.write_overflow(value.bytes));
  place.row = state.values.size();
  state.overflows.push_back(place);
  state.zone.add(zone_of_bytes(value.bytes));
  state.values.append(Datum::of(ByteView()));
  return {};
}

Status RowFileBuilder::append_rows(Egid first, Hlc timestamp, std::span<const Vector> columns,
                                   std::uint32_t from_row, std::uint32_t rows,
                                   std::span<const KeptChunks> kept) {
  COPPICE_ASSERT(columns.size() == columns_.size());
  if (rows == 0) return {};
  if ((properties_.rows != 0 && first <= last_egid_) || is_provisional(first + rows - 1))
    return fail(Code::kInvalidArgument, "rows out of order");
  // Kept chunks cannot be cut at a block's end, so they start a block if they do not fit.
  if (!kept.empty() && rows > kVectorRows)
    return fail(Code::kInvalidArgument, "kept chunks of more than a block");
  if (!kept.empty() && keys_.rows() + rows > kVectorRows) COPPICE_TRY(finish_block());
  while (rows > 0) {
    if (keys_.rows() == kVectorRows) COPPICE_TRY(finish_block());
    const std::uint32_t part = std::min(rows, kVectorRows - keys_.rows());
    for (std::uint32_t column = 0; column < columns_.size(); ++column) {
      const ColumnId id = options_.schema->columns[column].id;
      const auto keep = std::ranges::find(kept, id, &KeptChunks::column);
      COPPICE_TRY(append_column(column, columns[column], from_row, part,
                                keep == kept.end() ? nullptr : &*keep));
    }
    for (std::uint32_t row = 0; row < part; ++row)
      COPPICE_TRY(start_row(first + row, timestamp, all_groups_, 0));
    first += part;
    from_row += part;
    rows -= part;
  }
  return {};
}

Status RowFileBuilder::append_column(std::uint32_t column, const Vector& values,
                                     std::uint32_t from_row, std::uint32_t rows,
                                     const KeptChunks* kept) {
  ColumnState& state = columns_[column];
  if (kept != nullptr) {
    COPPICE_TRY(keep_chunks(state, *kept, rows));
    for (std::uint32_t row = from_row; row < from_row + rows; ++row)
      state.values.append(values.is_null(row) ? Datum::null_of(PhysicalType::kBytes)
                                              : Datum::of(ByteView()));
    return {};
  }
  if (!is_bytes(values.type())) {
    state.values.append(values, from_row, rows);
    return {};
  }
  for (std::uint32_t row = from_row; row < from_row + rows; ++row)
    COPPICE_TRY(append_value(column, values.datum_at(row)));
  return {};
}

Status RowFileBuilder::keep_chunks(ColumnState& state, const KeptChunks& kept, std::uint32_t rows) {
  const std::uint32_t base = state.values.size();
  KeptRows segment{base, rows, {}};
  for (const KeptChunks::Chunk& chunk : kept.chunks) {
    ChunkPlace place;
    if (chunk.stored.empty()) {
      place.extent = COPPICE_TRY(wide_.foreign_extent(chunk.extent));
      place.offset = chunk.at.offset - chunk.extent.offset;
      place.length = chunk.at.length;
    } else {
      place = COPPICE_TRY(wide_.copy_chunk(chunk.at, chunk.stored));
    }
    place.first_row = base + chunk.first_row;
    segment.chunks.push_back(place);
  }
  if (segment.chunks.empty() || segment.chunks[0].first_row != base)
    return fail(Code::kInvalidArgument, "kept chunks do not cover their rows");
  for (const KeptChunks::Overflow& overflow : kept.overflows) {
    OverflowPlace place = overflow.place;
    place.extent = COPPICE_TRY(wide_.foreign_extent(overflow.extent));
    place.row += base;
    state.overflows.push_back(place);
  }
  state.kept.push_back(std::move(segment));
  state.zone.add(kept.zone);
  return {};
}

// Whether the buffer holds an empty value where the column has a long or kept one.
bool RowFileBuilder::stands_for_another(const ColumnState& state, std::uint32_t row) {
  return std::ranges::binary_search(state.overflows, row, {}, &OverflowPlace::row) ||
         std::ranges::any_of(state.kept, [row](const KeptRows& kept) {
           return kept.first_row <= row && row < kept.first_row + kept.rows;
         });
}

Result<Zone> RowFileBuilder::add_wide_column(RowBlockWriter& writer, std::uint32_t column) {
  ColumnState& state = columns_[column];
  const Vector values = state.values.view();
  WideDirectoryWriter directory;
  std::uint32_t row = 0;
  for (const KeptRows& kept : state.kept) {
    COPPICE_TRY(wide_.write_chunks(values, row, kept.first_row, directory));
    for (const ChunkPlace& chunk : kept.chunks) directory.add_chunk(chunk);
    row = kept.first_row + kept.rows;
  }
  COPPICE_TRY(wide_.write_chunks(values, row, values.size(), directory));
  for (const OverflowPlace& overflow : state.overflows) directory.add_overflow(overflow);
  Zone zone = state.zone;
  for (row = 0; row < values.size(); ++row)
    if (!values.is_null(row) && !stands_for_another(state, row))
      zone.add(zone_of_bytes(values.bytes_at(row)));
  writer.add_wide(options_.schema->columns[column].id, state.values, directory, zone);
  return zone;
}

Status RowFileBuilder::add_column(RowBlockWriter& writer, std::uint32_t column) {
  ColumnState& state = columns_[column];
  ColumnSummary& summary = properties_.columns[column];
  Zone zone;
  if (is_wide(state.values) || !state.overflows.empty() || !state.kept.empty())
    zone = COPPICE_TRY(add_wide_column(writer, column));
  else
    zone = writer.add(options_.schema->columns[column].id, state.values).zone;
  summary.zone.add(zone);
  summary.null_count += state.values.null_count();
  state.values.clear();
  state.overflows.clear();
  state.kept.clear();
  state.zone = {};
  return {};
}

Result<ByteBuffer> RowFileBuilder::finish_group(std::uint32_t group) {
  const std::vector<std::uint32_t> columns = options_.schema->columns_of(GroupMask{1} << group);
  if (columns.empty() || columns_[columns[0]].values.size() == 0) return ByteBuffer();
  RowBlockWriter writer({BlockKind::kGroup, static_cast<std::uint8_t>(group),
                         options_.schema->version, keys_.egids.front()},
                        columns_[columns[0]].values.size(),
                        static_cast<std::uint32_t>(columns.size()));
  for (const std::uint32_t column : columns) COPPICE_TRY(add_column(writer, column));
  return writer.finish();
}

Status RowFileBuilder::finish_block() {
  if (keys_.rows() == 0) return {};
  PendingBlock block;
  block.index.first_egid = keys_.egids.front();
  block.index.last_egid = keys_.egids.back();
  block.index.rows = keys_.rows();
  const auto [least, greatest] = std::ranges::minmax(keys_.timestamps);
  block.index.min_timestamp = least;
  block.index.max_timestamp = greatest;
  for (std::uint32_t group = 0; group < group_count_; ++group) {
    ByteBuffer bytes = COPPICE_TRY(finish_group(group));
    stripe_bytes_ += bytes.size();
    block.groups.push_back(std::move(bytes));
  }
  if (!keys_.is_plain(all_groups_))
    block.index.keys = tail_.add_keys(keys_.to_block(options_.schema->version));
  keys_.clear();
  stripe_.push_back(std::move(block));
  if (stripe_.size() == kBlocksPerStripe) COPPICE_TRY(finish_stripe());
  return {};
}

Status RowFileBuilder::finish_stripe() {
  wide_.close_extent();
  for (std::uint32_t group = 0; group < group_count_; ++group)
    for (PendingBlock& block : stripe_) {
      BlockIndexEntry::Place& place = block.index.groups.emplace_back();
      if (block.groups[group].empty()) continue;
      const BlockRef at = COPPICE_TRY(out_.write_block(BlockKind::kGroup, block.groups[group]));
      place = {at.offset, at.length};
    }
  for (PendingBlock& block : stripe_) tail_.add_index(std::move(block.index));
  stripe_.clear();
  stripe_bytes_ = 0;
  return {};
}

Status RowFileBuilder::write_dictionaries() {
  for (const WideDictionaryRef& dictionary : options_.dictionaries) {
    ByteBuffer block;
    ByteWriter writer(block);
    writer.zeros(kChecksumBytes);
    writer.u32(kDictionaryMagic);
    writer.u32(dictionary->id());
    writer.bytes(dictionary->content());
    const BlockRef at = COPPICE_TRY(out_.write_block(BlockKind::kDictionary, block));
    properties_.dictionaries.push_back(at);
  }
  return {};
}

Result<RowFileProperties> RowFileBuilder::finish() {
  if (properties_.rows == 0) return fail(Code::kInvalidArgument, "a row file without rows");
  COPPICE_TRY(finish_block());
  COPPICE_TRY(finish_stripe());
  COPPICE_TRY(write_dictionaries());
  COPPICE_TRY(tail_.finish(out_, properties_));
  properties_.wide_bytes = wide_.bytes();
  ByteBuffer block;
  append_properties(properties_, block);
  if (block.size() > kPropertiesBytesMax)
    return fail(Code::kLimitExceeded, "row file with too long properties");
  RowFileFooter footer;
  footer.properties = COPPICE_TRY(out_.write_block(BlockKind::kProperties, block));
  footer.end = out_.offset() + kFooterBytes;
  ByteBuffer bytes;
  append_footer(footer, options_.file, out_.offset(), bytes);
  COPPICE_TRY(out_.write(bytes));
  return properties_;
}

}  // namespace coppice::lsm
