#include "modules/lsm/sstable/row_block.h"

#include <algorithm>

#include "kernel/base/assert.h"
#include "kernel/base/coding.h"

namespace coppice::lsm {
namespace {

// Byte positions in the header.
constexpr std::size_t kMagicAt = 8;
constexpr std::size_t kKindAt = 12;
constexpr std::size_t kGroupAt = 13;
constexpr std::size_t kRowsAt = 14;
constexpr std::size_t kLengthAt = 16;
constexpr std::size_t kSchemaAt = 20;
constexpr std::size_t kColumnsAt = 24;
constexpr std::size_t kReservedAt = 26;  // 6 bytes, zero
constexpr std::size_t kFirstEgidAt = 32;

}  // namespace

RowBlockWriter::RowBlockWriter(const RowBlockInfo& info, std::uint32_t rows, std::uint32_t columns)
    : rows_(rows), columns_(columns) {
  COPPICE_ASSERT(rows >= 1 && rows <= kVectorRows && columns <= kBlockColumnsMax);
  bytes_.resize(kRowBlockHeaderBytes + columns * MinipageHeader::kBytes);
  store_le(bytes_.data() + kMagicAt, kRowBlockMagic);
  bytes_[kKindAt] = static_cast<std::byte>(info.kind);
  bytes_[kGroupAt] = static_cast<std::byte>(info.group);
  store_le(bytes_.data() + kRowsAt, static_cast<std::uint16_t>(rows));
  store_le(bytes_.data() + kSchemaAt, info.schema_version);
  store_le(bytes_.data() + kColumnsAt, static_cast<std::uint16_t>(columns));
  store_le(bytes_.data() + kFirstEgidAt, info.first_egid);
  headers_.reserve(columns);
}

MinipageHeader& RowBlockWriter::begin(ColumnId id, std::uint32_t size) {
  COPPICE_ASSERT(headers_.size() < columns_ && size == rows_);
  MinipageHeader& header = headers_.emplace_back();
  header.column = id;
  header.offset = static_cast<std::uint32_t>(bytes_.size());
  return header;
}

void RowBlockWriter::end(MinipageHeader& header) {
  header.length = static_cast<std::uint32_t>(bytes_.size()) - header.offset;
  header.write(bytes_.data() + kRowBlockHeaderBytes +
               (headers_.size() - 1) * MinipageHeader::kBytes);
}

const MinipageHeader& RowBlockWriter::add(ColumnId id, const VectorBuffer& values) {
  MinipageHeader& header = begin(id, values.size());
  append_minipage(values, header, bytes_);
  end(header);
  return header;
}

const MinipageHeader& RowBlockWriter::add_wide(ColumnId id, const VectorBuffer& nulls,
                                               const WideDirectoryWriter& directory,
                                               const Zone& zone) {
  MinipageHeader& header = begin(id, nulls.size());
  header.zone = zone;
  append_wide_minipage(nulls, directory, header, bytes_);
  end(header);
  return header;
}

ByteBuffer RowBlockWriter::finish() {
  COPPICE_ASSERT(headers_.size() == columns_);
  bytes_.resize(bytes_.size() + kBitPackingSlack);
  store_le(bytes_.data() + kLengthAt, static_cast<std::uint32_t>(bytes_.size()));
  return std::move(bytes_);
}

Result<RowBlock> RowBlock::open(const BlockRef& at, ByteView bytes, Verify verify) {
  if (bytes.size() < kRowBlockHeaderBytes + kBitPackingSlack)
    return block_corrupt(at, "shorter than a header");
  if (verify == Verify::kChecksum) COPPICE_TRY(verify_block(at, bytes));
  const std::byte* from = bytes.data();
  if (load_le<std::uint32_t>(from + kMagicAt) != kRowBlockMagic)
    return block_corrupt(at, "not a row block");
  if (static_cast<BlockKind>(from[kKindAt]) != at.kind) return block_corrupt(at, "of another kind");
  if (load_le<std::uint32_t>(from + kLengthAt) != bytes.size())
    return block_corrupt(at, "of another length");
  if (load_le<std::uint32_t>(from + kReservedAt) != 0 ||
      load_le<std::uint16_t>(from + kReservedAt + 4) != 0)
    return block_corrupt(at, "reserved bytes are in use");
  RowBlock block;
  block.info_ = {at.kind, static_cast<std::uint8_t>(from[kGroupAt]),
                 load_le<std::uint32_t>(from + kSchemaAt),
                 load_le<std::uint64_t>(from + kFirstEgidAt)};
  block.rows_ = load_le<std::uint16_t>(from + kRowsAt);
  const std::uint32_t columns = load_le<std::uint16_t>(from + kColumnsAt);
  if (block.rows_ == 0 || block.rows_ > kVectorRows || columns > kBlockColumnsMax ||
      columns > (bytes.size() - kRowBlockHeaderBytes) / MinipageHeader::kBytes)
    return block_corrupt(at, "impossible number of rows or columns");
  block.columns_.resize(columns);
  for (std::uint32_t i = 0; i < columns; ++i) {
    const auto header =
        MinipageHeader::read(from + kRowBlockHeaderBytes + i * MinipageHeader::kBytes);
    if (!header) return block_corrupt(at, "impossible column header");
    if (const char* reason = open_minipage(*header, block.rows_, bytes, block.columns_[i]))
      return block_corrupt(at, reason);
  }
  return block;
}

const Minipage* RowBlock::find(ColumnId id) const {
  const auto at = std::ranges::find_if(
      columns_, [id](const Minipage& minipage) { return minipage.header.column == id; });
  return at == columns_.end() ? nullptr : &*at;
}

}  // namespace coppice::lsm
