// utf8_test.cpp — what PostgreSQL takes as UTF-8.
#include "modules/planner/parse/utf8.h"

#include <doctest/doctest.h>

#include <string>

#include "interfaces/types/sql_error.h"

namespace coppice::planner {

TEST_CASE("valid UTF-8 is taken at every offset") {
  for (const char* piece : {"a", "\x7f", "ü", "€", "😀", "\xed\x9f\xbf", "\xf4\x8f\xbf\xbf"})
    for (std::size_t before = 0; before < 40; ++before) {
      const std::string text = std::string(before, 'x') + piece + std::string(before % 3, 'y');
      CHECK(find_invalid_utf8(text) == text.size());
    }
}

TEST_CASE("a wrong sequence is found where it begins") {
  const std::string_view wrong[] = {std::string_view("\0", 1),
                                    "\x80",
                                    "\xc0\xaf",
                                    "\xc1\x81",
                                    "\xc3",
                                    "\xc3(",
                                    "\xe0\x80\x80",
                                    "\xed\xa0\x80",
                                    "\xe2\x82",
                                    "\xf0\x80\x80\x80",
                                    "\xf4\x90\x80\x80",
                                    "\xf5\x80\x80\x80",
                                    "\xff"};
  for (const std::string_view piece : wrong)
    for (std::size_t before = 0; before < 40; ++before) {
      const std::string text = std::string(before, 'x') + std::string(piece);
      CHECK(find_invalid_utf8(text) == before);
      CHECK(find_invalid_utf8(text + "tail") == before);
    }
}

TEST_CASE("the error is PostgreSQL's") {
  const Status status = check_utf8("ab\xe2\x28\xa1");
  REQUIRE(!status.has_value());
  CHECK(sqlstate_of(status.error()) == "22021");
  CHECK(status.error().message() == "invalid byte sequence for encoding \"UTF8\": 0xe2 0x28 0xa1");
  const Status nul = check_utf8(std::string_view("a\0b", 3));
  REQUIRE(!nul.has_value());
  CHECK(nul.error().message() == "invalid byte sequence for encoding \"UTF8\": 0x00");
}

}  // namespace coppice::planner
