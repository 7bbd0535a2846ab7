// tuple.cpp — a row, or some groups of it, to bytes and back.
#include "interfaces/types/tuple.h"

#include "kernel/base/coding.h"

namespace coppice {
namespace {

constexpr std::uint8_t kWideEnds = 1;

}  // namespace

Result<TupleView> TupleView::parse(ByteView bytes) {
  ByteReader reader(bytes);
  const std::uint8_t flags = reader.u8();
  TupleView tuple;
  tuple.count_ = reader.u16();
  tuple.wide_ = (flags & kWideEnds) != 0;
  tuple.nulls_ = reader.bytes((tuple.count_ + std::uint64_t{7}) / 8).data();
  tuple.ends_ = reader.bytes(std::uint64_t{tuple.count_} * (tuple.wide_ ? 4 : 2)).data();
  if (!reader.ok() || (flags & ~kWideEnds) != 0) return fail(Code::kCorruption, "bad tuple header");
  tuple.values_ = reader.bytes(reader.remaining());
  std::size_t before = 0;
  for (std::uint32_t column = 0; column < tuple.count_; ++column) {
    const std::size_t end = tuple.end(column);
    if (end < before || end > tuple.values_.size())
      return fail(Code::kCorruption, "tuple value out of bounds");
    before = end;
  }
  if (before != tuple.values_.size()) return fail(Code::kCorruption, "bytes after a tuple");
  return tuple;
}

Datum TupleView::at(std::uint32_t column, PhysicalType type) const {
  if (is_null(column)) return Datum::null_of(type);
  const ByteView value = raw(column);
  if (is_bytes(type)) return Datum::of(value);
  if (value.size() != fixed_bytes(type)) return Datum::null_of(type);
  switch (type) {
    case PhysicalType::kBool:
      return Datum::integer(type, load_le<std::uint8_t>(value.data()));
    case PhysicalType::kInt16:
      return Datum::integer(type, load_le<std::int16_t>(value.data()));
    case PhysicalType::kInt32:
      return Datum::integer(type, load_le<std::int32_t>(value.data()));
    case PhysicalType::kInt64:
      return Datum::integer(type, load_le<std::int64_t>(value.data()));
    default:
      break;
  }
  Int128 bits = 0;
  std::memcpy(&bits, value.data(), value.size());
  return {type, false, bits, {}};
}

Status append_tuple(std::span<const Datum> values, ByteBuffer& to) {
  std::uint64_t total = 0;
  for (const Datum& value : values)
    if (!value.null) total += is_bytes(value.type) ? value.bytes.size() : fixed_bytes(value.type);
  if (total > UINT32_MAX) return fail(Code::kLimitExceeded, "row larger than 4 GiB");
  if (values.size() > UINT16_MAX) return fail(Code::kLimitExceeded, "row of too many columns");
  const bool wide = total > UINT16_MAX;
  ByteWriter writer(to);
  writer.u8(wide ? kWideEnds : 0);
  writer.u16(static_cast<std::uint16_t>(values.size()));
  const std::size_t nulls = to.size();
  writer.zeros((values.size() + 7) / 8);
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].null)
      to[nulls + i / 8] |= static_cast<std::byte>(1U << (i % 8));
    else
      end += is_bytes(values[i].type) ? values[i].bytes.size() : fixed_bytes(values[i].type);
    if (wide)
      writer.u32(static_cast<std::uint32_t>(end));
    else
      writer.u16(static_cast<std::uint16_t>(end));
  }
  for (const Datum& value : values) {
    if (value.null) continue;
    if (is_bytes(value.type))
      writer.bytes(value.bytes);
    else
      writer.bytes(std::as_bytes(std::span(&value.bits, 1)).first(fixed_bytes(value.type)));
  }
  return {};
}

}  // namespace coppice
