// vector_test.cpp — every encoding gives the values that it was made from, one by one and in bulk.
#include "interfaces/types/vector.h"

#include <doctest/doctest.h>

#include <vector>

#include "interfaces/types/vector_buffer.h"
#include "kernel/base/random.h"

using namespace coppice;

namespace {

ByteBuffer packed_with_slack(std::span<const std::uint64_t> values, unsigned width) {
  ByteBuffer packed;
  pack(values, width, packed);
  packed.resize(packed.size() + kBitPackingSlack);
  return packed;
}

}  // namespace

TEST_CASE("bit packing round trips at every width") {
  Rng rng(7);
  for (unsigned width = 0; width <= 64; ++width) {
    if (!is_packable_width(width)) continue;
    std::vector<std::uint64_t> values(1 + rng.below(300));
    for (auto& value : values) value = rng.next() & packed_mask(width);
    const ByteBuffer packed = packed_with_slack(values, width);
    CHECK(packed.size() == packed_bytes(values.size(), width) + kBitPackingSlack);
    const std::uint64_t first = rng.below(values.size());
    std::vector<std::uint64_t> bulk(values.size() - first);
    unpack(packed.data(), width, first, 0, bulk);
    for (std::size_t i = 0; i < values.size(); ++i) {
      REQUIRE(packed_at(packed.data(), width, i) == values[i]);
      if (i >= first) REQUIRE(bulk[i - first] == values[i]);
    }
  }
}

TEST_CASE("packed_width holds the greatest value and is packable") {
  for (unsigned bit = 0; bit < 64; ++bit) {
    const std::uint64_t greatest = (std::uint64_t{2} << bit) - 1;
    CHECK((greatest & ~packed_mask(packed_width(greatest))) == 0);
    CHECK(is_packable_width(packed_width(greatest)));
  }
}

TEST_CASE("frame, sequence, constant and dictionary agree with plain values") {
  const std::vector<std::uint64_t> residuals = {0, 5, 1023, 7, 512};
  const ByteBuffer packed = packed_with_slack(residuals, 10);
  const Vector frame = Vector::frame(PhysicalType::kInt32, 5, -100, 10, packed.data());
  std::vector<std::int64_t> out(3);
  frame.decode(1, out);
  CHECK(out == std::vector<std::int64_t>{-95, 923, -93});
  CHECK(frame.int_at(4) == 412);

  const Vector sequence = Vector::sequence(PhysicalType::kInt64, 4, 10, -3);
  sequence.decode(1, out);
  CHECK(out == std::vector<std::int64_t>{7, 4, 1});

  const Vector nothing = Vector::constant(Datum::null_of(PhysicalType::kBytes), 9);
  CHECK(nothing.is_null(8));
  CHECK(nothing.null_word(0) == ~std::uint64_t{0});

  const Vector same = Vector::constant(Datum::of(2.5), 9);
  CHECK(same.float_at(3) == 2.5);
  CHECK_FALSE(same.has_nulls());

  const std::vector<std::int16_t> entries = {-1, 300, 9};
  const Vector values = Vector::flat(PhysicalType::kInt16, 3, entries.data());
  const ByteBuffer codes = packed_with_slack(std::vector<std::uint64_t>{2, 0, 1, 1}, 2);
  const Vector dictionary = Vector::dictionary(4, 2, codes.data(), &values);
  CHECK(dictionary.type() == PhysicalType::kInt16);
  dictionary.decode(0, out);
  CHECK(out == std::vector<std::int64_t>{9, -1, 300});
  CHECK(dictionary.code_at(3) == 1);
}

TEST_CASE("a 128-bit frame adds in 128 bits") {
  const ByteBuffer packed = packed_with_slack(std::vector<std::uint64_t>{0, 4}, 3);
  const Int128 base = (Int128{1} << 100) - 2;
  const Vector frame = Vector::frame(PhysicalType::kInt128, 2, base, 3, packed.data());
  std::vector<Int128> out(2);
  frame.decode(0, out);
  CHECK((out[1] == base + 4));
  CHECK((frame.int128_at(0) == base));
}

TEST_CASE("offsets view the heap") {
  const std::string_view heap = "alphabetagamma";
  const ByteBuffer offsets = packed_with_slack(std::vector<std::uint64_t>{0, 5, 5, 9, 14}, 4);
  const Vector vector = Vector::offsets(4, 4, offsets.data(), as_bytes(heap).data());
  std::vector<ByteView> out(4);
  vector.decode(0, out);
  CHECK(as_text(out[0]) == "alpha");
  CHECK(out[1].empty());
  CHECK(as_text(vector.bytes_at(3)) == "gamma");
}

TEST_CASE("a buffer gives back what was appended, nulls included, from any encoding") {
  Rng rng(11);
  for (const auto type : {PhysicalType::kBool, PhysicalType::kInt16, PhysicalType::kInt64,
                          PhysicalType::kInt128, PhysicalType::kFloat32, PhysicalType::kBytes}) {
    VectorBuffer buffer(type);
    std::vector<std::string> texts(700);
    std::vector<Datum> expected;
    for (std::string& text : texts) {
      text.assign(rng.below(300), static_cast<char>('a' + rng.below(26)));
      Datum value = Datum::integer(type, rng.between(0, 1));
      if (type == PhysicalType::kFloat32) value = Datum::of(static_cast<float>(rng.unit()));
      if (is_bytes(type)) value = Datum::of(as_bytes(text));
      if (rng.chance(0.2)) value = Datum::null_of(type);
      buffer.append(value);
      expected.push_back(value);
    }
    VectorBuffer copy(type);
    copy.append(buffer.view(), 100, 500);
    for (std::uint32_t row = 0; row < expected.size(); ++row) {
      REQUIRE(buffer.view().datum_at(row) == expected[row]);
      const bool null_bit = (buffer.view().null_word(row / 64) >> (row % 64) & 1) != 0;
      REQUIRE(null_bit == expected[row].null);
      if (row >= 100 && row < 600) REQUIRE(copy.view().datum_at(row - 100) == expected[row]);
    }
    buffer.clear();
    CHECK(buffer.size() == 0);
    CHECK_FALSE(buffer.view().has_nulls());
  }
}
