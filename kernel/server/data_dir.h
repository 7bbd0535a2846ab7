// data_dir.h — the data directory: made when absent, and locked against a second server.
//
// Errors:   kIo when it cannot be made or opened, kUnavailable when another process has it.
#pragma once

#include <string>
#include <utility>

#include "kernel/base/result.h"

namespace coppice {

class DataDirLock {
 public:
  static Result<DataDirLock> take(const std::string& path);
  DataDirLock(DataDirLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  DataDirLock& operator=(DataDirLock&&) = delete;
  ~DataDirLock();

 private:
  explicit DataDirLock(int fd) : fd_(fd) {}
  int fd_;
};

}  // namespace coppice
