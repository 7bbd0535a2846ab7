// disk_io.h — what both disk engines share: judging results, continuing short transfers.
#pragma once

#include <sys/uio.h>

#include <span>
#include <vector>

#include "kernel/fiber/disk.h"

namespace coppice::fiber {

// Direct I/O moves whole sectors; a read that ends inside one has met the end of the file.
inline constexpr std::size_t kSectorBytes = 512;

// Books `result` (bytes or -errno) of one attempt; true when another attempt is needed.
bool continue_read(DiskRead& read, int result);
inline MutableByteView rest_of(const DiskRead& read) {
  return read.into.subspan(read.bytes);
}

void reset(std::span<DiskRead> reads);  // clears the out-fields
Status first_error(std::span<const DiskRead> reads);

// The parts of a write as the kernel wants them; advance() drops what was written.
class WriteCursor {
 public:
  explicit WriteCursor(const DiskWrite& write);
  bool done() const { return first_ == parts_.size(); }
  const iovec* parts() const { return parts_.data() + first_; }
  unsigned count() const { return static_cast<unsigned>(parts_.size() - first_); }
  std::uint64_t offset() const { return offset_; }
  void advance(std::size_t bytes);

 private:
  std::vector<iovec> parts_;
  std::size_t first_ = 0;
  std::uint64_t offset_;
};

Status write_error(int os_errno);
Status sync_error(int os_errno);

}  // namespace coppice::fiber
