// log.h — Log: what a part says to the operator, and where it goes.
//
//   log.info("flushed memtable", "tree={} bytes={}", tree, bytes);
//
// Message = lower-case verb phrase, then key=value. Levels: error = someone must act (and a test
// fails), warn = degraded but serving, info = state changed (less than one a second), debug = per
// operation, trace = per block. Log an error once, where it is handled. Fiber, tenant and query ids
// are added from the fiber that speaks.
//
// Role:     Log is handed in, one per part; LogHub owns level and sink.
// Owns:     LogHub owns the sink; a Log views its hub and is as cheap to copy as its name.
// Threads:  any.
// Parks:    never; the sink queues, and drops and counts what does not fit.
#pragma once

#include <fmt/core.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "kernel/base/time.h"

namespace coppice {

enum class LogLevel : std::uint8_t { kTrace, kDebug, kInfo, kWarn, kError, kOff };
std::string_view log_level_name(LogLevel level);  // "info"

constexpr std::size_t kLogFieldsMax = 4096;  // bytes of formatted fields; the rest is cut

struct LogRecord {  // views live for the call of write()
  WallTime at;
  LogLevel level;
  std::string_view part;
  std::string_view message;
  std::string_view fields;  // "tree=7 bytes=4096", with the fiber's ids at the end
};

class LogSink {
 public:
  virtual ~LogSink() = default;
  virtual void write(const LogRecord& record) noexcept = 0;
  virtual void flush() noexcept {}
  virtual std::uint64_t dropped() const { return 0; }  // records that did not fit
};

// "2026-12-01T09:30:00.000123Z info  lsm: flushed memtable tree=7"
std::string format_log_line(const LogRecord& record);

class LogHub {
 public:
  LogHub(const Clock& clock, std::unique_ptr<LogSink> sink, LogLevel level);

  LogLevel level() const { return level_.load(std::memory_order_relaxed); }
  void set_level(LogLevel level) { level_.store(level, std::memory_order_relaxed); }
  const Clock& clock() const { return clock_; }
  LogSink& sink() { return *sink_; }

 private:
  const Clock& clock_;
  std::unique_ptr<LogSink> sink_;
  std::atomic<LogLevel> level_;
};

class Log {
 public:
  Log(LogHub& hub, std::string part) : hub_(&hub), part_(std::move(part)) {}

  template <class... Args>
  void error(std::string_view message, fmt::format_string<Args...> fields, Args&&... args) const {
    say(LogLevel::kError, message, fields, std::forward<Args>(args)...);
  }
  template <class... Args>
  void warn(std::string_view message, fmt::format_string<Args...> fields, Args&&... args) const {
    say(LogLevel::kWarn, message, fields, std::forward<Args>(args)...);
  }
  template <class... Args>
  void info(std::string_view message, fmt::format_string<Args...> fields, Args&&... args) const {
    say(LogLevel::kInfo, message, fields, std::forward<Args>(args)...);
  }
  template <class... Args>
  void debug(std::string_view message, fmt::format_string<Args...> fields, Args&&... args) const {
    say(LogLevel::kDebug, message, fields, std::forward<Args>(args)...);
  }
  template <class... Args>
  void trace(std::string_view message, fmt::format_string<Args...> fields, Args&&... args) const {
    say(LogLevel::kTrace, message, fields, std::forward<Args>(args)...);
  }
  void error(std::string_view message) const { say(LogLevel::kError, message, ""); }
  void warn(std::string_view message) const { say(LogLevel::kWarn, message, ""); }
  void info(std::string_view message) const { say(LogLevel::kInfo, message, ""); }
  void debug(std::string_view message) const { say(LogLevel::kDebug, message, ""); }
  void trace(std::string_view message) const { say(LogLevel::kTrace, message, ""); }

  bool enabled(LogLevel level) const { return level >= hub_->level(); }
  const std::string& part() const { return part_; }

 private:
  template <class... Args>
  void say(LogLevel level, std::string_view message, fmt::format_string<Args...> fields,
           Args&&... args) const {
    if (enabled(level)) write(level, message, fields, fmt::make_format_args(args...));
  }
  void write(LogLevel level, std::string_view message, fmt::string_view fields,
             fmt::format_args args) const noexcept;

  LogHub* hub_;
  std::string part_;
};

struct SpdlogOptions {
  std::string file;  // empty: standard error
  std::size_t queue_records_max = 4096;
};
// spdlog's asynchronous logger behind a bounded queue: the oldest record goes when it is full.
// Errors: the returned sink falls back to standard error when the file cannot be opened, and says
// so.
std::unique_ptr<LogSink> make_spdlog_sink(const SpdlogOptions& options);

}  // namespace coppice
