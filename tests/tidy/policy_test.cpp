// policy_test.cpp — reading layers.toml, and what `where` covers.
#include "tests/tidy/policy.h"

#include <doctest/doctest.h>

using namespace coppice;
using namespace coppice::tidy;

TEST_CASE("a folder covers what is below it, a glob what fits") {
  CHECK(matches("modules/lsm/a.h", "modules/lsm"));
  CHECK(matches("modules/lsm/a.h", "modules/lsm/a.h"));
  CHECK_FALSE(matches("modules/lsm2/a.h", "modules/lsm"));
  CHECK(matches("tests/a/b.cpp", "tests/*.cpp"));
  CHECK_FALSE(matches("tests/a/b.h", "tests/*.cpp"));
}

TEST_CASE("a file's own folder has as many parts as `where`") {
  CHECK(own_folder("modules/lsm/sstable/a.h", "modules/*") == "modules/lsm");
  CHECK(own_folder("plugins/vfs/mem/a.h", "plugins/*/*") == "plugins/vfs/mem");
  CHECK(own_folder("kernel/base/a.h", "kernel/base") == "kernel/base");
}

TEST_CASE("every table of layers.toml arrives") {
  const Result<Policy> policy = parse_policy(R"(
    private_names = ["here"]
    [[layer]]
    where = "a"
    includes = ["b", "<own>"]
    [[library]]
    name = "zlib"
    headers = ["zlib.h"]
    [[third_party]]
    where = "a"
    libraries = ["zlib"]
    [[banned]]
    rule = "r"
    patterns = ["p"]
    where = ["w"]
    except = ["e"]
    why = "y"
  )");
  REQUIRE(policy.has_value());
  CHECK(policy->private_names == std::vector<std::string>{"here"});
  REQUIRE(policy->layers.size() == 1);
  CHECK(policy->layers[0].includes == std::vector<std::string>{"b", "<own>"});
  REQUIRE(policy->libraries.size() == 1);
  CHECK(policy->libraries[0].headers == std::vector<std::string>{"zlib.h"});
  REQUIRE(policy->third_party.size() == 1);
  CHECK(policy->third_party[0].libraries == std::vector<std::string>{"zlib"});
  REQUIRE(policy->banned.size() == 1);
  CHECK(policy->banned[0].except == std::vector<std::string>{"e"});
  CHECK(policy->banned[0].why == "y");
}

TEST_CASE("a policy that is no TOML names its line") {
  const Result<Policy> policy = parse_policy("a = 1\nb = ");
  REQUIRE_FALSE(policy.has_value());
  CHECK(policy.error().to_string().find("layers.toml:2") != std::string::npos);
}
