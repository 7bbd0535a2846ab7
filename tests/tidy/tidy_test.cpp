// tidy_test.cpp — the lint: this tree keeps the house rules.
#include <doctest/doctest.h>

#include <cstdio>
#include <string>

#include "tests/tidy/rules.h"

using namespace coppice;
using namespace coppice::tidy;

namespace {

constexpr const char* kPolicyFile = "tests/tidy/layers.toml";

Policy policy_of(const Repo& repo) {
  const File* file = repo.find(kPolicyFile);
  REQUIRE_MESSAGE(file != nullptr, "run me from the root of the repository");
  Result<Policy> policy = parse_policy(file->text);
  REQUIRE_MESSAGE(policy.has_value(), policy.error().to_string());
  return *std::move(policy);
}

void read_tree(Repo& repo) {
  const Status tree = read_work_tree(repo);
  REQUIRE_MESSAGE(tree.has_value(), tree.error().to_string());
  const Status targets = read_targets(repo, COPPICE_BUILD_DIR "/targets.txt");
  REQUIRE_MESSAGE(targets.has_value(), targets.error().to_string());
}

}  // namespace

TEST_CASE("the tree keeps the house rules") {
  Repo repo;
  read_tree(repo);
  const Problems problems = run_rules(repo, policy_of(repo), all_rules());
  for (const Problem& problem : problems) std::printf("%s\n", problem.to_string().c_str());
  CHECK_MESSAGE(problems.empty(), problems.size(),
                " problems, listed above. docs/STYLE.md says why; an exception is a line with its "
                "reason in tests/tidy/allow/<rule>.txt");
}

TEST_CASE("messages of commits that are not on main yet name no place on one machine") {
  Repo repo;
  read_tree(repo);
  const Policy policy = policy_of(repo);
  const Result<std::string> log = output_of(
      "git -c safe.directory='*' log --format='%s%n%b' main..HEAD -- 2>/dev/null || true");
  REQUIRE(log.has_value());
  for (const std::string_view line : split_lines(*log)) {
    for (const std::string& name : policy.private_names) {
      CHECK_MESSAGE(line.find(name) == std::string_view::npos, std::string(line));
    }
  }
}
