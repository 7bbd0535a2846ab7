// datadriven.cpp — reading, checking and rewriting files of cases.
#include "tests/support/datadriven.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

namespace coppice {

namespace {

std::vector<std::string> read_lines(const std::string& path) {
  std::ifstream file(path);
  REQUIRE_MESSAGE(file.good(), "cannot read ", path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

std::string with_newline(std::string text) {
  if (!text.empty() && text.back() != '\n') text += '\n';
  return text;
}

}  // namespace

void run_data_file(const std::string& path,
                   const std::function<std::string(const DataCase&)>& run) {
  const bool rewrite = std::getenv("COPPICE_REWRITE") != nullptr;
  const std::vector<std::string> lines = read_lines(path);
  std::string out;
  std::size_t at = 0;
  int cases = 0;
  while (at < lines.size()) {
    if (lines[at].empty() || lines[at].starts_with('#')) {
      out += lines[at++] + "\n";
      continue;
    }
    DataCase data{lines[at], "", static_cast<int>(at + 1)};
    out += lines[at++] + "\n";
    while (at < lines.size() && lines[at] != "----") data.input += lines[at++] + "\n";
    REQUIRE_MESSAGE(at < lines.size(), path, ":", data.line, ": case without ----");
    ++at;
    std::string expected;
    while (at < lines.size() && !lines[at].empty()) expected += lines[at++] + "\n";
    const std::string got = with_newline(run(data));
    out += data.input + "----\n" + got;
    ++cases;
    if (rewrite) continue;
    INFO(path, ":", data.line, ": ", data.command);
    CHECK(got == expected);
  }
  CHECK_MESSAGE(cases > 0, path, " has no cases");
  if (rewrite) std::ofstream(path) << out;
}

}  // namespace coppice
