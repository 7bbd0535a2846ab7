// block_format.h — what every block of a row file shares: where it is, its seed, its errors.
//
// Role:     docs/formats/sstable.md, "Blocks". A block is the unit of reading and of checksums.
// Errors:   kCorruption, naming file and offset.
#pragma once

#include <string_view>

#include "kernel/base/bytes.h"
#include "kernel/base/result.h"

namespace coppice::lsm {

enum class BlockKind : std::uint8_t {  // the numbers are part of the disk format
  kGroup = 1,                          // 1,024 rows of one column group
  kKeys = 2,                           // egids, timestamps, masks and flags of 1,024 rows
  kHistory = 3,                        // older versions
  kIndex = 4,                          // where blocks are
  kChunk = 5,                          // values of a wide column
  kOverflow = 6,                       // one long value, or a piece of it
  kChain = 7,                          // where the pieces of a very long value are
  kDictionary = 8,                     // of the wide codec
  kProperties = 9,
  kEntries = 16,    // keys of an index, their parts or where those are (docs/formats/index.md)
  kPart = 17,       // one long posting part
  kUnique = 18,     // keys of a unique index and their rows
  kPartition = 19,  // where blocks of keys are
  kFilter = 20,     // Bloom filter of a partition
  kTop = 21,        // where partitions are
};

// Where a block is. `offset` counts from the start of the file on disk, not of a bundle's section.
struct BlockRef {
  std::uint64_t file = 0;
  std::uint64_t offset = 0;
  std::uint32_t length = 0;
  BlockKind kind = BlockKind::kGroup;
  friend bool operator==(const BlockRef&, const BlockRef&) = default;
};

// Checksums are seeded with the place, so that a block read from the wrong place is caught.
std::uint64_t block_seed(std::uint64_t file, std::uint64_t offset);

// kCorruption: "file 7 offset 4096: row block: checksum mismatch".
std::unexpected<Error> block_corrupt(const BlockRef& at, std::string_view what);

// A block starts with its checksum, XXH3-64 over the rest of it.
inline constexpr std::size_t kChecksumBytes = 8;
void seal_block(MutableByteView block, std::uint64_t file, std::uint64_t offset);
Status verify_block(const BlockRef& at, ByteView block);

// Fuzz targets skip the checksum, so that the checks of structure are reached.
enum class Verify : std::uint8_t { kChecksum, kStructureOnly };

}  // namespace coppice::lsm
