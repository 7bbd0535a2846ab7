// snippets.h — a tree of one or a few files, made by a test, and what a rule says to it.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "tests/tidy/rules.h"

namespace coppice::tidy {

using Files = std::initializer_list<std::pair<std::string, std::string>>;

// Each problem as "path:line: rule".
inline std::vector<std::string> complaints(Rule rule, const Policy& policy, Files files) {
  Repo repo;
  for (const auto& [path, text] : files) repo.add(path, text);
  Problems problems;
  rule(repo, policy, problems);
  std::vector<std::string> out;
  out.reserve(problems.size());
  for (const Problem& problem : problems) {
    out.push_back(problem.path + ":" + std::to_string(problem.line) + ": " + problem.rule);
  }
  return out;
}

using Complaints = std::vector<std::string>;

}  // namespace coppice::tidy
