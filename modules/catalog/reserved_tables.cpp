// reserved_tables.cpp — the one field that is bytes of ours.
#include "modules/catalog/reserved_tables.h"

#include "kernel/base/coding.h"

namespace coppice::catalog {

namespace {

constexpr std::uint8_t kDescending = 1, kNullsFirst = 2;

}  // namespace

std::string encode_index_columns(std::span<const IndexColumn> columns) {
  ByteBuffer bytes;
  ByteWriter writer(bytes);
  for (const IndexColumn& column : columns) {
    writer.u16(static_cast<std::uint16_t>(column.attribute));
    writer.u8(static_cast<std::uint8_t>((column.order.descending ? kDescending : 0) |
                                        (column.order.nulls_first ? kNullsFirst : 0)));
  }
  return std::string(as_text(bytes));
}

Result<std::vector<IndexColumn>> decode_index_columns(std::string_view bytes) {
  std::vector<IndexColumn> columns;
  ByteReader reader(as_bytes(bytes));
  while (reader.ok() && !reader.done()) {
    IndexColumn column;
    column.attribute = static_cast<std::int16_t>(reader.u16());
    const std::uint8_t flags = reader.u8();
    column.order = {(flags & kDescending) != 0, (flags & kNullsFirst) != 0};
    columns.push_back(column);
  }
  if (!reader.ok() || columns.empty())
    return fail(Code::kCorruption, "catalog: an index definition without readable columns");
  return columns;
}

}  // namespace coppice::catalog
