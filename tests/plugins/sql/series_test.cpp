// series_test.cpp — set functions in batches: sizes, ends, and series that nobody reads to the end.
#include <doctest/doctest.h>

#include <array>
#include <limits>

#include "tests/plugins/sql/replay.h"

namespace coppice::sql_test {
namespace {

std::unique_ptr<SetProducer> series(TestContext& context, const SqlRegistry& registry, TypeOid type,
                                    const std::vector<Datum>& arguments) {
  for (const SqlFunction* const function : registry.functions("generate_series")) {
    if (function->arguments != std::vector<TypeOid>(arguments.size(), type)) continue;
    auto made = function->set_kernel(context, arguments);
    REQUIRE(made);
    return std::move(*made);
  }
  return nullptr;
}

}  // namespace

TEST_CASE("generate_series gives batches of at most 1,024 rows") {
  const std::unique_ptr<SqlRegistry> registry = full_registry();
  TestContext context;
  const auto producer = series(
      context, *registry, type_oid::kInt8,
      {Datum::of(std::int64_t{1}), Datum::of(std::int64_t{2500}), Datum::of(std::int64_t{1})});
  std::int64_t expected = 1;
  for (const std::uint32_t size : {1024U, 1024U, 452U}) {
    std::array<VectorBuffer, 1> out = {VectorBuffer(PhysicalType::kInt64)};
    const Result<bool> more = producer->next(out);
    REQUIRE(more);
    CHECK(*more);
    REQUIRE(out[0].size() == size);
    const Vector values = out[0].view();
    for (std::uint32_t row = 0; row < size; ++row) CHECK(values.int_at(row) == expected++);
  }
  std::array<VectorBuffer, 1> rest = {VectorBuffer(PhysicalType::kInt64)};
  const Result<bool> more = producer->next(rest);
  REQUIRE(more);
  CHECK_FALSE(*more);
  CHECK(rest[0].size() == 0);
}

TEST_CASE("a series over all of bigint starts at once") {
  const std::unique_ptr<SqlRegistry> registry = full_registry();
  TestContext context;
  constexpr auto kMin = std::numeric_limits<std::int64_t>::min();
  constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
  const auto producer =
      series(context, *registry, type_oid::kInt8, {Datum::of(kMin), Datum::of(kMax)});
  std::array<VectorBuffer, 1> out = {VectorBuffer(PhysicalType::kInt64)};
  REQUIRE(producer->next(out));
  const Vector values = out[0].view();
  CHECK(values.int_at(0) == kMin);
  CHECK(values.int_at(1023) == kMin + 1023);
}

}  // namespace coppice::sql_test
