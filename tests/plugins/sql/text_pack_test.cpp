// text_pack_test.cpp — the pack gives PostgreSQL's answers.
#include <doctest/doctest.h>

#include "interfaces/types/sql_error.h"
#include "tests/plugins/sql/replay.h"

namespace coppice::sql_test {
namespace {

// One call with two constant texts, over one row.
Result<std::string> call_with_texts(const SqlFunction& function, std::string_view a,
                                    std::string_view b) {
  TestContext context;
  const std::vector<Vector> arguments = {Vector::constant(Datum::of(as_bytes(a)), 1),
                                         Vector::constant(Datum::of(as_bytes(b)), 1)};
  VectorBuffer out(PhysicalType::kBool);
  COPPICE_TRY(function.kernel(context, arguments, Selection::all(1), 1, out));
  return std::string(out.view().int_at(0) != 0 ? "t" : "f");
}

}  // namespace

TEST_CASE("sql/text answers as PostgreSQL 15 does") {
  const std::unique_ptr<SqlRegistry> registry = full_registry();
  CHECK(replay(*registry, "tests/sql/golden/text.tsv") > 9000);
}

TEST_CASE("sql/text: string_agg skips NULLs, and a NULL delimiter is empty") {
  const std::unique_ptr<SqlRegistry> registry = full_registry();
  const SqlAggregate& aggregate = *registry->aggregates("string_agg").front();
  TestContext context;
  const std::unique_ptr<AggregateState> state = aggregate.make(context);
  state->resize(2);
  VectorBuffer values(PhysicalType::kBytes), delimiters(PhysicalType::kBytes);
  for (const std::string_view value : {"a", "", "b", "c"}) {
    if (value.empty())
      values.append_null();
    else
      values.append_bytes(as_bytes(value));
  }
  for (const std::string_view delimiter : {"1", "2", "", "4"}) {
    if (delimiter.empty())
      delimiters.append_null();
    else
      delimiters.append_bytes(as_bytes(delimiter));
  }
  const std::vector<Vector> arguments = {values.view(), delimiters.view()};
  const std::vector<std::uint32_t> groups = {0, 0, 0, 0};
  REQUIRE(state->update(arguments, Selection::all(4), groups));
  VectorBuffer out(PhysicalType::kBytes);
  REQUIRE(state->finish(0, 2, out));
  CHECK(as_text(out.view().bytes_at(0)) == "ab4c");
  CHECK(out.view().is_null(1));
}

TEST_CASE("sql/text: string_agg stops at its bound, not at the end of a batch") {
  const std::unique_ptr<SqlRegistry> registry = full_registry();
  TestContext context;
  const std::unique_ptr<AggregateState> state =
      registry->aggregates("string_agg").front()->make(context);
  const std::string megabyte(1 << 20, 'x');
  const std::vector<Vector> arguments = {Vector::constant(Datum::of(as_bytes(megabyte)), 1000),
                                         Vector::constant(Datum::of(as_bytes("")), 1000)};
  state->resize(1000);
  const Status one =
      state->update(arguments, Selection::all(1000), std::vector<std::uint32_t>(1000));
  REQUIRE(!one);
  CHECK(sqlstate_of(one.error()) == "54000");
  std::vector<std::uint32_t> each(1000);
  for (std::uint32_t i = 0; i < 1000; ++i) each[i] = std::max(i, 1U);  // group 0 is full
  const Status many = state->update(arguments, Selection::all(1000), each);
  REQUIRE(!many);
  CHECK(sqlstate_of(many.error()) == "53200");
  CHECK(state->memory_bytes() < 200'000'000);
}

TEST_CASE("sql/text: LIKE takes no time that grows with the number of its wildcards") {
  const std::unique_ptr<SqlRegistry> registry = full_registry();
  const SqlFunction& like = *registry->functions("textlike").front();
  std::string pattern;
  for (int i = 0; i < 200; ++i) pattern += "%a";  // backtracking would take 2^200 steps
  const Result<std::string> answer =
      call_with_texts(like, std::string(100'000, 'a') + "b", pattern + "%c");
  REQUIRE(answer);
  CHECK(*answer == "f");
}

TEST_CASE("sql/text: results of one batch are bounded") {
  const std::unique_ptr<SqlRegistry> registry = full_registry();
  const SqlFunction& repeat = *registry->functions("repeat").front();
  TestContext context;
  const std::string megabyte(1 << 20, 'x');
  const std::vector<Vector> arguments = {
      Vector::constant(Datum::of(as_bytes(megabyte)), 8),
      Vector::constant(Datum::integer(PhysicalType::kInt32, 32), 8)};
  VectorBuffer out(PhysicalType::kBytes);
  const Status done = repeat.kernel(context, arguments, Selection::all(8), 8, out);
  REQUIRE(!done);
  CHECK(sqlstate_of(done.error()) == "53200");
}

}  // namespace coppice::sql_test
