// row_file_format.h — the parts of a row file that are not row blocks: properties and footer.
//
// Role:     docs/formats/sstable.md, "Row files". All offsets count from the start of the file on
//           disk, so that a file may hold the sections of many trees.
// Errors:   decoding gives kCorruption naming file and offset, or kUnsupportedVersion.
#pragma once

#include <vector>

#include "interfaces/types/egid.h"
#include "interfaces/types/hlc.h"
#include "interfaces/types/schema.h"
#include "modules/lsm/sstable/block_format.h"
#include "modules/lsm/sstable/zone.h"

namespace coppice::lsm {

inline constexpr std::uint64_t kRowFileMagic = 0x53574f5250504f43;  // "COPPROWS"
inline constexpr std::uint32_t kRowFileVersion = 1;
inline constexpr std::uint32_t kFooterBytes = 64;
inline constexpr std::uint32_t kBlocksPerStripe = 64;  // of one group, side by side
inline constexpr std::uint32_t kExtentsMax = 65'000;
inline constexpr std::uint32_t kPropertiesBytesMax = 16 << 20;
inline constexpr std::uint32_t kIndexBlocksMax = 65'536;

// Columns of the block index; one entry per 1,024 rows.
inline constexpr ColumnId kIndexFirstEgid{0};
inline constexpr ColumnId kIndexLastEgid{1};
inline constexpr ColumnId kIndexRows{2};
inline constexpr ColumnId kIndexMinTimestamp{3};
inline constexpr ColumnId kIndexMaxTimestamp{4};
inline constexpr ColumnId kIndexKeysOffset{5};
inline constexpr ColumnId kIndexKeysLength{6};    // 0: dense, one timestamp, all groups, none older
inline constexpr std::uint16_t kIndexGroups = 8;  // then offset and length of each group's block
constexpr ColumnId index_group_offset(std::uint32_t group) {
  return {static_cast<std::uint16_t>(kIndexGroups + 2 * group)};
}
constexpr ColumnId index_group_length(std::uint32_t group) {
  return {static_cast<std::uint16_t>(kIndexGroups + 2 * group + 1)};
}

// Columns of the history index; one entry per history block.
inline constexpr ColumnId kHistoryFirstEgid{0};
inline constexpr ColumnId kHistoryFirstTimestamp{1};
inline constexpr ColumnId kHistoryOffset{2};
inline constexpr ColumnId kHistoryLength{3};

// Further columns of history blocks: the tuple, or where it is if longer than kInlineValueMax.
inline constexpr ColumnId kHistoryTuple{4};
inline constexpr ColumnId kHistoryLongOffset{5};
inline constexpr ColumnId kHistoryLongLength{6};  // 0: the tuple is inline
inline constexpr ColumnId kHistoryLongBytes{7};
inline constexpr ColumnId kHistoryLongChain{8};

struct Extent {  // of wide chunks, here or in another file
  std::uint64_t file = 0;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  friend bool operator==(const Extent&, const Extent&) = default;
};

struct ColumnSummary {
  ColumnId id;
  PhysicalType type = PhysicalType::kInt64;
  std::uint8_t group = 0;
  std::uint64_t null_count = 0;
  Zone zone;  // of newest versions; older ones may lie outside
};

struct RowFileProperties {
  std::uint64_t file = 0;
  std::uint64_t start = 0;  // of this section
  std::uint32_t schema_version = 0;
  std::uint64_t rows = 0;  // newest versions, tombstones included
  std::uint64_t tombstones = 0;
  std::uint64_t older_versions = 0;  // in the history area
  Egid min_egid = 0, max_egid = 0;
  Hlc min_timestamp, max_timestamp;    // of all versions
  std::vector<ColumnSummary> columns;  // in tuple order
  std::vector<Extent> extents;         // that chunk directories refer to
  std::vector<BlockRef> index;         // blocks of the block index
  std::vector<BlockRef> history_index;
  std::vector<BlockRef> dictionaries;
  std::uint64_t keys_offset = 0, keys_length = 0;  // the key blocks, side by side
  std::uint64_t wide_bytes = 0;                    // of chunks written here

  GroupMask all_groups() const;
  std::vector<std::uint32_t> columns_of(GroupMask mask) const;
};

void append_properties(const RowFileProperties& properties, ByteBuffer& to);  // unsealed block
Result<RowFileProperties> read_properties(const BlockRef& at, ByteView block,
                                          Verify verify = Verify::kChecksum);

struct RowFileFooter {
  BlockRef properties;
  std::uint64_t end = 0;  // of the section: the footer's last byte plus one
};

// `at` is where the footer starts.
void append_footer(const RowFileFooter& footer, std::uint64_t file, std::uint64_t at,
                   ByteBuffer& to);
Result<RowFileFooter> read_footer(std::uint64_t file, std::uint64_t at, ByteView bytes,
                                  Verify verify = Verify::kChecksum);

// A dictionary on disk: checksum, u32 magic, u32 id, content.
inline constexpr std::uint32_t kDictionaryMagic = 0x31445743;  // "CWD1"
inline constexpr std::uint32_t kDictionaryHeaderBytes = 16;

}  // namespace coppice::lsm
