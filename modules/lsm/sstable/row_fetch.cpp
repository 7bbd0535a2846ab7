#include "modules/lsm/sstable/row_fetch.h"

#include <algorithm>
#include <deque>

#include "kernel/base/assert.h"
#include "kernel/base/coding.h"
#include "modules/lsm/sstable/row_file_reader.h"

namespace coppice::lsm {
namespace {

constexpr std::size_t kRequestsCompared = 8;  // rows come in egid order: look at the last few
constexpr std::uint32_t kChainPiecesAtOnce = 64;

}  // namespace

RowFetch::RowFetch(const TableSchema& schema, Hlc read_at, std::span<const std::uint32_t> columns,
                   std::span<const Egid> egids)
    : schema_(schema), read_at_(read_at), columns_(columns.begin(), columns.end()) {
  for (const std::uint32_t column : columns_) {
    wanted_ |= GroupMask{1} << schema.columns[column].group;
    if (is_bytes(schema.columns[column].type))
      wanted_bytes_ |= GroupMask{1} << schema.columns[column].group;
  }
  rows_.reserve(egids.size());
  values_.reserve(egids.size() * columns_.size());
  for (const Egid egid : egids) {
    rows_.push_back({egid, wanted_, {}, false, false});
    for (const std::uint32_t column : columns_)
      values_.push_back(schema.columns[column].missing_value());
  }
}

GroupMask RowFetch::found(std::uint32_t row, Hlc timestamp, GroupMask mask) {
  Row& state = rows_[row];
  COPPICE_DEBUG_ASSERT(!state.deleted);
  if (!state.seen) state.newest = timestamp;
  state.seen = true;
  const GroupMask supplied = state.missing & mask;
  state.missing &= ~mask;
  return supplied;
}

void RowFetch::found_deleted(std::uint32_t row, Hlc timestamp) {
  Row& state = rows_[row];
  if (!state.seen) {
    state.newest = timestamp;
    state.deleted = true;
  }
  state.seen = true;
  state.missing = 0;
}

ByteView RowFetch::keep_copy(ByteView bytes) {
  return copies_.emplace_back(bytes.begin(), bytes.end());
}

std::uint32_t RowFetch::request(std::vector<BlockRequest>& requests, const BlockRef& at) {
  const std::size_t from =
      requests.size() > kRequestsCompared ? requests.size() - kRequestsCompared : 0;
  for (std::size_t i = requests.size(); i > from; --i)
    if (requests[i - 1].at == at) return static_cast<std::uint32_t>(i - 1);
  requests.push_back({at, nullptr});
  return static_cast<std::uint32_t>(requests.size() - 1);
}

void RowFetch::claim(std::uint32_t row, std::uint32_t group, const RowFileReader& file,
                     const BlockRef& at, std::uint32_t position) {
  claims_.push_back({row, group, request(requests_, at), position, &file});
}

Status RowFetch::read(BlockSource& source) {
  if (!requests_.empty()) COPPICE_TRY(source.fetch(requests_));
  for (const GroupClaim& claim : claims_) COPPICE_TRY(resolve(claim));
  claims_.clear();
  COPPICE_TRY(read_chunks(source));
  return {};
}

Status RowFetch::resolve(const GroupClaim& claim) {
  const BlockRequest& request = requests_[claim.request];
  const RowBlock& block = request.block->rows();
  if (claim.position >= block.rows() || block.info().group != claim.group)
    return block_corrupt(request.at, "does not have the row that the index says");
  for (std::uint32_t i = 0; i < columns_.size(); ++i) {
    const Column& column = schema_.columns[columns_[i]];
    if (column.group != claim.group) continue;
    const Minipage* minipage = block.find(column.id);
    if (minipage == nullptr) continue;  // older than the column: keeps its missing value
    if (minipage->header.type != column.type)
      return block_corrupt(request.at, "column of another type");
    if (minipage->wide && !minipage->values.is_null(claim.position))
      COPPICE_TRY(resolve_wide(claim, i, *minipage));
    else
      set(claim.row, i, minipage->values.datum_at(claim.position));
  }
  return {};
}

Status RowFetch::resolve_wide(const GroupClaim& claim, std::uint32_t column,
                              const Minipage& minipage) {
  const WideDirectory& directory = *minipage.wide;
  ValueClaim value{claim.row, column, 0, claim.position, false, {}, claim.file};
  if (const auto overflow = directory.find_overflow(claim.position)) {
    value.is_long = true;
    value.overflow = *overflow;
  } else {
    const ChunkPlace chunk = directory.chunk(directory.chunk_of(claim.position));
    const BlockRef at = COPPICE_TRY(
        claim.file->place_of(chunk.extent, chunk.offset, chunk.length, BlockKind::kChunk));
    value.request = request(chunk_requests_, at);
    value.position = claim.position - chunk.first_row;
  }
  value_claims_.push_back(value);
  return {};
}

Status RowFetch::read_chunks(BlockSource& source) {
  if (!chunk_requests_.empty()) COPPICE_TRY(source.fetch(chunk_requests_));
  for (const ValueClaim& claim : value_claims_) {
    if (claim.is_long) {
      COPPICE_TRY(read_long(source, claim));
      continue;
    }
    const BlockRequest& request = chunk_requests_[claim.request];
    if (claim.position >= request.block->chunk().rows())
      return block_corrupt(request.at, "does not have the row that its directory says");
    set(claim.row, claim.column, Datum::of(request.block->chunk().value(claim.position)));
  }
  value_claims_.clear();
  return {};
}

Status RowFetch::read_long(BlockSource& source, const ValueClaim& claim) {
  const BlockRef at = COPPICE_TRY(
      claim.file->place_of(claim.overflow.extent, claim.overflow.offset, claim.overflow.length,
                           claim.overflow.chain ? BlockKind::kChain : BlockKind::kOverflow));
  ByteBuffer bytes = COPPICE_TRY(read_long_value(at, claim.overflow.value_bytes, source));
  copies_.push_back(std::move(bytes));
  set(claim.row, claim.column, Datum::of(ByteView(copies_.back())));
  return {};
}

Result<ByteBuffer> read_long_value(const BlockRef& at, std::uint64_t value_bytes,
                                   BlockSource& source) {
  BlockRequest head{at, nullptr};
  COPPICE_TRY(source.fetch({&head, 1}));
  const ByteView raw = head.block->chunk().raw();
  ByteBuffer value;
  if (at.kind == BlockKind::kOverflow) {
    append(value, raw);
  } else {
    ByteReader reader(raw);
    while (reader.remaining() > 0) {
      std::vector<BlockRequest> pieces;
      while (reader.remaining() > 0 && pieces.size() < kChainPiecesAtOnce) {
        const std::uint64_t offset = reader.u64();
        pieces.push_back({{at.file, offset, reader.u32(), BlockKind::kOverflow}, nullptr});
      }
      if (!reader.ok()) return block_corrupt(at, "malformed");
      COPPICE_TRY(source.fetch(pieces));
      for (const BlockRequest& piece : pieces) append(value, piece.block->chunk().raw());
      if (value.size() > value_bytes) break;
    }
  }
  if (value.size() != value_bytes) return block_corrupt(at, "value of another length");
  return value;
}

RowBatch RowFetch::to_batch() const {
  struct Storage {
    VectorBuffer egids{PhysicalType::kInt64};
    std::deque<VectorBuffer> columns;
  };
  auto storage = std::make_shared<Storage>();
  for (const std::uint32_t column : columns_)
    storage->columns.emplace_back(schema_.columns[column].type);
  RowBatch batch;
  for (std::uint32_t row = 0; row < rows(); ++row) {
    if (!exists(row)) continue;
    ++batch.rows;
    storage->egids.append(Datum::of(static_cast<std::int64_t>(rows_[row].egid)));
    for (std::uint32_t i = 0; i < columns_.size(); ++i) storage->columns[i].append(value(row, i));
  }
  batch.selection = Selection::all(batch.rows);
  batch.egids = storage->egids.view();
  batch.egids.set_owner(storage);
  for (VectorBuffer& column : storage->columns) {
    batch.columns.push_back(column.view());
    batch.columns.back().set_owner(storage);
  }
  return batch;
}

}  // namespace coppice::lsm
