// command_line_test.cpp — argv to actions and overrides.
#include "kernel/server/command_line.h"

#include <doctest/doctest.h>

namespace coppice {
namespace {

const std::vector<ConfigFlag> kFlags = {{"data", "server.data_dir", "string", "Where."},
                                        {"port", "pgwire.port", "integer", "TCP port."}};

Result<CommandLine> parse(std::vector<const char*> words) {
  words.insert(words.begin(), "coppice");
  return parse_command_line(static_cast<int>(words.size()), words.data(), kFlags);
}

TEST_CASE("without arguments it runs with the built-in config") {
  const auto line = parse({});
  REQUIRE(line);
  CHECK(line->action == Action::kRun);
  CHECK(line->config_file.empty());
  CHECK(line->overrides.empty());
}

TEST_CASE("options of parts and --set become overrides; options win, since they come last") {
  const auto line = parse({"--config", "x.toml", "--set", "lsm.vfs=a=b", "--port", "5432", "--set",
                           "kernel.modules=[\"a\", \"b\"]", "--data", "/d"});
  REQUIRE(line);
  CHECK(line->config_file == "x.toml");
  REQUIRE(line->overrides.size() == 4);
  CHECK(line->overrides[0].path == "lsm.vfs");
  CHECK(line->overrides[0].value == "a=b");
  CHECK(line->overrides[0].said_by == "--set lsm.vfs=a=b");
  CHECK(line->overrides[1].value == "[\"a\", \"b\"]");
  CHECK(line->overrides[2].path == "server.data_dir");
  CHECK(line->overrides[2].said_by == "--data");
  CHECK(line->overrides[3].path == "pgwire.port");
  CHECK(line->overrides[3].value == "5432");
}

TEST_CASE("each action has its option") {
  CHECK(parse({"--check"})->action == Action::kCheck);
  CHECK(parse({"--list"})->action == Action::kList);
  CHECK(parse({"--graph"})->action == Action::kGraph);
  CHECK(parse({"--config-reference"})->action == Action::kConfigReference);
  const auto explain = parse({"--explain", "lsm.vfs"});
  CHECK(explain->action == Action::kExplain);
  CHECK(explain->text == "lsm.vfs");
  const auto help = parse({"--help"});
  CHECK(help->action == Action::kPrint);
  CHECK(help->text.find("--port") != std::string::npos);
  CHECK(parse({"--version"})->text.starts_with("coppice 0."));
}

TEST_CASE("what is wrong is an error with a hint") {
  CHECK(parse({"--prot", "1"}).error().message().ends_with("; see coppice --help"));
  CHECK(parse({"--port"}).error().code() == Code::kInvalidArgument);
  CHECK(parse({"stray"}).error().code() == Code::kInvalidArgument);
  CHECK(parse({"--set", "nothing"}).error().message() ==
        "--set nothing: expected SECTION.KEY=VALUE");
}

}  // namespace
}  // namespace coppice
