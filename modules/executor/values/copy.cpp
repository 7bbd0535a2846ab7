// copy.cpp — one loop per width.
#include "modules/executor/values/copy.h"

namespace coppice::executor {

namespace {

// A join's rows may repeat: first, last and count alone do not tell.
bool consecutive(std::span<const std::uint16_t> rows) {
  if (rows.back() - rows.front() + std::size_t{1} != rows.size()) return false;
  for (std::size_t i = 1; i < rows.size(); ++i)
    if (rows[i] != rows[i - 1] + 1) return false;
  return true;
}

void mark_nulls(VectorBuffer& to, std::uint32_t first, const Vector& from,
                std::span<const std::uint16_t> rows) {
  if (!from.has_nulls()) return;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (from.is_null(rows[i])) to.set_null(first + static_cast<std::uint32_t>(i));
  }
}

}  // namespace

std::span<const std::uint16_t> positions_of(const Selection& rows, Positions& to) {
  std::size_t count = 0;
  rows.for_each([&](std::uint32_t row) { to[count++] = static_cast<std::uint16_t>(row); });
  return {to.data(), count};
}

void append_rows(VectorBuffer& to, const Vector& from, std::span<const std::uint16_t> rows) {
  if (rows.empty()) return;
  if (is_bytes(from.type())) {
    for (const std::uint16_t row : rows) {
      if (from.is_null(row))
        to.append_null();
      else
        to.append_bytes(from.bytes_at(row));
    }
    return;
  }
  if (consecutive(rows) && !from.has_nulls() && from.encoding() == Encoding::kFlat)
    return to.append(from, rows.front(), static_cast<std::uint32_t>(rows.size()));
  const std::uint32_t first = to.size();
  with_width(from.type(), [&]<class T>(T) {
    T* const values = to.append_values<T>(static_cast<std::uint32_t>(rows.size()));
    for (std::size_t i = 0; i < rows.size(); ++i) values[i] = bits_at<T>(from, rows[i]);
  });
  mark_nulls(to, first, from, rows);
}

std::uint64_t bytes_of_rows(const Vector& from, std::span<const std::uint16_t> rows) {
  if (!is_bytes(from.type())) return rows.size() * fixed_bytes(from.type());
  std::uint64_t bytes = rows.size() * sizeof(ByteView);
  for (const std::uint16_t row : rows) {
    if (!from.is_null(row)) bytes += from.bytes_at(row).size();
  }
  return bytes;
}

}  // namespace coppice::executor
