#include "modules/lsm/sstable/block_format.h"

#include <array>

#include "kernel/base/assert.h"
#include "kernel/base/checksum.h"

namespace coppice::lsm {
namespace {

std::string_view kind_name(BlockKind kind) {
  switch (kind) {
    case BlockKind::kGroup:
      return "group block";
    case BlockKind::kKeys:
      return "key block";
    case BlockKind::kHistory:
      return "history block";
    case BlockKind::kIndex:
      return "index block";
    case BlockKind::kChunk:
      return "wide chunk";
    case BlockKind::kOverflow:
      return "overflow chunk";
    case BlockKind::kChain:
      return "overflow chain";
    case BlockKind::kDictionary:
      return "dictionary";
    case BlockKind::kProperties:
      return "properties";
    case BlockKind::kEntries:
      return "index entries";
    case BlockKind::kPart:
      return "posting part";
    case BlockKind::kUnique:
      return "unique entries";
    case BlockKind::kPartition:
      return "index partition";
    case BlockKind::kFilter:
      return "filter";
    case BlockKind::kTop:
      return "top index";
  }
  return "block";
}

}  // namespace

std::uint64_t block_seed(std::uint64_t file, std::uint64_t offset) {
  std::array<std::byte, 16> place;
  store_le(place.data(), file);
  store_le(place.data() + 8, offset);
  return xxh3_64(place);
}

std::unexpected<Error> block_corrupt(const BlockRef& at, std::string_view what) {
  std::string message = "file " + std::to_string(at.file) + " offset " + std::to_string(at.offset);
  message += ": ";
  message += kind_name(at.kind);
  message += ": ";
  message += what;
  return fail(Code::kCorruption, std::move(message));
}

void seal_block(MutableByteView block, std::uint64_t file, std::uint64_t offset) {
  COPPICE_ASSERT(block.size() >= kChecksumBytes);
  store_le(block.data(), xxh3_64(block.subspan(kChecksumBytes), block_seed(file, offset)));
}

Status verify_block(const BlockRef& at, ByteView block) {
  if (block.size() != at.length || block.size() < kChecksumBytes)
    return block_corrupt(at, "shorter than its reference says");
  const auto stored = load_le<std::uint64_t>(block.data());
  if (stored != xxh3_64(block.subspan(kChecksumBytes), block_seed(at.file, at.offset)))
    return block_corrupt(at, "checksum mismatch");
  return {};
}

}  // namespace coppice::lsm
