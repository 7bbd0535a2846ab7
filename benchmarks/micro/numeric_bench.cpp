// numeric_bench.cpp — nanoseconds per row of numeric: input, output, keys, arithmetic, aggregates.
#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <functional>

#include "kernel/base/assert.h"
#include "plugins/sql/core/core_pack.h"
#include "plugins/sql/numeric/numeric_pack.h"

using namespace coppice;

namespace {

class NoContext final : public CallContext {
 public:
  const SqlSettings& settings() const override { return settings_; }
  WallTime transaction_start() const override { return WallTime{0}; }
  WallTime statement_start() const override { return WallTime{0}; }
  WallTime clock_now() const override { return WallTime{0}; }
  Rng& random() override { return random_; }
  std::optional<std::string> ask(std::string_view, std::span<const Datum>) override { return {}; }

 private:
  SqlSettings settings_;
  Rng random_{1};
};

constexpr int kBatches = 200;

// Best of five rounds of CPU time, per row.
void measure(const char* name, const std::function<void()>& batch) {
  double best = 1e18;
  for (int round = 0; round < 5; ++round) {
    const std::clock_t start = std::clock();
    for (int i = 0; i < kBatches; ++i) batch();
    best = std::min(best, static_cast<double>(std::clock() - start) * (1e9 / CLOCKS_PER_SEC));
  }
  std::printf("%-24s %8.1f ns a row\n", name, best / kBatches / kVectorRows);
}

const SqlFunction& function_of(const SqlRegistry& registry, FunctionOid oid) {
  const SqlFunction* const found = registry.find_function(oid);
  COPPICE_ASSERT(found != nullptr);
  return *found;
}

}  // namespace

int main() {
  SqlRegistry registry;
  const sql_core::CorePack core;
  const sql_numeric::NumericPack numeric;
  core.add_types(registry);
  numeric.add_types(registry);
  core.add_functions(registry);
  numeric.add_functions(registry);
  const SqlType& type = *registry.find_type(type_oid::kNumeric);
  NoContext context;
  Rng rng(1);

  std::vector<std::string> texts;  // prices: up to 9999999.99
  for (std::uint32_t row = 0; row < kVectorRows; ++row)
    texts.push_back(std::to_string(rng.below(10'000'000)) + "." +
                    std::to_string(10 + rng.below(90)));
  VectorBuffer column(PhysicalType::kBytes);
  const auto parse_all = [&] {
    column.clear();
    for (const std::string& text : texts)
      COPPICE_ASSERT(type.parse(WireForm::kText, as_bytes(text), -1, context.settings(), column));
  };
  measure("input", parse_all);
  const Selection rows = Selection::all(kVectorRows);
  FormattedColumn formatted;
  measure("output", [&] {
    formatted.clear();
    COPPICE_ASSERT(
        type.format(WireForm::kText, column.view(), rows, context.settings(), formatted));
  });
  ByteBuffer keys;
  measure("key", [&] {
    keys.clear();
    KeyWriter writer(keys);
    const Vector values = column.view();
    for (std::uint32_t row = 0; row < kVectorRows; ++row)
      type.write_key(values, row, KeyOrder::ascending_nulls_last(), writer);
  });

  const std::array<Vector, 2> arguments = {column.view(), column.view()};
  constexpr std::array<std::pair<const char*, FunctionOid>, 6> kOperations = {{
      {"a < b", 1722},
      {"a + b", 1724},
      {"a - b", 1725},
      {"a * b", 1726},
      {"a / b", 1727},
      {"a % b", 1729},
  }};
  for (const auto& [name, oid] : kOperations) {
    const SqlFunction& function = function_of(registry, oid);
    const PhysicalType physical = registry.find_type(function.result)->info().physical;
    VectorBuffer out(physical);
    measure(name, [&] {
      out.clear();
      COPPICE_ASSERT(function.kernel(context, arguments, rows, kVectorRows, out));
    });
  }
  const std::vector<std::uint32_t> one_group(kVectorRows, 0);
  for (const char* const name : {"sum", "avg", "min", "stddev"}) {
    for (const SqlAggregate* const aggregate : registry.aggregates(name)) {
      if (aggregate->arguments[0] != type_oid::kNumeric) continue;
      const std::unique_ptr<AggregateState> state = aggregate->make(context);
      state->resize(1);
      measure(name, [&] {
        COPPICE_ASSERT(state->update(std::span(arguments).first(1), rows, one_group));
      });
    }
  }
  return 0;
}
