// kill_test.cpp — kill -9 of a real process with writers under way, over and over on one disk.
#include <doctest/doctest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <set>
#include <sstream>

#include "kernel/fiber/thread_runtime.h"
#include "plugins/vfs/local/local_vfs.h"
#include "tests/modules/raft/log_fixture.h"
#include "tests/support/child_process.h"

namespace coppice::raft {
namespace {

constexpr int kWriters = 4;

// One line to the pipe, whole or not at all.
void say(const std::string& line) {
  const std::string text = line + '\n';
  if (::write(STDOUT_FILENO, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    ::_exit(3);
}

// Says what it found, then "serving", then every key once it is acknowledged; until it is killed.
Status serve(const std::string& folder, fiber::ThreadRuntime& runtime) {
  LogHub hub(runtime.clock(), std::make_unique<CaptureSink>(), LogLevel::kInfo);
  vfs_local::LocalVfs vfs({}, folder, Log(hub, "vfs"));
  DriverOptions options;
  options.segment_bytes = 64 * kBlockBytes;
  options.pipeline_bytes = 0;
  Node node(vfs, runtime.clock(), options);
  COPPICE_TRY(node.start());
  for (const auto& [key, value] : node.machine.values) {
    if (value != key + std::string(key.size() * 331 % 3000, 'v'))
      return fail(Code::kCorruption, key);
    say("found " + key);
  }
  say("serving");
  const std::size_t round = node.machine.values.size();
  fiber::TaskGroup writers;
  for (int writer = 0; writer < kWriters; ++writer)
    writers.spawn({.name = "writer"}, [&node, writer, round] {
      for (int i = 0;; ++i) {
        const std::string key =
            std::to_string(writer) + '.' + std::to_string(round) + '.' + std::to_string(i);
        const auto at = node.set(key, key + std::string(key.size() * 331 % 3000, 'v'));
        if (!at) return;
        say("acked " + key);
        // The machine keeps nothing on disk, so the log must hold everything.
      }
    });
  writers.join();
  node.stop();
  return fail(Code::kInternal, "the log stopped by itself");
}

int serve_until_killed(const std::string& folder) {
  fiber::ThreadRuntime runtime(fiber::ThreadOptions{.workers = 2});
  Status status;
  static_cast<void>(runtime.run([&] { status = serve(folder, runtime); }));
  if (!status) say("failed: " + status.error().to_string());
  return 1;
}

// What of the output begins with `word`; a line that was cut short does not count.
std::set<std::string> lines_of(const std::string& output, std::string_view word) {
  std::set<std::string> found;
  std::istringstream lines(output.substr(0, output.rfind('\n') + 1));
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(word)) found.insert(line.substr(word.size() + 1));
  return found;
}

void kill_rounds(int rounds) {
  const TempDir folder;
  Rng rng(static_cast<std::uint64_t>(rounds));
  std::set<std::string> acknowledged;
  for (int round = 0; round < rounds; ++round) {
    CAPTURE(round);
    ChildProcess child([&folder] { return serve_until_killed(folder.path()); });
    REQUIRE_MESSAGE(child.read_until("serving\n"), child.output());
    const std::string moment = "." + std::to_string(rng.below(40)) + '\n';
    REQUIRE_MESSAGE(child.read_until(moment), child.output());
    child.signal(SIGKILL);
    REQUIRE(child.wait());
    const std::set<std::string> found = lines_of(child.output(), "found");
    for (const std::string& key : acknowledged) {
      CAPTURE(key);
      REQUIRE(found.contains(key));
    }
    acknowledged.merge(lines_of(child.output(), "acked"));
  }
  CHECK(acknowledged.size() > static_cast<std::size_t>(rounds));
}

TEST_CASE("kill -9 at random moments loses nothing acknowledged") {
  const char* rounds = std::getenv("COPPICE_KILL_ROUNDS");
  kill_rounds(rounds != nullptr ? std::atoi(rounds) : 8);
}

}  // namespace
}  // namespace coppice::raft
