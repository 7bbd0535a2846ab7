// settings_test.cpp — the kernel's own sections, and what the runtime is made with.
#include "kernel/core/settings.h"

#include <doctest/doctest.h>

#include "kernel/base/bytes.h"
#include "tests/support/config_text.h"

namespace coppice {
namespace {

unsigned dedicated(const fiber::ThreadOptions& options, fiber::Priority priority) {
  return options.lanes[static_cast<std::size_t>(priority)].dedicated_threads;
}

TEST_CASE("by default there is a worker for each core, and a thread for the log on big machines") {
  const auto small = to_thread_options(FiberSection{}, 2);
  CHECK(small.workers == 2);
  CHECK(small.stealing == fiber::Stealing::kTwoWaiting);
  CHECK(dedicated(small, fiber::Priority::kLog) == 0);
  const auto big = to_thread_options(FiberSection{}, 16);
  CHECK(big.workers == 16);
  CHECK(dedicated(big, fiber::Priority::kLog) == 1);
  CHECK(dedicated(big, fiber::Priority::kQuery) == 0);
}

TEST_CASE("what the section says reaches the runtime") {
  const auto section = config_from_text<FiberSection>(R"(
workers = 3
stealing = "never"
poll = "20us"
helpers = 2
disk = "threads"
stall = "0ns"
[lanes.log]
dedicated_threads = 0
[lanes.background]
dedicated_threads = 2
)");
  REQUIRE(section);
  const auto options = to_thread_options(*section, 16);
  CHECK(options.workers == 3);
  CHECK(options.stealing == fiber::Stealing::kNever);
  CHECK(options.poll == 20us);
  CHECK(options.helpers == 2);
  CHECK(options.disk == fiber::DiskEngine::kThreads);
  CHECK(options.stall == 0ns);
  CHECK(dedicated(options, fiber::Priority::kLog) == 0);
  CHECK(dedicated(options, fiber::Priority::kBackground) == 2);
}

TEST_CASE("a lane that does not exist is said") {
  const auto section = config_from_text<FiberSection>("[lanes.raft]\n");
  REQUIRE_FALSE(section);
  CHECK(section.error().message() ==
        "test.toml:1:1: [test] lanes: no lane \"raft\"; lanes are: log, query, flush, background\n"
        "1 problem; nothing was started");
}

TEST_CASE("memory is a size, or found out") {
  CHECK_FALSE(config_from_text<MemorySection>("total = \"auto\"")->total);
  CHECK(config_from_text<MemorySection>("total = \"4GiB\"")->total->bytes == 4_GiB);
  CHECK_FALSE(config_from_text<MemorySection>("total = \"1MiB\""));
}

}  // namespace
}  // namespace coppice
