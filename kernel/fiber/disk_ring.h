// disk_ring.h — one worker's io_uring, and the Disk made of all workers' rings.
//
// Role:     a fiber's requests go into the ring of the worker it runs on; the worker's loop submits
//           them together and reaps what is done.
// Owns:     the ring and its eventfd, which wakes the worker's sleep.
// Threads:  the worker that opened it (SINGLE_ISSUER, DEFER_TASKRUN).
// Parks:    RingDisk's calls.
#pragma once

#include <liburing.h>

#include <cstdint>

#include "kernel/fiber/disk.h"
#include "kernel/fiber/park.h"

namespace coppice::fiber {

// What one call waits for; lives on its fiber's stack.
struct DiskBatch {
  ParkTicket ticket;
  std::size_t remaining = 0;
};
struct DiskOp {
  DiskBatch* batch = nullptr;
  int result = 0;  // bytes, or -errno
};

class DiskRing {
 public:
  DiskRing() = default;
  ~DiskRing();
  DiskRing(const DiskRing&) = delete;
  DiskRing& operator=(const DiskRing&) = delete;

  static int probe();  // 0, or the errno with which this system refuses such rings
  int open();          // on the worker's thread; 0 or errno
  bool is_open() const { return event_fd_ >= 0; }

  void read(DiskOp& op, int fd, std::uint64_t offset, MutableByteView into);
  void write(DiskOp& op, int fd, std::uint64_t offset, const iovec* parts, unsigned count,
             int rwf_flags);
  void sync(DiskOp& op, int fd, bool data_only);

  bool unsubmitted() const { return unsubmitted_ > 0; }
  std::size_t in_flight() const { return in_flight_; }
  void submit();
  std::size_t reap();  // wakes whose batches are done; the number of completions

  int event_fd() const { return event_fd_; }
  void clear_event();

 private:
  io_uring_sqe* next(DiskOp& op);

  static constexpr unsigned kEntries = 256;
  static constexpr unsigned kFlags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN;
  io_uring ring_{};
  int event_fd_ = -1;
  unsigned unsubmitted_ = 0;
  std::size_t in_flight_ = 0;
};

// A Disk on the rings of the workers.
class RingDisk final : public Disk {
 public:
  Status read(std::span<DiskRead> reads) override;
  Status write(const DiskWrite& write) override;
  Status sync(int fd, DiskSync what) override;
  DiskEngine engine() const override { return DiskEngine::kRing; }
  std::string_view engine_reason() const override { return {}; }
};

}  // namespace coppice::fiber
