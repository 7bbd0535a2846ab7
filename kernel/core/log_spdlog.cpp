// log_spdlog.cpp — the only file that sees spdlog: an asynchronous logger that drops and counts.
#include <spdlog/async_logger.h>
#include <spdlog/details/thread_pool.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

#include "kernel/core/log.h"

namespace coppice {

namespace {

spdlog::level::level_enum to_spdlog(LogLevel level) {
  return static_cast<spdlog::level::level_enum>(level);  // the first four are the same
}

class SpdlogSink final : public LogSink {
 public:
  SpdlogSink(const spdlog::sink_ptr& sink, std::size_t queue_records_max)
      : pool_(std::make_shared<spdlog::details::thread_pool>(queue_records_max, 1)),
        logger_(std::make_shared<spdlog::async_logger>(
            "coppice", sink, pool_, spdlog::async_overflow_policy::overrun_oldest)) {
    logger_->set_pattern("%v");
    logger_->set_level(spdlog::level::trace);  // LogHub decides
    logger_->flush_on(spdlog::level::info);
  }
  void write(const LogRecord& record) noexcept override {
    const std::string line = format_log_line(record);
    logger_->log(to_spdlog(record.level), spdlog::string_view_t(line.data(), line.size()));
  }
  void flush() noexcept override { logger_->flush(); }
  std::uint64_t dropped() const override { return pool_->overrun_counter(); }

 private:
  std::shared_ptr<spdlog::details::thread_pool> pool_;  // its destructor writes what is queued
  std::shared_ptr<spdlog::async_logger> logger_;
};

}  // namespace

std::unique_ptr<LogSink> make_spdlog_sink(const SpdlogOptions& options) {
  if (!options.file.empty()) {
    try {
      return std::make_unique<SpdlogSink>(
          std::make_shared<spdlog::sinks::basic_file_sink_mt>(options.file),
          options.queue_records_max);
    } catch (const spdlog::spdlog_ex& error) {
      std::fprintf(stderr, "cannot log to %s: %s; logging here\n", options.file.c_str(),
                   error.what());
    }
  }
  return std::make_unique<SpdlogSink>(std::make_shared<spdlog::sinks::stderr_sink_mt>(),
                                      options.queue_records_max);
}

}  // namespace coppice
