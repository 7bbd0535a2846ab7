// wide_writer.h — writes the chunks of wide columns as they fill.
//
// Role:     part of RowFileBuilder. Everything written between open and close is one extent, which
//           later files may refer to.
// Errors:   the sink's; kLimitExceeded for a value above kValueBytesMax or too many extents.
#pragma once

#include <vector>

#include "interfaces/types/vector_buffer.h"
#include "modules/lsm/sstable/row_file_format.h"
#include "modules/lsm/sstable/sink_writer.h"
#include "modules/lsm/sstable/wide_chunk.h"
#include "modules/lsm/sstable/wide_directory.h"

namespace coppice::lsm {

inline constexpr std::uint64_t kValueBytesMax = 1_GiB;

class WideWriter {
 public:
  // `extents` becomes the file's extent table.
  WideWriter(SinkWriter& out, const WideDictionary* dictionary, std::vector<Extent>& extents)
      : out_(out), dictionary_(dictionary), extents_(extents) {}

  // Rows [from, to) of `values` as chunks; nulls and overflowed values take no bytes.
  Status write_chunks(const Vector& values, std::uint32_t from, std::uint32_t to,
                      WideDirectoryWriter& directory);
  // A long value, as one overflow chunk or as a chain. `row` of the place is left 0.
  Result<OverflowPlace> write_overflow(ByteView value);
  // A chunk of another file, as it is stored there. Checks its checksum, gives it its new one.
  Result<ChunkPlace> copy_chunk(const BlockRef& from, ByteView stored);
  // The position of an extent of another file in the table.
  Result<std::uint32_t> foreign_extent(const Extent& extent);
  // Ends the extent, if one was begun.
  void close_extent();
  std::uint64_t bytes() const { return bytes_; }

 private:
  Status open_extent();
  Result<BlockRef> write(BlockKind kind, MutableByteView block);
  Status finish_chunk(std::uint32_t first_row, WideDirectoryWriter& directory);

  SinkWriter& out_;
  const WideDictionary* dictionary_;
  std::vector<Extent>& extents_;
  WideEncoder encoder_;
  WideChunkBuilder chunk_;
  ByteBuffer scratch_;
  bool open_ = false;
  std::uint32_t extent_ = 0;  // the open one
  std::uint64_t bytes_ = 0;
};

}  // namespace coppice::lsm
