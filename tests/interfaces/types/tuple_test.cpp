// tuple_test.cpp — tuples round trip; broken ones are refused, never read out of bounds.
#include "interfaces/types/tuple.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "kernel/base/random.h"

using namespace coppice;

namespace {

std::vector<Datum> sample(const std::string& text) {
  return {Datum::of(std::int64_t{-5}),
          Datum::null_of(PhysicalType::kInt32),
          Datum::of(as_bytes(text)),
          Datum::integer(PhysicalType::kInt128, -(Int128{1} << 90)),
          Datum::integer(PhysicalType::kBool, 1),
          Datum::of(1.5F),
          Datum::of(-0.0)};
}

}  // namespace

TEST_CASE("tuples round trip, with short and with long ends") {
  for (const std::size_t length : {std::size_t{0}, std::size_t{10}, std::size_t{70'000}}) {
    const std::string text(length, 'x');
    const std::vector<Datum> values = sample(text);
    ByteBuffer bytes;
    REQUIRE(append_tuple(values, bytes));
    const auto tuple = TupleView::parse(bytes);
    REQUIRE(tuple);
    REQUIRE(tuple->count() == values.size());
    for (std::uint32_t i = 0; i < values.size(); ++i)
      CHECK(tuple->at(i, values[i].type) == values[i]);
    CHECK(tuple->at(0, PhysicalType::kInt16).null);  // another length
  }
}

TEST_CASE("a truncated or damaged tuple is refused or stays within its bytes") {
  ByteBuffer bytes;
  REQUIRE(append_tuple(sample("some text"), bytes));
  for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
    const ByteBuffer part(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(cut));
    CHECK_FALSE(TupleView::parse(part));
  }
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    ByteBuffer damaged = bytes;
    damaged[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
    const auto tuple = TupleView::parse(damaged);
    for (std::uint32_t i = 0; tuple && i < tuple->count(); ++i) tuple->at(i, PhysicalType::kBytes);
  }
}
