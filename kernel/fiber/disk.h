// disk.h — reads, writes and syncs of open descriptors, submitted in batches.
//
// Role:     what the local VFS is made of. One implementation on an io_uring per worker, one on
//           helper threads where io_uring is forbidden; the simulator refuses (tests use a VFS in
//           memory). Opening, renaming, listing: run_blocking() of runtime.h.
// Owns:     neither descriptors nor buffers; both must stay valid until the call returns.
// Threads:  any fiber, any worker.
// Parks:    every call, without listening to cancellation: the kernel owns the buffers meanwhile.
// Errors:   os_error.h: kDiskFull for ENOSPC and EDQUOT, kIo for the rest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "kernel/base/bytes.h"
#include "kernel/base/result.h"

namespace coppice::fiber {

struct DiskRead {
  int fd = -1;
  std::uint64_t offset = 0;
  MutableByteView into;
  std::size_t bytes = 0;  // out: how many were read; fewer than asked only at the end of the file
  int os_errno = 0;       // out: 0, or why this one failed
};

struct DiskWrite {
  int fd = -1;
  std::uint64_t offset = 0;
  std::span<const ByteView> parts;  // at most kDiskPartsMax, written one after the other
  bool durable = false;             // RWF_DSYNC: returns when the bytes are on the device
};

enum class DiskSync : std::uint8_t { kData, kAll };  // fdatasync, fsync
enum class DiskEngine : std::uint8_t { kRing, kThreads, kNone };

inline constexpr std::size_t kDiskPartsMax = 1024;  // IOV_MAX
inline constexpr std::size_t kDiskBatchMax = 4096;  // reads in one call

class Disk {
 public:
  virtual ~Disk() = default;
  // All requests go to the device together; returns when all are done. An error names the first
  // that failed; the fields of all are filled in.
  virtual Status read(std::span<DiskRead> reads) = 0;
  // Writes every byte or fails.
  virtual Status write(const DiskWrite& write) = 0;
  virtual Status sync(int fd, DiskSync what) = 0;
  virtual DiskEngine engine() const = 0;
  // Why it is not the one that was asked for; empty when it is.
  virtual std::string_view engine_reason() const = 0;
};

}  // namespace coppice::fiber
