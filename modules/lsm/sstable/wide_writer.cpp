#include "modules/lsm/sstable/wide_writer.h"

#include <algorithm>

#include "kernel/base/assert.h"
#include "kernel/base/coding.h"

namespace coppice::lsm {

Status WideWriter::open_extent() {
  if (open_) return {};
  if (extents_.size() >= kExtentsMax) return fail(Code::kLimitExceeded, "too many wide extents");
  extent_ = static_cast<std::uint32_t>(extents_.size());
  extents_.push_back({out_.file(), out_.offset(), 0});
  open_ = true;
  return {};
}

void WideWriter::close_extent() {
  if (open_) extents_[extent_].length = out_.offset() - extents_[extent_].offset;
  open_ = false;
}

Result<BlockRef> WideWriter::write(BlockKind kind, MutableByteView block) {
  COPPICE_TRY(open_extent());
  bytes_ += block.size();
  return out_.write_block(kind, block);
}

Status WideWriter::finish_chunk(std::uint32_t first_row, WideDirectoryWriter& directory) {
  scratch_.clear();
  chunk_.finish(dictionary_, encoder_, scratch_);
  const BlockRef at = COPPICE_TRY(write(BlockKind::kChunk, scratch_));
  directory.add_chunk({first_row, extent_, at.offset - extents_[extent_].offset, at.length});
  return {};
}

Status WideWriter::write_chunks(const Vector& values, std::uint32_t from, std::uint32_t to,
                                WideDirectoryWriter& directory) {
  std::uint32_t first_row = from;
  for (std::uint32_t row = from; row < to; ++row) {
    const ByteView value = values.is_null(row) ? ByteView() : values.bytes_at(row);
    COPPICE_ASSERT(value.size() <= kInlineValueMax);
    if (!chunk_.takes(value)) {
      COPPICE_TRY(finish_chunk(first_row, directory));
      first_row = row;
    }
    chunk_.add(value);
  }
  if (!chunk_.empty()) COPPICE_TRY(finish_chunk(first_row, directory));
  return {};
}

Result<OverflowPlace> WideWriter::write_overflow(ByteView value) {
  if (value.size() > kValueBytesMax) return fail(Code::kLimitExceeded, "value longer than 1 GiB");
  ByteBuffer links;
  BlockRef at;
  for (std::size_t from = 0; from < value.size(); from += kOverflowPieceBytes) {
    const ByteView piece =
        value.subspan(from, std::min<std::size_t>(kOverflowPieceBytes, value.size() - from));
    scratch_.clear();
    append_chunk(BlockKind::kOverflow, 0, piece, dictionary_, encoder_, scratch_);
    at = COPPICE_TRY(write(BlockKind::kOverflow, scratch_));
    ByteWriter writer(links);
    writer.u64(at.offset);
    writer.u32(at.length);
  }
  OverflowPlace place;
  place.chain = value.size() > kOverflowPieceBytes;
  if (place.chain) {
    scratch_.clear();
    append_chunk(BlockKind::kChain, 0, links, nullptr, encoder_, scratch_);
    at = COPPICE_TRY(write(BlockKind::kChain, scratch_));
  }
  place.extent = extent_;
  place.offset = at.offset - extents_[extent_].offset;
  place.length = at.length;
  place.value_bytes = value.size();
  return place;
}

Result<ChunkPlace> WideWriter::copy_chunk(const BlockRef& from, ByteView stored) {
  COPPICE_TRY(verify_block(from, stored));
  scratch_.assign(stored.begin(), stored.end());
  const BlockRef at = COPPICE_TRY(write(BlockKind::kChunk, scratch_));
  return ChunkPlace{0, extent_, at.offset - extents_[extent_].offset, at.length};
}

Result<std::uint32_t> WideWriter::foreign_extent(const Extent& extent) {
  const auto known = std::ranges::find(extents_, extent);
  if (known == extents_.end()) {
    if (extents_.size() >= kExtentsMax) return fail(Code::kLimitExceeded, "too many wide extents");
    extents_.push_back(extent);
    return static_cast<std::uint32_t>(extents_.size() - 1);
  }
  return static_cast<std::uint32_t>(known - extents_.begin());
}

}  // namespace coppice::lsm
