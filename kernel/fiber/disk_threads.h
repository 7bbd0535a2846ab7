// disk_threads.h — the Disk for systems that forbid io_uring: preadv and pwritev2 on helper
// threads.
//
// Threads:  any fiber; a batch of reads is divided among the helpers.
// Parks:    every call.
#pragma once

#include <string>

#include "kernel/fiber/disk.h"
#include "kernel/fiber/helper_pool.h"

namespace coppice::fiber {

class ThreadDisk final : public Disk {
 public:
  ThreadDisk(HelperPool& helpers, std::string reason)
      : helpers_(helpers), reason_(std::move(reason)) {}
  Status read(std::span<DiskRead> reads) override;
  Status write(const DiskWrite& write) override;
  Status sync(int fd, DiskSync what) override;
  DiskEngine engine() const override { return DiskEngine::kThreads; }
  std::string_view engine_reason() const override { return reason_; }

 private:
  HelperPool& helpers_;
  const std::string reason_;
};

}  // namespace coppice::fiber
