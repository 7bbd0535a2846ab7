// config_files_test.cpp — every file of config/ starts a server, and the generated page is fresh.
#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "kernel/core/config_toml.h"
#include "kernel/core/reference.h"
#include "kernel/server/default_config.h"
#include "tests/support/child_process.h"

namespace coppice {
namespace {

std::string read_file(const std::string& path) {
  std::ifstream file(path);
  REQUIRE_MESSAGE(file.good(), "cannot read ", path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> config_files() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator("config")) {
    files.push_back(entry.path().string());
  }
  std::ranges::sort(files);
  return files;
}

TEST_CASE("every file of config/ has no problems") {
  const Inventory inventory = builtin_inventory();
  CHECK(inventory.clashes().empty());
  REQUIRE(config_files().size() >= 3);
  for (const std::string& file : config_files()) {
    const auto tree = parse_toml(read_file(file), file);
    REQUIRE_MESSAGE(tree, tree.error().message());
    Problems problems;
    plan_boot(inventory, *tree, {}, problems);
    CHECK_MESSAGE(problems.empty(), problems.to_string());
  }
}

TEST_CASE("every file of config/ starts a server that stops in order") {
  const auto flags = config_flags(builtin_inventory());
  for (const std::string& file : config_files()) {
    CAPTURE(file);
    const TempDir dir;
    std::vector<std::string> argv = {COPPICE_BINARY, "--config", file, "--data", dir / "data"};
    if (std::ranges::find(flags, "port", &ConfigFlag::name) != flags.end()) {
      argv.insert(argv.end(), {"--port", "0"});  // any that is free
    }
    ChildProcess process(argv);
    const bool ready = process.read_until("kernel: ready");
    REQUIRE_MESSAGE(ready, process.output());
    process.signal(SIGTERM);
    CHECK(process.wait() == 0);
    CHECK_MESSAGE(process.output().find(" error ") == std::string::npos, process.output());
  }
}

TEST_CASE("the built-in config is config/coppice.toml") {
  CHECK(kDefaultConfig == read_file("config/coppice.toml"));
}

TEST_CASE("docs/config-reference.md is what the binary says") {
  const std::string path = "docs/config-reference.md";
  const std::string fresh = config_reference(builtin_inventory());
  if (std::getenv("COPPICE_REWRITE") != nullptr) std::ofstream(path) << fresh;
  CHECK_MESSAGE(read_file(path) == fresh,
                "stale: coppice --config-reference > docs/config-reference.md");
}

}  // namespace
}  // namespace coppice
