// golden_test.cpp — every text of the corpus against its recorded tree, or its recorded error.
#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "modules/planner/parse/ast_dump.h"
#include "modules/planner/parse/parser.h"
#include "tests/modules/planner/parse/corpus.h"

namespace coppice::planner {
namespace {

std::string outcome(const std::string& text) {
  const Result<ParsedText> parsed = parse(text);
  std::string out = "> " + text + "\n";
  if (!parsed) {
    const Error& error = parsed.error();
    out += "  ERROR " + std::string(sqlstate_of(error)) + ": " + error.message();
    for (const char field : {'P', 'D', 'H'})
      if (const std::string* value = error.find_note(field))
        out += std::string(" ") + field + "=" + *value;
    return out + "\n";
  }
  for (const ParsedStatement& statement : parsed->statements)
    out += "  " + std::to_string(statement.offset) + "+" + std::to_string(statement.length) + " " +
           dump(*statement.tree) + "\n";
  return out;
}

std::string read_all(const std::string& path) {
  std::ifstream in(path);
  std::stringstream all;
  all << in.rdbuf();
  return all.str();
}

}  // namespace

TEST_CASE("the corpus parses into its recorded trees") {
  const bool rewrite = std::getenv("COPPICE_REWRITE") != nullptr;
  for (const std::string& file : corpus_files()) {
    CAPTURE(file);
    const std::vector<std::string> texts = corpus_texts(file);
    REQUIRE(!texts.empty());
    std::string actual;
    for (const std::string& text : texts) actual += outcome(text);
    const std::string path = corpus_path(file, ".golden");
    if (rewrite) std::ofstream(path) << actual;
    std::istringstream golden(read_all(path));
    std::istringstream got(actual);
    std::string golden_line;
    std::string got_line;
    while (std::getline(got, got_line)) {
      std::getline(golden, golden_line);
      REQUIRE(got_line == golden_line);
    }
    CHECK(!std::getline(golden, golden_line));
  }
}

}  // namespace coppice::planner
