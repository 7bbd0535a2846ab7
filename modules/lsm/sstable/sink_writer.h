// sink_writer.h — bytes on their way into a file, and where they will be.
#pragma once

#include "modules/lsm/sstable/block_format.h"

namespace coppice::lsm {

// Where a file under construction goes.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual Status append(ByteView bytes) = 0;  // may park; copies or writes before it returns
};

class SinkWriter {
 public:
  SinkWriter(ByteSink& sink, std::uint64_t file, std::uint64_t start)
      : sink_(sink), file_(file), offset_(start) {}

  std::uint64_t file() const { return file_; }
  std::uint64_t offset() const { return offset_; }  // of the next byte
  // Seals the block for the place it gets.
  Result<BlockRef> write_block(BlockKind kind, MutableByteView block) {
    const BlockRef at{file_, offset_, static_cast<std::uint32_t>(block.size()), kind};
    seal_block(block, file_, offset_);
    COPPICE_TRY(write(block));
    return at;
  }
  Status write(ByteView bytes) {
    COPPICE_TRY(sink_.append(bytes));
    offset_ += bytes.size();
    return {};
  }

 private:
  ByteSink& sink_;
  std::uint64_t file_;
  std::uint64_t offset_;
};

}  // namespace coppice::lsm
