// numeric_memory_test.cpp — aggregates over numeric take no memory per row.
#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <new>

#include "tests/plugins/sql/replay.h"

namespace {
std::atomic<std::int64_t> allocations = 0;  // of this executable
}

[[gnu::noinline]] void* operator new(std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  void* const at = std::malloc(size == 0 ? 1 : size);
  if (at == nullptr) std::abort();
  return at;
}
[[gnu::noinline]] void operator delete(void* at) noexcept {
  std::free(at);
}
[[gnu::noinline]] void operator delete(void* at, std::size_t) noexcept {
  std::free(at);
}

namespace coppice::sql_test {
namespace {

// Rows of `type`, from texts, over and over.
VectorBuffer column_of(const SqlType& type, std::span<const std::string_view> texts) {
  VectorBuffer column(type.info().physical);
  for (std::uint32_t row = 0; row < kVectorRows; ++row)
    REQUIRE(type.parse(WireForm::kText, as_bytes(texts[row % texts.size()]), -1, SqlSettings(),
                       column));
  return column;
}

std::int64_t allocations_of(const SqlRegistry& registry, std::string_view name,
                            std::span<const std::string_view> texts) {
  TestContext context;
  const VectorBuffer column = column_of(*registry.find_type(type_oid::kNumeric), texts);
  const std::array<Vector, 1> arguments = {column.view()};
  const std::vector<std::uint32_t> groups(kVectorRows, 0);
  for (const SqlAggregate* const aggregate : registry.aggregates(name)) {
    if (aggregate->arguments != std::vector<TypeOid>{type_oid::kNumeric}) continue;
    const std::unique_ptr<AggregateState> state = aggregate->make(context);
    state->resize(1);
    const Selection rows = Selection::all(kVectorRows);
    REQUIRE(state->update(arguments, rows, groups));
    const std::int64_t before = allocations.load();
    for (int batch = 0; batch < 100; ++batch) {
      const bool done = state->update(arguments, rows, groups).has_value();
      if (!done) FAIL("an update failed");
    }
    return allocations.load() - before;
  }
  return -1;
}

}  // namespace

TEST_CASE("aggregates over numeric allocate nothing per row") {
  const std::unique_ptr<SqlRegistry> registry = full_registry();
  constexpr std::array<std::string_view, 3> kPrices = {"12.50", "-0.99", "1000000.00"};
  constexpr std::array<std::string_view, 3> kMixed = {"1e25", "0.00000000000000000000125", "-7.5"};
  for (const std::string_view name : {"sum", "avg", "min", "max", "variance", "stddev_pop"}) {
    CAPTURE(name);
    CHECK(allocations_of(*registry, name, kPrices) == 0);
    CHECK(allocations_of(*registry, name, kMixed) == 0);
  }
  const std::array<std::string_view, 1> counts_at_all = {"1"};
  const std::int64_t before = allocations.load();
  const VectorBuffer column = column_of(*registry->find_type(type_oid::kNumeric), counts_at_all);
  CHECK(allocations.load() > before);
}

}  // namespace coppice::sql_test
