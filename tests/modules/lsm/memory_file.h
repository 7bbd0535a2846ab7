// memory_file.h — row files in memory: a sink to build them in, a block source to read them from.
#pragma once

#include <algorithm>
#include <map>

#include "modules/lsm/sstable/row_file_builder.h"
#include "modules/lsm/sstable/row_file_reader.h"

namespace coppice::lsm {

class MemorySink final : public ByteSink {
 public:
  explicit MemorySink(ByteBuffer& to) : to_(to) {}
  Status append(ByteView bytes) override {
    coppice::append(to_, bytes);
    return {};
  }

 private:
  ByteBuffer& to_;
};

// Reads from byte buffers by file id; counts what it was asked for. Caches nothing.
class MemorySource final : public BlockSource {
 public:
  std::map<std::uint64_t, ByteBuffer> files;
  WideDictionarySet dictionaries;
  Verify verify = Verify::kChecksum;
  std::uint64_t fetches = 0;
  std::uint64_t blocks = 0;

  Result<ByteBuffer> read(std::uint64_t file, std::uint64_t offset, std::uint32_t length) const {
    const auto found = files.find(file);
    if (found == files.end() || offset > found->second.size() ||
        length > found->second.size() - offset)
      return fail(Code::kIo, "read outside of file " + std::to_string(file));
    const auto from = found->second.begin() + static_cast<std::ptrdiff_t>(offset);
    return ByteBuffer(from, from + length);
  }
  ReadBytes reader_of(std::uint64_t file) const {
    return [this, file](std::uint64_t offset, std::uint32_t length) {
      return read(file, offset, length);
    };
  }
  Status fetch(std::span<BlockRequest> requests) override {
    ++fetches;
    for (BlockRequest& request : requests) {
      if (request.block != nullptr) continue;
      ++blocks;
      ByteBuffer bytes = COPPICE_TRY(read(request.at.file, request.at.offset, request.at.length));
      request.block = COPPICE_TRY(
          LoadedBlock::load(request.at, std::move(bytes), dictionaries, decoder_, verify));
    }
    return {};
  }

 private:
  WideDecoder decoder_;
};

}  // namespace coppice::lsm
