// rules.cpp — the table, and the allowlists.
#include "tests/tidy/rules.h"

#include <algorithm>
#include <array>
#include <map>

namespace coppice::tidy {
namespace {

constexpr std::string_view kAllowFolder = "tests/tidy/allow/";

constexpr std::array kRules = {
    Rule{check_include_direction}, Rule{check_third_party},
    Rule{check_include_style},     Rule{check_banned},
    Rule{check_naked_new},         Rule{check_try_place},
    Rule{check_range_for},         Rule{check_header_comment},
    Rule{check_file_name},         Rule{check_targets},
    Rule{check_private_names},     Rule{check_todo},
    Rule{check_markdown},          Rule{check_wire_ids},
    Rule{check_dependencies},
};

struct Allowed {
  std::string file;  // the allowlist
  int line;
  bool used = false;
};
using AllowKey = std::pair<std::string, std::string>;  // rule, path

// Lines are "path  reason"; the reason is required.
std::map<AllowKey, Allowed> read_allowlists(const Repo& repo, Problems& problems) {
  std::map<AllowKey, Allowed> allowed;
  for (const File& file : repo.files()) {
    if (!file.path.starts_with(kAllowFolder)) continue;
    const std::string rule(file.name().substr(0, file.name().rfind('.')));
    int number = 0;
    for (const std::string_view line : split_lines(file.text)) {
      ++number;
      if (line.empty() || line.starts_with('#')) continue;
      const std::size_t gap = line.find("  ");
      if (gap == std::string_view::npos) {
        problems.push_back(
            {file.path, number, "allow", "a line is `path  reason`, two spaces apart"});
        continue;
      }
      allowed[{rule, std::string(line.substr(0, gap))}] = {file.path, number};
    }
  }
  return allowed;
}

}  // namespace

std::string Problem::to_string() const {
  return path + ":" + std::to_string(line) + ": " + rule + ": " + what;
}

std::span<const Rule> all_rules() {
  return kRules;
}

Problems run_rules(const Repo& repo, const Policy& policy, std::span<const Rule> rules) {
  Problems found;
  for (const Rule rule : rules) rule(repo, policy, found);

  Problems problems;
  std::map<AllowKey, Allowed> allowed = read_allowlists(repo, problems);
  for (Problem& problem : found) {
    const auto exception = allowed.find({problem.rule, problem.path});
    if (exception == allowed.end()) {
      problems.push_back(std::move(problem));
    } else {
      exception->second.used = true;
    }
  }
  for (const auto& [key, entry] : allowed) {
    if (!entry.used) {
      problems.push_back(
          {entry.file, entry.line, "allow", key.second + " needs no exception; remove the line"});
    }
  }
  std::ranges::sort(problems, {},
                    [](const Problem& problem) { return std::pair(problem.path, problem.line); });
  return problems;
}

}  // namespace coppice::tidy
