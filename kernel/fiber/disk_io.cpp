// disk_io.cpp — short transfers and errors.
#include "kernel/fiber/disk_io.h"

#include <cerrno>
#include <cstddef>

#include "kernel/base/assert.h"
#include "kernel/fiber/os_error.h"

namespace coppice::fiber {

bool continue_read(DiskRead& read, int result) {
  if (result == -EINTR || result == -EAGAIN) return true;
  if (result < 0) {
    read.os_errno = -result;
    return false;
  }
  read.bytes += static_cast<std::size_t>(result);
  COPPICE_ASSERT(read.bytes <= read.into.size());
  return result > 0 && read.bytes < read.into.size() && read.bytes % kSectorBytes == 0;
}

void reset(std::span<DiskRead> reads) {
  for (DiskRead& read : reads) {
    read.bytes = 0;
    read.os_errno = 0;
  }
}

Status first_error(std::span<const DiskRead> reads) {
  for (const DiskRead& read : reads)
    if (read.os_errno != 0)
      return std::unexpected(os_error(read.os_errno, "reading at " + std::to_string(read.offset)));
  return {};
}

WriteCursor::WriteCursor(const DiskWrite& write) : offset_(write.offset) {
  COPPICE_ASSERT(write.parts.size() <= kDiskPartsMax);
  parts_.reserve(write.parts.size());
  for (const ByteView part : write.parts)
    if (!part.empty())
      parts_.push_back({const_cast<std::byte*>(part.data()), part.size()});  // only read from
}

void WriteCursor::advance(std::size_t bytes) {
  offset_ += bytes;
  while (bytes > 0) {
    COPPICE_ASSERT(!done());
    iovec& part = parts_[first_];
    if (bytes < part.iov_len) {
      part.iov_base = static_cast<std::byte*>(part.iov_base) + bytes;
      part.iov_len -= bytes;
      return;
    }
    bytes -= part.iov_len;
    ++first_;
  }
}

Status write_error(int os_errno) {
  return std::unexpected(os_error(os_errno, "writing"));
}
Status sync_error(int os_errno) {
  return std::unexpected(os_error(os_errno, "syncing"));
}

}  // namespace coppice::fiber
