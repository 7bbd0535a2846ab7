// minipage.h — one column of a row block: choosing an encoding, writing it, reading it in place.
//
// Role:     docs/formats/sstable.md, "Minipages".
// Errors:   open_minipage: a reason, for the block to report with its place.
// Source:   after PAX (Ailamaki et al., VLDB 2001) and Pebble's colblk (sstable/colblk/uints.go).
#pragma once

#include <optional>

#include "interfaces/types/egid.h"
#include "interfaces/types/schema.h"
#include "interfaces/types/vector_buffer.h"
#include "modules/lsm/sstable/wide_directory.h"
#include "modules/lsm/sstable/zone.h"

namespace coppice::lsm {

inline constexpr std::uint32_t kDictionaryEntriesMax = 4096;
inline constexpr std::size_t kNarrowMinipageMax = 16_KiB;  // above it a bytes column is wide

// Encodings of minipages are those of vectors, and one more.
inline constexpr std::uint8_t kWideEncoding = 16;

struct MinipageHeader {  // 32 bytes in the block's directory
  static constexpr std::size_t kBytes = 32;

  ColumnId column;
  PhysicalType type = PhysicalType::kInt64;
  std::uint8_t encoding = 0;
  std::uint8_t width = 0;
  bool has_null_bitmap = false;
  std::uint16_t null_count = 0;
  std::uint32_t offset = 0;  // from the start of the block
  std::uint32_t length = 0;
  Zone zone;

  void write(std::byte* to) const;
  // Nothing when a field has an impossible value.
  static std::optional<MinipageHeader> read(const std::byte* from);
};

// Whether the plain form of a bytes column would be too long for a narrow block.
bool is_wide(const VectorBuffer& values);

// Appends the minipage in its smallest form; fills everything in the header but offset and length.
void append_minipage(const VectorBuffer& values, MinipageHeader& header, ByteBuffer& to);
// A column whose values are in chunks: null bitmap, then the directory.
void append_wide_minipage(const VectorBuffer& nulls, const WideDirectoryWriter& directory,
                          MinipageHeader& header, ByteBuffer& to);

// A minipage, ready to be read. Address must not change while `values` is in use.
struct Minipage {
  MinipageHeader header;
  Vector values;      // for a wide column: its nulls only
  Vector dictionary;  // what `values` points to if dictionary encoded
  std::optional<WideDirectory> wide;
};

// Views `block`, which must have kBitPackingSlack bytes after the minipage. Checks everything that
// reading relies on. Gives the reason on failure, null on success.
const char* open_minipage(const MinipageHeader& header, std::uint32_t rows, ByteView block,
                          Minipage& to);

}  // namespace coppice::lsm
