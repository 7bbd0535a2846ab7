#include "modules/lsm/sstable/block_columns.h"

#include <deque>

namespace coppice::lsm {
namespace {

// What the views of a wide column need to live.
struct WideStorage {
  LoadedBlockRef directory;
  std::vector<BlockRequest> chunks;
  std::deque<ByteBuffer> long_values;
  VectorBuffer values{PhysicalType::kBytes};
};

Status load_chunks(const RowFileReader& file, const WideDirectory& directory, BlockSource& source,
                   WideStorage& storage) {
  for (std::uint32_t i = 0; i < directory.chunk_count(); ++i) {
    const ChunkPlace chunk = directory.chunk(i);
    const BlockRef at =
        COPPICE_TRY(file.place_of(chunk.extent, chunk.offset, chunk.length, BlockKind::kChunk));
    storage.chunks.push_back({at, nullptr});
  }
  return source.fetch(storage.chunks);
}

Result<ByteView> load_long(const RowFileReader& file, const OverflowPlace& place,
                           BlockSource& source, WideStorage& storage) {
  const BlockRef at =
      COPPICE_TRY(file.place_of(place.extent, place.offset, place.length,
                                place.chain ? BlockKind::kChain : BlockKind::kOverflow));
  ByteBuffer value = COPPICE_TRY(read_long_value(at, place.value_bytes, source));
  return ByteView(storage.long_values.emplace_back(std::move(value)));
}

Result<Vector> load_wide(const RowFileReader& file, const Minipage& minipage,
                         const LoadedBlockRef& block, BlockSource& source) {
  auto storage = std::make_shared<WideStorage>();
  storage->directory = block;
  const WideDirectory& directory = *minipage.wide;
  COPPICE_TRY(load_chunks(file, directory, source, *storage));
  const std::uint32_t rows = block->rows().rows();
  std::vector<ByteView> views(rows);
  for (std::uint32_t i = 0; i < directory.chunk_count(); ++i) {
    const std::uint32_t first = directory.chunk(i).first_row;
    const std::uint32_t end =
        i + 1 < directory.chunk_count() ? directory.chunk(i + 1).first_row : rows;
    const WideChunk& chunk = storage->chunks[i].block->chunk();
    if (chunk.rows() != end - first)
      return block_corrupt(storage->chunks[i].at, "of another number of rows");
    for (std::uint32_t row = first; row < end; ++row) views[row] = chunk.value(row - first);
  }
  for (std::uint32_t i = 0; i < directory.overflow_count(); ++i) {
    const OverflowPlace place = directory.overflow(i);
    views[place.row] = COPPICE_TRY(load_long(file, place, source, *storage));
  }
  storage->values.append_views(views);
  Vector vector = storage->values.view();
  if (minipage.header.has_null_bitmap) vector.set_nulls(minipage.values.null_bitmap());
  vector.set_owner(storage);
  return vector;
}

}  // namespace

Status load_columns(const RowFileReader& file, std::uint32_t block, const TableSchema& schema,
                    std::span<const std::uint32_t> columns, BlockSource& source, BlockColumns& to) {
  to.entry = file.entry(block);
  std::vector<BlockRequest> requests;
  if (to.entry.keys.length != 0) requests.push_back({to.entry.keys, file.pinned_keys(block)});
  std::vector<std::size_t> request_of(kGroupsMax, SIZE_MAX);
  for (const std::uint32_t column : columns) {
    const std::uint8_t group = schema.columns[column].group;
    const BlockRef at = file.group_block(block, group);
    if (request_of[group] != SIZE_MAX || at.length == 0) continue;
    request_of[group] = requests.size();
    requests.push_back({at, nullptr});
  }
  COPPICE_TRY(source.fetch(requests));
  to.keys = to.entry.keys.length != 0 ? requests[0].block : nullptr;
  if (to.keys != nullptr && to.keys->keys().rows() != to.entry.rows)
    return block_corrupt(to.entry.keys, "of another number of rows");
  to.columns.clear();
  to.zones.clear();
  for (const std::uint32_t position : columns) {
    const Column& column = schema.columns[position];
    Zone& zone = to.zones.emplace_back();
    if (request_of[column.group] == SIZE_MAX) {
      const bool is_younger = (file.properties().all_groups() >> column.group & 1) == 0;
      to.columns.push_back(
          Vector::constant(column.missing_value(), is_younger ? to.entry.rows : 0));
      if (is_younger && !column.missing_value().null) zone.add(zone_of(column.missing_value()));
      continue;
    }
    const LoadedBlockRef& loaded = requests[request_of[column.group]].block;
    const Minipage* minipage = loaded->rows().find(column.id);
    if (minipage == nullptr) {
      to.columns.push_back(Vector::constant(column.missing_value(), loaded->rows().rows()));
      if (!column.missing_value().null) zone.add(zone_of(column.missing_value()));
      continue;
    }
    if (minipage->header.type != column.type)
      return block_corrupt(loaded->place(), "column of another type");
    zone = minipage->header.zone;
    if (minipage->wide) {
      Vector wide = COPPICE_TRY(load_wide(file, *minipage, loaded, source));
      to.columns.push_back(std::move(wide));
    } else {
      to.columns.push_back(minipage->values);
      to.columns.back().set_owner(loaded);
    }
  }
  return {};
}

Result<KeptChunks> kept_chunks(const RowFileReader& file, std::uint32_t block, ColumnId column,
                               std::uint32_t group, BlockSource& source) {
  BlockRequest request{file.group_block(block, group), nullptr};
  if (request.at.length == 0) return fail(Code::kNotFound, "no row has the group");
  COPPICE_TRY(source.fetch({&request, 1}));
  const Minipage* minipage = request.block->rows().find(column);
  if (minipage == nullptr || !minipage->wide) return fail(Code::kNotFound, "not a wide column");
  KeptChunks kept;
  kept.column = column;
  kept.zone = minipage->header.zone;
  const std::vector<Extent>& extents = file.properties().extents;
  for (std::uint32_t i = 0; i < minipage->wide->chunk_count(); ++i) {
    const ChunkPlace chunk = minipage->wide->chunk(i);
    const BlockRef at =
        COPPICE_TRY(file.place_of(chunk.extent, chunk.offset, chunk.length, BlockKind::kChunk));
    kept.chunks.push_back({chunk.first_row, at, extents[chunk.extent], {}});
  }
  for (std::uint32_t i = 0; i < minipage->wide->overflow_count(); ++i) {
    const OverflowPlace place = minipage->wide->overflow(i);
    COPPICE_TRY(file.place_of(place.extent, place.offset, place.length, BlockKind::kOverflow));
    kept.overflows.push_back({place, extents[place.extent]});
  }
  return kept;
}

}  // namespace coppice::lsm
