// capture_log.h — a log sink that keeps what was said, for tests.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "kernel/core/log.h"

namespace coppice {

class CaptureSink final : public LogSink {
 public:
  struct Line {
    LogLevel level;
    std::string text;  // "lsm: flushed memtable tree=7"
  };

  void write(const LogRecord& record) noexcept override {
    std::string text(record.part);
    text += ": ";
    text += record.message;
    if (!record.fields.empty()) {
      text += ' ';
      text += record.fields;
    }
    const std::lock_guard lock(mutex_);
    lines_.push_back({record.level, std::move(text)});
  }
  std::vector<Line> lines() const {
    const std::lock_guard lock(mutex_);
    return lines_;
  }
  bool has(std::string_view part_of_line) const {
    const std::lock_guard lock(mutex_);
    for (const Line& line : lines_) {
      if (line.text.find(part_of_line) != std::string::npos) return true;
    }
    return false;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<Line> lines_;
};

}  // namespace coppice
