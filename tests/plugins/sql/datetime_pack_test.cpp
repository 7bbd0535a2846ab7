// datetime_pack_test.cpp — the pack gives PostgreSQL's answers.
#include <doctest/doctest.h>

#include "tests/plugins/sql/replay.h"

namespace coppice::sql_test {
namespace {

std::string input(const SqlRegistry& registry, std::string_view type, std::string_view text) {
  TestContext context;
  context.values.time_zone = "America/New_York";
  context.values.calls = &context;
  const SqlType& found = *registry.find_type(type);
  VectorBuffer values(found.info().physical);
  REQUIRE(found.parse(WireForm::kText, as_bytes(text), -1, context.values, values));
  FormattedColumn column;
  REQUIRE(found.format(WireForm::kText, values.view(), Selection::all(1), context.values, column));
  return std::string(as_text(column.bytes));
}

}  // namespace

TEST_CASE("sql/datetime answers as PostgreSQL 15 does") {
  const std::unique_ptr<SqlRegistry> registry = full_registry();
  CHECK(replay(*registry, "tests/sql/golden/datetime.tsv") > 10000);
}

TEST_CASE("sql/datetime: words that name the present mean the transaction's start, in its zone") {
  const std::unique_ptr<SqlRegistry> registry = full_registry();
  // 2023-11-14 22:13:20.123456+00 is afternoon in New York.
  CHECK(input(*registry, "timestamptz", "now") == "2023-11-14 17:13:20.123456-05");
  CHECK(input(*registry, "timestamp", "now") == "2023-11-14 17:13:20.123456");
  CHECK(input(*registry, "time", "now") == "17:13:20.123456");
  CHECK(input(*registry, "date", "today") == "2023-11-14");
  CHECK(input(*registry, "date", "yesterday") == "2023-11-13");
  CHECK(input(*registry, "timestamptz", "tomorrow") == "2023-11-15 00:00:00-05");
  CHECK(input(*registry, "timestamp", "yesterday 04:05") == "2023-11-13 04:05:00");
}

TEST_CASE("sql/datetime: generate_series counts days in the session's zone") {
  const std::unique_ptr<SqlRegistry> registry = full_registry();
  TestContext context;
  context.values.time_zone = "America/New_York";
  const SqlFunction& series = *registry->find_function(939);
  const SqlType& type = *registry->find_type("timestamptz");
  const SqlType& interval = *registry->find_type("interval");
  VectorBuffer ends(PhysicalType::kInt64), steps(PhysicalType::kInt128);
  for (const std::string_view text : {"2024-03-09 12:00", "2024-03-11 12:00"})
    REQUIRE(type.parse(WireForm::kText, as_bytes(text), -1, context.values, ends));
  REQUIRE(interval.parse(WireForm::kText, as_bytes("1 day"), -1, context.values, steps));
  const std::vector<Datum> arguments = {ends.view().datum_at(0), ends.view().datum_at(1),
                                        steps.view().datum_at(0)};
  auto producer = series.set_kernel(context, arguments);
  REQUIRE(producer);
  VectorBuffer out(PhysicalType::kInt64);
  const Result<bool> any = (*producer)->next(std::span(&out, 1));
  REQUIRE(any);
  REQUIRE(out.size() == 3);
  // The clocks go forward on the 10th: that day has 23 hours.
  CHECK(out.view().int_at(1) - out.view().int_at(0) == 23 * 3'600'000'000LL);
  CHECK(out.view().int_at(2) - out.view().int_at(1) == 24 * 3'600'000'000LL);
  const Result<bool> more = (*producer)->next(std::span(&out, 1));
  REQUIRE(more);
  CHECK(!*more);
}

}  // namespace coppice::sql_test
