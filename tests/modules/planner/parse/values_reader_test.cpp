// values_reader_test.cpp — literals of large INSERTs, and the parser as the judge.
#include "modules/planner/parse/values_reader.h"

#include <doctest/doctest.h>

#include "kernel/base/random.h"
#include "tests/modules/planner/parse/values_oracle.h"

namespace coppice::planner {

TEST_CASE("literals of every kind are read") {
  const BulkOutcome outcome = read_bulk(
      "INSERT INTO s.t AS x (a, b) VALUES (1, 'x'), (-7, 'it''s'), ( NULL ,'') ,(true,FALSE),\n"
      "(Default, 1.5), (-9223372036854775808, 9223372036854775808), (-1.5e3,007) "
      "ON CONFLICT DO NOTHING RETURNING a;");
  REQUIRE(outcome.read);
  const ReadRows expected = {{"i:-7", "t:it's"},
                             {"null", "t:"},
                             {"b:1", "b:0"},
                             {"default", "d:1.5"},
                             {"i:-9223372036854775808", "d:9223372036854775808"},
                             {"d:-1.5e3", "i:7"}};
  CHECK(outcome.rows == expected);
}

TEST_CASE("anything but plain literals falls back") {
  const std::string head = "INSERT INTO t VALUES (1, 'a'), ";
  for (const char* tail : {"(2, now())",
                           "(2, 'a' || 'b')",
                           "(2, 'a' 'b')",
                           "(2, E'a')",
                           "(2, $1)",
                           "(+2, 'a')",
                           "(2)",
                           "(2, 'a', 3)",
                           "(2, 'a'",
                           "2, 'a'",
                           "(2 + 1, 'a')",
                           "(2, 'a'::text)",
                           "(2, b'1')",
                           "(2, nulls)",
                           "(2a, 'a')",
                           "(2, 'a') /* unterminated",
                           "(2, 'a') UNION SELECT 1, 'b'",
                           "(2, 'a') LIMIT 1",
                           "(2, 'a') ORDER BY 1",
                           "(2, 'a'),",
                           "(2, ((3)))",
                           "(2, -)",
                           "(2, --x\n)",
                           "(, 'a')"})
    CHECK_MESSAGE(!read_bulk(head + tail).read, tail);
  CHECK(!find_bulk_insert("INSERT INTO t VALUES (1)"));
  CHECK(!find_bulk_insert("INSERT INTO t SELECT 1"));
  CHECK(!find_bulk_insert("INSERT INTO t DEFAULT VALUES"));
  CHECK(!find_bulk_insert("WITH x AS (SELECT 1) INSERT INTO t VALUES (1), (2)"));
  CHECK(!find_bulk_insert("VALUES (1), (2)"));
  CHECK(!find_bulk_insert(""));
}

TEST_CASE("a sink that refuses makes it fall back") {
  struct Narrow {
    bool integer(std::int64_t value) { return value < 100; }
    bool decimal(std::string_view) { return false; }
    bool text(std::string_view, bool) { return true; }
    bool boolean(bool) { return true; }
    bool null() { return true; }
    bool default_value() { return true; }
    bool end_row() { return true; }
  };
  const std::string text = "INSERT INTO t VALUES (1), (2), (100), (3)";
  const std::optional<BulkInsert> insert = find_bulk_insert(text);
  REQUIRE(insert.has_value());
  Narrow sink;
  ValuesReader<Narrow> reader(text, *insert, sink);
  CHECK(reader.read(SIZE_MAX) == ReadResult::kFallBack);
  CHECK(reader.rows() == 1);
}

TEST_CASE("it stops between tuples and goes on") {
  const std::string text = "INSERT INTO t VALUES (1),(2),(3),(4)";
  const std::optional<BulkInsert> insert = find_bulk_insert(text);
  REQUIRE(insert.has_value());
  CHECK(insert->columns == 1);
  struct Counter {
    std::int64_t sum = 0;
    bool integer(std::int64_t value) { return sum += value, true; }
    bool decimal(std::string_view) { return false; }
    bool text(std::string_view, bool) { return false; }
    bool boolean(bool) { return false; }
    bool null() { return false; }
    bool default_value() { return false; }
    bool end_row() { return true; }
  } sink;
  ValuesReader<Counter> reader(text, *insert, sink);
  CHECK(reader.read(1) == ReadResult::kMore);
  CHECK(sink.sum == 2);
  CHECK(reader.read(1) == ReadResult::kMore);
  CHECK(reader.read(1) == ReadResult::kDone);
  CHECK(sink.sum == 9);
  CHECK(bulk_insert_skeleton(text, *insert, reader.offset()) == "INSERT INTO t VALUES (1) ");
}

TEST_CASE("random and mangled inserts read as the parser reads them") {
  constexpr std::string_view kValues[] = {"1",
                                          "-1",
                                          "0",
                                          "2147483648",
                                          "9223372036854775807",
                                          "9223372036854775808",
                                          "1.5",
                                          "-.5",
                                          ".25",
                                          "1e5",
                                          "'text'",
                                          "''",
                                          "'a''b'",
                                          "NULL",
                                          "true",
                                          "False",
                                          "DEFAULT",
                                          "'ü€😀'",
                                          "-9223372036854775808",
                                          "00012",
                                          "5.",
                                          "'); --'"};
  constexpr std::string_view kMangles[] = {"'", "(", ")", ",", " ",  "-",  "--x\n", "/*c*/",
                                           "1", ".", "e", "x", "''", "E'", "\n",    ";"};
  std::size_t read = 0;
  for (std::uint64_t seed = 0; seed < 10'000; ++seed) {
    Rng rng(seed);
    const std::size_t columns = 1 + rng.below(4);
    std::string text = "INSERT INTO t VALUES ";
    for (std::size_t row = 0, rows = 2 + rng.below(4); row < rows; ++row) {
      text += row == 0 ? "(" : rng.chance(0.5) ? ",(" : " , ( ";
      for (std::size_t column = 0; column < columns; ++column) {
        if (column > 0) text += rng.chance(0.5) ? "," : ", ";
        text += kValues[rng.below(std::size(kValues))];
      }
      text += ")";
    }
    if (rng.chance(0.2)) text += " ON CONFLICT DO NOTHING";
    if (rng.chance(0.5))
      text.insert(rng.below(text.size()), kMangles[rng.below(std::size(kMangles))]);
    CAPTURE(seed);
    CAPTURE(text);
    REQUIRE(check_bulk(text) == "");
    if (read_bulk(text).read) ++read;
  }
  CHECK(read > 3'000);
}

}  // namespace coppice::planner
