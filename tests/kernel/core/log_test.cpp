// log_test.cpp — what a record looks like, what is dropped, and who speaks.
#include "kernel/core/log.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/support/capture_log.h"

namespace coppice {
namespace {

class FixedClock final : public Clock {
 public:
  Instant now() const override { return {0}; }
  WallTime wall_now() const override { return {946'684'800'000'123}; }
};

struct Said {
  FixedClock clock;
  std::unique_ptr<CaptureSink> made = std::make_unique<CaptureSink>();
  CaptureSink* sink = made.get();
  LogHub hub{clock, std::move(made), LogLevel::kInfo};
  Log log{hub, "lsm"};
};

TEST_CASE("a record is a part, a phrase and its fields") {
  Said said;
  said.log.info("flushed memtable", "tree={} bytes={}", 7, 4096);
  said.log.warn("running late");
  const auto lines = said.sink->lines();
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].level == LogLevel::kInfo);
  CHECK(lines[0].text == "lsm: flushed memtable tree=7 bytes=4096");
  CHECK(lines[1].text == "lsm: running late");
}

TEST_CASE("what is below the level is neither formatted nor written") {
  Said said;
  int formatted = 0;
  const auto count = [&] { return ++formatted; };
  said.log.debug("flushed block");
  CHECK(said.sink->lines().empty());
  CHECK_FALSE(said.log.enabled(LogLevel::kDebug));
  said.hub.set_level(LogLevel::kTrace);
  said.log.trace("flushed block", "n={}", count());
  CHECK(said.sink->lines().size() == 1);
  said.hub.set_level(LogLevel::kOff);
  said.log.error("too bad");
  CHECK(said.sink->lines().size() == 1);
}

TEST_CASE("fields beyond the bound are cut") {
  Said said;
  said.log.info("read", "text={}", std::string(100'000, 'x'));
  const auto lines = said.sink->lines();
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].text.size() < kLogFieldsMax + 32);
  CHECK(lines[0].text.starts_with("lsm: read text=xxx"));
}

TEST_CASE("a line has the time in UTC, to the microsecond") {
  const LogRecord record{{946'684'800'000'123}, LogLevel::kInfo, "lsm", "flushed", "tree=7"};
  CHECK(format_log_line(record) == "2000-01-01T00:00:00.000123Z info  lsm: flushed tree=7");
  const LogRecord leap{{1'709'251'199'999'999}, LogLevel::kError, "lsm", "flushed", ""};
  CHECK(format_log_line(leap) == "2024-02-29T23:59:59.999999Z error lsm: flushed");
}

TEST_CASE("the asynchronous sink writes everything that fits before it goes") {
  const auto path =
      std::filesystem::temp_directory_path() / ("coppice_log_test." + std::to_string(::getpid()));
  {
    const FixedClock clock;
    LogHub hub(clock, make_spdlog_sink({path.string(), 1024}), LogLevel::kInfo);
    const Log log(hub, "lsm");
    for (int i = 0; i < 500; ++i) log.info("flushed", "n={}", i);
    CHECK(hub.sink().dropped() == 0);
  }
  std::ifstream file(path);
  int lines = 0;
  for (std::string line; std::getline(file, line); ++lines) {
    CHECK(line == "2000-01-01T00:00:00.000123Z info  lsm: flushed n=" + std::to_string(lines));
  }
  CHECK(lines == 500);
  std::filesystem::remove(path);
}

TEST_CASE("a full queue drops the oldest and counts them") {
  const FixedClock clock;
  std::signal(SIGPIPE, SIG_IGN);
  // A fifo without a reader that keeps up: the sink's thread blocks once the pipe is full.
  const auto path =
      std::filesystem::temp_directory_path() / ("coppice_log_fifo." + std::to_string(::getpid()));
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  const int reader = ::open(path.c_str(), O_RDONLY | O_NONBLOCK);
  REQUIRE(reader >= 0);
  {
    LogHub hub(clock, make_spdlog_sink({path.string(), 64}), LogLevel::kInfo);
    const Log log(hub, "lsm");
    const std::string text(1000, 'x');
    for (int i = 0; i < 2000; ++i) log.info("flushed", "text={}", text);
    CHECK(hub.sink().dropped() > 1000);
    ::fcntl(reader, F_SETFL, 0);
    ::close(reader);  // the writer gets EPIPE and ends
  }
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace coppice
