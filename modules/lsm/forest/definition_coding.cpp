#include "modules/lsm/forest/definition_coding.h"

namespace coppice::lsm {
namespace {

constexpr std::uint8_t kNullable = 1;
constexpr std::uint8_t kHasMissing = 2;

Column read_column(ByteReader& from) {
  Column column;
  column.id = {from.u16()};
  const std::uint8_t type = from.u8();
  if (!is_physical_type(type)) from.fail();
  column.type = static_cast<PhysicalType>(type);
  const std::uint8_t flags = from.u8();
  column.nullable = (flags & kNullable) != 0;
  column.group = from.u8();
  column.expected_bytes = from.u16();
  if ((flags & kHasMissing) != 0) {
    const ByteView missing = from.sized_bytes();
    if (!is_bytes(column.type) && missing.size() != fixed_bytes(column.type)) from.fail();
    column.missing.emplace(missing.begin(), missing.end());
  }
  return column;
}

}  // namespace

void write_table_ref(TableRef table, ByteWriter& to) {
  to.varint(table.ns.value);
  to.varint(table.table.value);
}

TableRef read_table_ref(ByteReader& from) {
  const std::uint64_t ns = from.varint();
  const std::uint64_t table = from.varint();
  if (ns > UINT32_MAX || table > UINT32_MAX) from.fail();
  return {{static_cast<std::uint32_t>(ns)}, {static_cast<std::uint32_t>(table)}};
}

void write_definition(const TableDefinition& definition, ByteWriter& to) {
  write_table_ref(definition.table, to);
  to.u8(static_cast<std::uint8_t>(definition.kind));
  write_table_ref(definition.rows, to);
  to.varint(definition.schema.version);
  to.varint(definition.schema.columns.size());
  for (const Column& column : definition.schema.columns) {
    to.u16(column.id.value);
    to.u8(static_cast<std::uint8_t>(column.type));
    to.u8(static_cast<std::uint8_t>((column.nullable ? kNullable : 0) |
                                    (column.missing ? kHasMissing : 0)));
    to.u8(column.group);
    to.u16(column.expected_bytes);
    if (column.missing) to.sized_bytes(*column.missing);
  }
}

std::optional<TableDefinition> read_definition(ByteReader& from) {
  TableDefinition definition;
  definition.table = read_table_ref(from);
  const std::uint8_t kind = from.u8();
  if (kind > static_cast<std::uint8_t>(TableKind::kUnique)) from.fail();
  definition.kind = static_cast<TableKind>(kind);
  definition.rows = read_table_ref(from);
  const std::uint64_t version = from.varint();
  if (version > UINT32_MAX) from.fail();
  definition.schema.version = static_cast<std::uint32_t>(version);
  const std::uint64_t columns = from.count(7);
  if (columns > kColumnsMax) from.fail();
  for (std::uint64_t i = 0; i < columns && from.ok(); ++i)
    definition.schema.columns.push_back(read_column(from));
  if (!from.ok()) return std::nullopt;
  if (definition.kind == TableKind::kRows && !definition.schema.validate()) {
    from.fail();
    return std::nullopt;
  }
  return definition;
}

}  // namespace coppice::lsm
