#include "modules/lsm/sstable/row_file_format.h"

#include "kernel/base/coding.h"

namespace coppice::lsm {
namespace {

constexpr std::uint32_t kPropertiesMagic = 0x31504243;  // "CBP1"

void write_refs(ByteWriter& writer, const std::vector<BlockRef>& refs) {
  writer.varint(refs.size());
  for (const BlockRef& ref : refs) {
    writer.varint(ref.offset);
    writer.varint(ref.length);
  }
}

void read_refs(ByteReader& reader, std::uint64_t file, BlockKind kind,
               std::vector<BlockRef>& refs) {
  const std::uint64_t count = reader.count(2);
  if (count > kIndexBlocksMax) return reader.fail();
  for (std::uint64_t i = 0; i < count && reader.ok(); ++i) {
    BlockRef ref{file, reader.varint(), 0, kind};
    const std::uint64_t length = reader.varint();
    if (length > UINT32_MAX || ref.offset > INT64_MAX) return reader.fail();
    ref.length = static_cast<std::uint32_t>(length);
    refs.push_back(ref);
  }
}

void read_columns(ByteReader& reader, std::vector<ColumnSummary>& columns) {
  const std::uint64_t count = reader.count(2 + 1 + 1 + 1 + 16);
  if (count > kColumnsMax) return reader.fail();
  for (std::uint64_t i = 0; i < count && reader.ok(); ++i) {
    ColumnSummary column;
    column.id = {reader.u16()};
    const std::uint8_t type = reader.u8();
    column.group = reader.u8();
    if (!is_physical_type(type) || column.group >= kGroupsMax) return reader.fail();
    column.type = static_cast<PhysicalType>(type);
    column.null_count = reader.varint();
    column.zone.min = reader.u64();
    column.zone.max = reader.u64();
    columns.push_back(column);
  }
}

void read_extents(ByteReader& reader, std::vector<Extent>& extents) {
  const std::uint64_t count = reader.count(3);
  if (count > kExtentsMax) return reader.fail();
  for (std::uint64_t i = 0; i < count && reader.ok(); ++i) {
    Extent extent;
    extent.file = reader.varint();
    extent.offset = reader.varint();
    extent.length = reader.varint();
    if (extent.offset > INT64_MAX || extent.length > INT64_MAX) return reader.fail();
    extents.push_back(extent);
  }
}

}  // namespace

GroupMask RowFileProperties::all_groups() const {
  GroupMask mask = 0;
  for (const ColumnSummary& column : columns) mask |= GroupMask{1} << column.group;
  return mask;
}

std::vector<std::uint32_t> RowFileProperties::columns_of(GroupMask mask) const {
  std::vector<std::uint32_t> positions;
  for (std::uint32_t i = 0; i < columns.size(); ++i)
    if ((mask >> columns[i].group & 1) != 0) positions.push_back(i);
  return positions;
}

void append_properties(const RowFileProperties& properties, ByteBuffer& to) {
  ByteWriter writer(to);
  writer.zeros(kChecksumBytes);
  writer.u32(kPropertiesMagic);
  writer.u32(properties.schema_version);
  writer.u64(properties.file);
  writer.u64(properties.start);
  writer.varint(properties.rows);
  writer.varint(properties.tombstones);
  writer.varint(properties.older_versions);
  writer.u64(properties.min_egid);
  writer.u64(properties.max_egid);
  writer.u64(properties.min_timestamp.value);
  writer.u64(properties.max_timestamp.value);
  writer.varint(properties.columns.size());
  for (const ColumnSummary& column : properties.columns) {
    writer.u16(column.id.value);
    writer.u8(static_cast<std::uint8_t>(column.type));
    writer.u8(column.group);
    writer.varint(column.null_count);
    writer.u64(column.zone.min);
    writer.u64(column.zone.max);
  }
  writer.varint(properties.extents.size());
  for (const Extent& extent : properties.extents) {
    writer.varint(extent.file);
    writer.varint(extent.offset);
    writer.varint(extent.length);
  }
  write_refs(writer, properties.index);
  write_refs(writer, properties.history_index);
  write_refs(writer, properties.dictionaries);
  writer.varint(properties.keys_offset);
  writer.varint(properties.keys_length);
  writer.varint(properties.wide_bytes);
}

Result<RowFileProperties> read_properties(const BlockRef& at, ByteView block, Verify verify) {
  if (verify == Verify::kChecksum) COPPICE_TRY(verify_block(at, block));
  ByteReader reader(block);
  reader.u64();  // checksum
  if (reader.u32() != kPropertiesMagic) return block_corrupt(at, "not properties");
  RowFileProperties properties;
  properties.schema_version = reader.u32();
  properties.file = reader.u64();
  properties.start = reader.u64();
  properties.rows = reader.varint();
  properties.tombstones = reader.varint();
  properties.older_versions = reader.varint();
  properties.min_egid = reader.u64();
  properties.max_egid = reader.u64();
  properties.min_timestamp = {reader.u64()};
  properties.max_timestamp = {reader.u64()};
  read_columns(reader, properties.columns);
  read_extents(reader, properties.extents);
  read_refs(reader, at.file, BlockKind::kIndex, properties.index);
  read_refs(reader, at.file, BlockKind::kIndex, properties.history_index);
  read_refs(reader, at.file, BlockKind::kDictionary, properties.dictionaries);
  properties.keys_offset = reader.varint();
  properties.keys_length = reader.varint();
  properties.wide_bytes = reader.varint();
  if (!reader.done()) return block_corrupt(at, "malformed");
  if (properties.file != at.file) return block_corrupt(at, "of another file");
  return properties;
}

void append_footer(const RowFileFooter& footer, std::uint64_t file, std::uint64_t at,
                   ByteBuffer& to) {
  const std::size_t from = to.size();
  ByteWriter writer(to);
  writer.zeros(kChecksumBytes);
  writer.u64(kRowFileMagic);
  writer.u32(kRowFileVersion);
  writer.u32(footer.properties.length);
  writer.u64(footer.properties.offset);
  writer.u64(file);
  writer.u64(footer.end);
  writer.zeros(kFooterBytes - (to.size() - from));
  seal_block(MutableByteView(to).subspan(from), file, at);
}

Result<RowFileFooter> read_footer(std::uint64_t file, std::uint64_t at, ByteView bytes,
                                  Verify verify) {
  const BlockRef place{file, at, kFooterBytes, BlockKind::kProperties};
  if (bytes.size() != kFooterBytes) return block_corrupt(place, "file too short for a footer");
  ByteReader reader(bytes);
  reader.u64();  // checksum
  if (reader.u64() != kRowFileMagic) return block_corrupt(place, "no row file ends here");
  if (verify == Verify::kChecksum) COPPICE_TRY(verify_block(place, bytes));
  const std::uint32_t version = reader.u32();
  if (version != kRowFileVersion)
    return fail(Code::kUnsupportedVersion, "row file " + std::to_string(file) + " has version " +
                                               std::to_string(version) + ", this build reads " +
                                               std::to_string(kRowFileVersion));
  RowFileFooter footer;
  footer.properties = {file, 0, reader.u32(), BlockKind::kProperties};
  footer.properties.offset = reader.u64();
  const std::uint64_t stored_file = reader.u64();
  footer.end = reader.u64();
  if (stored_file != file || footer.end != at + kFooterBytes ||
      footer.properties.length > kPropertiesBytesMax || footer.properties.offset > at ||
      footer.properties.length > at - footer.properties.offset)
    return block_corrupt(place, "impossible footer");
  return footer;
}

}  // namespace coppice::lsm
