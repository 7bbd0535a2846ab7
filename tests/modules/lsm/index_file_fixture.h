// index_file_fixture.h — index files in memory: bytes, an opened file, and its blocks.
#pragma once

#include <doctest/doctest.h>

#include <map>
#include <memory>

#include "modules/lsm/sstable/index_file.h"

namespace coppice::lsm {

// Bytes of one file, as a disk would hold them.
class MemoryBlocks final : public IndexBlocks {
 public:
  explicit MemoryBlocks(CodecSet codecs = {}, Verify verify = Verify::kChecksum)
      : codecs_(codecs), verify_(verify) {}

  ByteBuffer bytes;
  std::uint64_t base = 0;  // file offset of bytes[0]
  std::size_t reads = 0;

  IndexSink sink() {
    return [this](ByteView more) -> Status {
      append(bytes, more);
      return {};
    };
  }
  BlockPin find(const BlockRef& at) override {
    const auto block = blocks_.find(at.offset);
    return block == blocks_.end() ? BlockPin() : BlockPin(nullptr, nullptr, block->second.get());
  }
  Result<BlockPin> read(const BlockRef& at) override {
    if (BlockPin pin = find(at)) return pin;
    ++reads;
    if (at.offset < base || at.length > bytes.size() ||
        at.offset - base > bytes.size() - at.length) {
      return block_corrupt(at, "beyond the file");
    }
    const ByteView stored = ByteView(bytes).subspan(at.offset - base, at.length);
    auto block = COPPICE_TRY(IndexBlock::open(at, stored, codecs_, verify_));
    blocks_[at.offset] = std::move(block);
    return find(at);
  }
  void forget() { blocks_.clear(); }

  Result<IndexFile> open(std::uint64_t file) {
    const IndexExtent footer = IndexFile::footer_extent(base, bytes.size());
    if (bytes.size() < kIndexFooterBytes) return fail(Code::kCorruption, "short file");
    const ByteView footer_bytes = ByteView(bytes).last(kIndexFooterBytes);
    const IndexExtent tail =
        COPPICE_TRY(IndexFile::tail_extent(file, footer, footer_bytes, verify_));
    if (tail.offset < base || tail.offset - base + tail.length > bytes.size()) {
      return fail(Code::kCorruption, "tail beyond the file");
    }
    return IndexFile::open(file, footer, footer_bytes,
                           ByteView(bytes).subspan(tail.offset - base, tail.length), codecs_,
                           verify_);
  }

 private:
  CodecSet codecs_;
  Verify verify_;
  std::map<std::uint64_t, std::unique_ptr<IndexBlock>> blocks_;
};

// Drives a lookup to its end, reading what it misses; gives the number of rounds of reads.
template <class Lookup>
Result<int> run_lookup(Lookup& lookup, IndexBlocks& blocks) {
  for (int rounds = 0;; ++rounds) {
    const bool done = COPPICE_TRY(lookup.advance(blocks));
    if (done) return rounds;
    for (const BlockRef& at : lookup.missing()) COPPICE_TRY(blocks.read(at));
  }
}

inline ByteBuffer text_key(std::string_view text) {
  const ByteView bytes = as_bytes(text);
  return {bytes.begin(), bytes.end()};
}

}  // namespace coppice::lsm
