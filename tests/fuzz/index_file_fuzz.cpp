// index_file_fuzz.cpp — index files from arbitrary bytes, checksums passed over, so that the checks
// of structure are reached.
//
// Input: the first byte chooses. Either the rest is a payload of one kind of block, or edits
// (offset u16, byte) of a small valid file, which is then opened and walked both ways.
#include <map>
#include <memory>

#include "modules/lsm/sstable/index_posting_file.h"
#include "modules/lsm/sstable/index_unique.h"

using namespace coppice;
using namespace coppice::lsm;

namespace {

constexpr int kStepsMax = 2000;

class FuzzBlocks final : public IndexBlocks {
 public:
  explicit FuzzBlocks(ByteBuffer& bytes) : bytes_(bytes) {}
  BlockPin find(const BlockRef& at) override {
    const auto block = blocks_.find({at.offset, at.kind});
    return block == blocks_.end() ? BlockPin() : BlockPin(nullptr, nullptr, block->second.get());
  }
  Result<BlockPin> read(const BlockRef& at) override {
    if (BlockPin pin = find(at)) return pin;
    if (at.length > bytes_.size() || at.offset > bytes_.size() - at.length) {
      return block_corrupt(at, "beyond the file");
    }
    const ByteView stored = ByteView(bytes_).subspan(at.offset, at.length);
    auto block = COPPICE_TRY(IndexBlock::open(at, stored, {}, Verify::kStructureOnly));
    blocks_[{at.offset, at.kind}] = std::move(block);
    return find(at);
  }
  Result<IndexFile> open() {
    const IndexExtent footer = IndexFile::footer_extent(0, bytes_.size());
    if (bytes_.size() < kIndexFooterBytes) return fail(Code::kCorruption, "short");
    const ByteView footer_bytes = ByteView(bytes_).last(kIndexFooterBytes);
    const IndexExtent tail =
        COPPICE_TRY(IndexFile::tail_extent(1, footer, footer_bytes, Verify::kStructureOnly));
    if (tail.length > bytes_.size() || tail.offset > bytes_.size() - tail.length) {
      return fail(Code::kCorruption, "tail beyond the file");
    }
    return IndexFile::open(1, footer, footer_bytes,
                           ByteView(bytes_).subspan(tail.offset, tail.length), {},
                           Verify::kStructureOnly);
  }

 private:
  ByteBuffer& bytes_;
  std::map<std::pair<std::uint64_t, BlockKind>, std::unique_ptr<IndexBlock>> blocks_;
};

const ByteBuffer& valid_postings() {
  static const ByteBuffer bytes = [] {
    ByteBuffer made;
    IndexFileBuilder builder({.file = 1}, [&](ByteView more) -> Status {
      append(made, more);
      return {};
    });
    for (int key = 0; key < 60; ++key) {
      const std::string text = "key" + std::to_string(100 + key);
      for (Egid egid = 0; egid < (key == 30 ? 3000u : 5u); ++egid) {
        (void)builder.add(as_bytes(text), {egid * 977, Stamp::add({egid / 7})});
      }
    }
    (void)builder.finish();
    return made;
  }();
  return bytes;
}

const ByteBuffer& valid_unique() {
  static const ByteBuffer bytes = [] {
    ByteBuffer made;
    UniqueFileBuilder builder({.file = 1}, [&](ByteView more) -> Status {
      append(made, more);
      return {};
    });
    for (int key = 0; key < 3000; ++key) {
      const std::string text =
          "key" + std::to_string(10000 + key) + std::string(static_cast<std::size_t>(key) % 3, 'x');
      const PostingOp op{static_cast<Egid>(key), Stamp::add({static_cast<std::uint64_t>(key)})};
      (void)builder.add(as_bytes(text), {&op, 1});
    }
    (void)builder.finish();
    return made;
  }();
  return bytes;
}

template <class Lookup>
void drive(Lookup& lookup, IndexBlocks& blocks) {
  for (int rounds = 0; rounds < 10; ++rounds) {
    const auto done = lookup.advance(blocks);
    if (!done || *done) return;
    for (const BlockRef& at : lookup.missing()) {
      if (!blocks.read(at)) return;
    }
  }
}

void walk_file(ByteBuffer bytes) {
  FuzzBlocks blocks(bytes);
  const auto file = blocks.open();
  if (!file) return;
  int steps = 0;
  if (file->properties().kind == IndexFileKind::kPostings) {
    IndexFileCursor cursor(*file, blocks);
    for (auto more = cursor.first(); more && *more && ++steps < kStepsMax; more = cursor.next()) {
      (void)cursor.part();
    }
    for (auto more = cursor.last(); more && *more && ++steps < kStepsMax;) more = cursor.previous();
    IndexLookup lookup(*file, as_bytes("key130"), IndexLookup::Want::kParts, 500, 90'000);
    drive(lookup, blocks);
    return;
  }
  UniqueFileCursor cursor(*file, blocks);
  for (auto more = cursor.first(); more && *more && ++steps < kStepsMax;) more = cursor.next();
  for (auto more = cursor.last(); more && *more && ++steps < kStepsMax;) more = cursor.previous();
  UniqueLookup lookup(*file, as_bytes("key11000"), Hlc::max());
  drive(lookup, blocks);
}

void walk_payload(ByteView payload) {
  EntryCursor cursor(payload);
  int steps = 0;
  for (bool more = cursor.first(); more && ++steps < kStepsMax;) more = cursor.next();
  for (bool more = cursor.last(); more && ++steps < kStepsMax;) more = cursor.previous();
  cursor.seek(as_bytes("key130"), 7);
  (void)filter_may_contain(payload, filter_hash(payload));
  const auto block = UniqueBlock::parse({}, payload);
  if (!block) return;
  ByteBuffer scratch;
  for (std::size_t i = 0; i < block->size() && i < kStepsMax; ++i) {
    (void)block->key(i, scratch);
    (void)block->entry(i);
  }
  (void)block->lower_bound(as_bytes("key11000"), scratch);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::span rest(data + 1, size - 1);
  if (data[0] % 3 == 0) {
    walk_payload(std::as_bytes(rest));
    return 0;
  }
  ByteBuffer bytes = data[0] % 3 == 1 ? valid_postings() : valid_unique();
  const bool from_end = (data[0] & 0x80) != 0;  // where the pointers are
  for (std::size_t i = 0; i + 2 < rest.size(); i += 3) {
    const std::size_t offset = (rest[i] | std::size_t{rest[i + 1]} << 8) % bytes.size();
    bytes[from_end ? bytes.size() - 1 - offset : offset] = std::byte{rest[i + 2]};
  }
  walk_file(std::move(bytes));
  return 0;
}
