// server_test.cpp — the process: start, signals, exit codes, memory when idle.
#include <doctest/doctest.h>

#include <csignal>
#include <fstream>

#include "kernel/base/bytes.h"
#include "kernel/server/data_dir.h"
#include "kernel/server/signals.h"
#include "tests/support/child_process.h"

namespace coppice {
namespace {

constexpr std::uint64_t kIdleBytesMax = 64_MiB;  // the promise of README

std::vector<std::string> server(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {COPPICE_BINARY, "--set", "kernel.modules=[]"});
  return arguments;
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("a server without modules starts, is small when idle, and stops on a signal") {
  for (const int signal : {SIGTERM, SIGINT}) {
    const TempDir dir;
    ChildProcess process(server({"--data", dir / "data"}));
    REQUIRE(process.read_until("kernel: ready"));
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    CHECK(process.resident_bytes() < kIdleBytesMax);
    CHECK(process.resident_bytes() > 0);
#endif
    process.signal(signal);
    CHECK(process.wait() == 0);
    CHECK(contains(process.output(), "kernel: stopped"));
  }
}

TEST_CASE("a data directory belongs to one server, and is free again after its death") {
  const TempDir dir;
  {
    ChildProcess first(server({"--data", dir.path()}));
    REQUIRE(first.read_until("kernel: ready"));
    ChildProcess second(server({"--data", dir.path()}));
    CHECK(second.wait() == 1);
    CHECK(contains(second.output(), "another server is using it"));
    first.signal(SIGKILL);
    CHECK(first.wait() == 128 + SIGKILL);
  }
  CHECK(DataDirLock::take(dir.path()));
}

TEST_CASE("a data directory that cannot be made is an error") {
  const TempDir dir;
  std::ofstream(dir / "file") << "x";
  const auto lock = DataDirLock::take(dir / "file/data");
  REQUIRE_FALSE(lock);
  CHECK(lock.error().code() == Code::kIo);
}

TEST_CASE("a config with problems starts nothing") {
  const TempDir dir;
  const std::string config = dir / "bad.toml";
  std::ofstream(config) << "[kernel]\nmoduls = []\n";
  ChildProcess process({COPPICE_BINARY, "--config", config, "--data", dir / "data"});
  CHECK(process.wait() == 1);
  CHECK(process.output() == config +
                                ":2:1: [kernel] moduls: unknown key; did you mean \"modules\"?\n"
                                "1 problem; nothing was started\n");
  CHECK_FALSE(std::filesystem::exists(dir / "data"));
}

TEST_CASE("a config file that is not there, or no TOML, is said") {
  ChildProcess absent({COPPICE_BINARY, "--config", "/nowhere/x.toml"});
  CHECK(absent.wait() == 1);
  CHECK(absent.output() == "/nowhere/x.toml: cannot be read\n");
  const TempDir dir;
  std::ofstream(dir / "x.toml") << "[kernel\n";
  ChildProcess broken({COPPICE_BINARY, "--check", "--config", dir / "x.toml"});
  CHECK(broken.wait() == 1);
  CHECK(contains(broken.output(), "x.toml:1:8: "));
}

TEST_CASE("what only prints ends at once") {
  const std::pair<std::vector<std::string>, std::string_view> cases[] = {
      {{"--check"}, "the config is fine: 0 modules"},
      {{"--version"}, "coppice "},
      {{"--help"}, "--config FILE"},
      {{"--list"}, "modules\n"},
      {{"--explain", "memory.total"}, "option:  --memory"},
      {{"--config-reference"}, "# Config reference"},
  };
  for (const auto& [arguments, text] : cases) {
    CAPTURE(text);
    ChildProcess process(server(arguments));
    CHECK(process.wait() == 0);
    CHECK(contains(process.output(), text));
  }
  ChildProcess unknown({COPPICE_BINARY, "--prot"});
  CHECK(unknown.wait() == 2);
}

int wait_for_signals(Duration patience) {
  const SignalWatch watch(patience, [](std::string_view name) {
    std::printf("told to stop by %s\n", std::string(name).c_str());
    std::fflush(stdout);
  });
  std::printf("waiting\n");
  std::fflush(stdout);
  for (;;) ::pause();
}

TEST_CASE("a second signal ends the process at once") {
  ChildProcess process([] { return wait_for_signals(1h); });
  REQUIRE(process.read_until("waiting"));
  process.signal(SIGTERM);
  REQUIRE(process.read_until("told to stop by SIGTERM"));
  process.signal(SIGINT);
  CHECK(process.wait() == 1);
  CHECK(contains(process.output(), "second signal"));
}

TEST_CASE("a stop that takes too long is cut short") {
  ChildProcess process([] { return wait_for_signals(20ms); });
  REQUIRE(process.read_until("waiting"));
  process.signal(SIGTERM);
  CHECK(process.wait() == 1);
  CHECK(contains(process.output(), "the stop took too long"));
}

}  // namespace
}  // namespace coppice
