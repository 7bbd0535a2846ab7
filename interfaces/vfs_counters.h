// vfs_counters.h — how a Vfs counts what it does: relaxed adds, read as one VfsCounters.
//
// Threads:  any.   Parks: never.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "interfaces/vfs.h"

namespace coppice {

class AtomicVfsCounters {
 public:
  void count_read(IoClass io_class, std::uint64_t bytes) {
    Class& c = of(io_class);
    c.reads.fetch_add(1, std::memory_order_relaxed);
    c.read_bytes.fetch_add(bytes, std::memory_order_relaxed);
  }
  void count_write(IoClass io_class, std::uint64_t bytes) {
    Class& c = of(io_class);
    c.writes.fetch_add(1, std::memory_order_relaxed);
    c.write_bytes.fetch_add(bytes, std::memory_order_relaxed);
  }
  void count_sync(IoClass io_class) { of(io_class).syncs.fetch_add(1, std::memory_order_relaxed); }

  VfsCounters snapshot() const {
    VfsCounters out;
    for (std::size_t i = 0; i < kIoClassCount; ++i) {
      const Class& from = classes_[i];
      VfsCounters::Class& to = out.by_class[i];
      to.reads = from.reads.load(std::memory_order_relaxed);
      to.read_bytes = from.read_bytes.load(std::memory_order_relaxed);
      to.writes = from.writes.load(std::memory_order_relaxed);
      to.write_bytes = from.write_bytes.load(std::memory_order_relaxed);
      to.syncs = from.syncs.load(std::memory_order_relaxed);
    }
    return out;
  }

 private:
  struct Class {
    std::atomic<std::uint64_t> reads{0}, read_bytes{0}, writes{0}, write_bytes{0}, syncs{0};
  };
  Class& of(IoClass io_class) { return classes_[static_cast<std::size_t>(io_class)]; }
  std::array<Class, kIoClassCount> classes_;
};

}  // namespace coppice
