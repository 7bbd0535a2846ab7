// copy_text_test.cpp — lines and fields of COPY's text format.
#include "modules/session/copy_text.h"

#include <doctest/doctest.h>

#include "interfaces/types/sql_error.h"
#include "kernel/base/random.h"

using namespace coppice;
using namespace coppice::session;

namespace {

// All lines of `pieces`, each in brackets, then the error if any.
std::string lines_of(const std::vector<std::string>& pieces) {
  CopyLines lines;
  std::string all;
  for (std::size_t i = 0; i <= pieces.size(); ++i) {
    if (i < pieces.size()) {
      lines.feed(as_bytes(pieces[i]));
    } else {
      lines.end();
    }
    for (;;) {
      const auto line = lines.next();
      if (!line)
        return all + " " + std::string(sqlstate_of(line.error())) + " " + line.error().message();
      if (!*line) break;
      all += "[" + std::string(**line) + "]";
    }
  }
  return all;
}

std::string fields_of(std::string_view line, char delimiter = '\t', std::string_view null = "\\N") {
  CopyFields fields;
  fields.split(line, delimiter, null);
  std::string all;
  for (std::size_t i = 0; i < fields.size(); ++i)
    all += "[" + (fields[i] ? std::string(*fields[i]) : std::string("NULL!")) + "]";
  return all;
}

}  // namespace

TEST_CASE("lines end as the first one does") {
  CHECK(lines_of({"a\nb\n"}) == "[a][b]");
  CHECK(lines_of({"a\nb"}) == "[a][b]");
  CHECK(lines_of({"a\r\nb\r\n"}) == "[a][b]");
  CHECK(lines_of({"a\r", "\nb\r", "\n"}) == "[a][b]");
  CHECK(lines_of({"a\rb\r"}) == "[a][b]");
  CHECK(lines_of({"a\rb"}) == "[a][b]");
  CHECK(lines_of({"\n\n"}) == "[][]");
  CHECK(lines_of({""}) == "");
  CHECK(lines_of({"a\nb\rc\n"}) == "[a] 22P04 literal carriage return found in data");
  CHECK(lines_of({"a\r\nb\nc\r\n"}) == "[a] 22P04 literal newline found in data");
  CHECK(lines_of({"a\\\nb\nc\n"}) == "[a\\\nb][c]");  // an escaped newline is data
  CHECK(lines_of({"a\n\\.\nb\n"}) == "[a]");
  CHECK(lines_of({"a\n\\", ".", "\nb\n"}) == "[a]");
}

TEST_CASE("pieces of any size give the same lines") {
  Rng rng(7);
  const std::string alphabet = "ab\\\n\n\t.";
  for (int round = 0; round < 500; ++round) {
    std::string text;
    for (std::uint64_t n = rng.below(40); n > 0; --n) text += alphabet[rng.below(alphabet.size())];
    std::vector<std::string> pieces;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t length = 1 + rng.below(5);
      pieces.push_back(text.substr(at, length));
      at += length;
    }
    CAPTURE(text);
    CHECK(lines_of(pieces) == lines_of({text}));
  }
}

TEST_CASE("fields: delimiters, NULLs, escapes") {
  CHECK(fields_of("1\ta\t\\N") == "[1][a][NULL!]");
  CHECK(fields_of("") == "[]");
  CHECK(fields_of("\t") == "[][]");
  CHECK(fields_of("\\\\N\t\\t\\n\\b\\f\\r\\v") == "[\\N][\t\n\b\f\r\v]");
  CHECK(fields_of("\\101\\x41\\x4g\\q\\7") == "[AA\x04gq\a]");
  CHECK(fields_of("a\\,b,c", ',', "") == "[a,b][c]");
  CHECK(fields_of("a,,b", ',', "") == "[a][NULL!][b]");
  CHECK(fields_of("a\\") == "[a\\]");
}

TEST_CASE("what is written is read back") {
  Rng rng(11);
  for (int round = 0; round < 500; ++round) {
    std::vector<std::string> values(1 + rng.below(4));
    std::vector<std::optional<std::string_view>> fields;
    for (std::string& value : values) {
      for (std::uint64_t n = rng.below(10); n > 0; --n)
        value += static_cast<char>(1 + rng.below(127));
      if (rng.chance(0.2)) {
        fields.emplace_back(std::nullopt);
      } else {
        fields.emplace_back(value);
      }
    }
    std::string text;
    append_copy_line(fields, "|", "\\N", text);
    REQUIRE(text.back() == '\n');
    CopyLines lines;
    lines.feed(as_bytes(text));
    const auto line = lines.next();
    REQUIRE(line);
    REQUIRE(line->has_value());
    CopyFields read;
    read.split(**line, '|', "\\N");
    REQUIRE(read.size() == fields.size());
    for (std::size_t i = 0; i < fields.size(); ++i) CHECK(read[i] == fields[i]);
  }
}
