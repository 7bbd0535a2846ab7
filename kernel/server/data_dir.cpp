// data_dir.cpp — an advisory lock (flock) on the file LOCK; it goes with the process, however that
// ends.
#include "kernel/server/data_dir.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace coppice {

namespace {
std::unexpected<Error> io_error(const std::string& path, int error) {
  return fail(Code::kIo, "data directory " + path + ": " + std::strerror(error));
}
}  // namespace

Result<DataDirLock> DataDirLock::take(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) return io_error(path, error.value());
  const int fd = ::open((path + "/LOCK").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) {
    const int open_errno = errno;
    return io_error(path, open_errno);
  }
  DataDirLock lock(fd);
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    const int lock_errno = errno;
    if (lock_errno != EWOULDBLOCK) return io_error(path, lock_errno);
    return fail(Code::kUnavailable, "data directory " + path + ": another server is using it");
  }
  return lock;
}

DataDirLock::~DataDirLock() {
  if (fd_ >= 0) ::close(fd_);
}

}  // namespace coppice
