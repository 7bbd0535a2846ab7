// masks.cpp — bits out of vectors.
#include "modules/executor/values/masks.h"

#include <algorithm>

#include "kernel/base/assert.h"

namespace coppice::executor {

namespace {

// Eight bytes of 0 or 1 to eight bits: the product moves bit 0 of byte i to bit 56 + i.
std::uint64_t pack_bytes(std::uint64_t bytes) {
  return ((bytes & 0x0101'0101'0101'0101U) * 0x0102'0408'1020'4080U) >> 56;
}

std::uint64_t pack_word(const std::byte* bytes, std::uint32_t count) {
  std::uint64_t bits = 0;
  std::uint32_t at = 0;
  for (; at + 8 <= count; at += 8) bits |= pack_bytes(load_le<std::uint64_t>(bytes + at)) << at;
  for (; at < count; ++at) bits |= (static_cast<std::uint64_t>(bytes[at]) & 1U) << at;
  return bits;
}

}  // namespace

void to_mask(const Selection& rows, Mask& mask) {
  if (rows.form() != Selection::Form::kAll) {
    mask = rows.mask();
    return;
  }
  mask.fill(0);
  const std::uint32_t count = rows.count();
  for (std::uint32_t word = 0; word < count / 64; ++word) mask[word] = ~std::uint64_t{0};
  if (count % 64 != 0) mask[count / 64] = (std::uint64_t{1} << (count % 64)) - 1;
}

void to_selection(const Mask& mask, std::uint32_t rows, Selection& to) {
  to = Selection::from_mask(mask, rows);
}

bool any_of(const Mask& mask) {
  return std::ranges::any_of(mask, [](std::uint64_t word) { return word != 0; });
}

void truth_of(const Vector& values, const Mask& rows, Truth& truth) {
  COPPICE_ASSERT(values.type() == PhysicalType::kBool);
  nulls_of(values, rows, truth.null);
  if (values.encoding() == Encoding::kConstant) {
    const bool yes = !values.has_nulls() && values.int_at(0) != 0;
    for (std::size_t word = 0; word < rows.size(); ++word)
      truth.yes[word] = yes ? rows[word] & ~truth.null[word] : 0;
    return;
  }
  for (std::uint32_t word = 0; word < rows.size(); ++word) {
    std::uint64_t bits = 0;
    if (rows[word] != 0) {
      const std::uint32_t first = word * 64;
      const std::uint32_t count = std::min<std::uint32_t>(64, values.size() - first);
      if (values.encoding() == Encoding::kFlat) {
        bits = pack_word(values.flat_values() + first, count);
      } else {
        for (std::uint32_t i = 0; i < count; ++i)
          bits |= std::uint64_t{values.int_at(first + i) != 0} << i;
      }
    }
    truth.yes[word] = bits & rows[word] & ~truth.null[word];
  }
}

void nulls_of(const Vector& values, const Mask& rows, Mask& nulls) {
  if (!values.has_nulls()) {
    nulls.fill(0);
    return;
  }
  for (std::uint32_t word = 0; word < rows.size(); ++word)
    nulls[word] = rows[word] == 0 ? 0 : values.null_word(word) & rows[word];
}

}  // namespace coppice::executor
