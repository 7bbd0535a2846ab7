// faulty_vfs.h — a disk for tests that loses, tears, flips, fills up, refuses and loses power.
//
// Role:     every file operation of the code under test, with faults by rule or by seed, and with
//           exactly the crash semantics that interfaces/vfs.h promises, no better.
// Threads:  any; the operations themselves are atomic steps, numbered from 1.
// Parks:    in FaultyOptions::pause, if one is given.
//
// A crash-after-every-write loop: run the workload once and ask steps(); then for every n up to it
// build everything anew, crash_at(n), run until it fails, and start again on
// disk_after_crash(seed).
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "interfaces/vfs.h"
#include "interfaces/vfs_counters.h"
#include "kernel/base/random.h"
#include "tests/support/disk_image.h"

namespace coppice {

enum class FileOp : std::uint8_t {
  kOpen,
  kCreate,
  kAppend,
  kSync,
  kCreateSegment,
  kOpenSegment,
  kWrite,
  kRead,
  kRename,
  kRemove,
  kList,
};

enum class Fault : std::uint8_t {
  kIo,        // kIo, nothing done
  kDiskFull,  // kDiskFull, nothing done
  kTorn,      // append and write: done in part, then kIo
  kBitFlip,   // read: succeeds with one bit wrong
};

// Where and when something goes wrong. A rule applies to an operation that matches all of it.
struct FaultRule {
  Fault fault = Fault::kIo;
  std::optional<FileOp> op;        // none: every one
  std::string name_contains = {};  // empty: every file
  std::uint64_t skip = 0;          // so many matches pass first
  std::uint64_t times = 1;         // then so many fail
  double chance = 1.0;             // each of those with this probability
};

struct FaultyOptions {
  std::uint64_t seed = 1;
  std::uint64_t capacity_bytes = UINT64_MAX;
  // Called without locks before an operation starts and between a write's start and its end; a
  // test in fibers yields or sleeps here, so that operations overlap.
  std::function<void()> pause = {};
};

class FaultyVfs final : public Vfs {
 public:
  explicit FaultyVfs(FaultyOptions options = {}, DiskImage disk = {});
  ~FaultyVfs() override;

  void add_rule(FaultRule rule);
  void clear_rules();

  // Changes of the disk so far. A segment write counts two: it has begun; it has ended.
  std::uint64_t steps() const;
  // The power fails right after step `step`; with 0 now. Everything then answers kIo. What survives
  // is decided by disk_after_crash(), as often as wanted, differently for every seed.
  void crash_at(std::uint64_t step);
  bool crashed() const;
  DiskImage disk_after_crash(std::uint64_t seed) const;  // of now, if the power has not failed

  // Faults of the medium.
  bool flip_bit(std::string_view name, std::uint64_t offset, unsigned bit);
  DiskImage clone_disk() const;

  Result<std::unique_ptr<File>> open(std::string_view name) override;
  Result<std::unique_ptr<AppendFile>> create(std::string_view name) override;
  Result<std::unique_ptr<SegmentFile>> create_segment(std::string_view name,
                                                      std::uint64_t bytes) override;
  Result<std::unique_ptr<SegmentFile>> open_segment(std::string_view name) override;
  Status read(std::span<const ReadRequest> requests, IoClass io_class) override;
  Status rename(std::string_view from, std::string_view to) override;
  Status remove(std::string_view name) override;
  Result<std::vector<FileInfo>> list(std::string_view prefix) override;
  VfsCounters counters() const override { return counters_.snapshot(); }

 private:
  class Handle;
  class Appender;
  struct ActiveRule {
    FaultRule rule;
    std::uint64_t matches = 0;
  };

  void pause() const;
  // The following hold mutex_. begin() is where rules and the power cut take hold; a fault that it
  // gives back is for the operation to act out.
  Result<std::optional<Fault>> begin(FileOp op, std::string_view name);
  void step();
  Status check_room(std::string_view name, std::uint64_t bytes) const;
  Result<DiskImage::Handle> find(std::string_view name) const;
  Status read_one(const ReadRequest& request);
  Status append(const std::string& name, DiskImage::Inode& inode, ByteView bytes);
  Status begin_write(const std::string& name, DiskImage::Inode& inode, std::uint64_t offset,
                     ByteView bytes);

  const FaultyOptions options_;
  AtomicVfsCounters counters_;
  mutable std::mutex mutex_;  // guards what follows
  DiskImage disk_;
  Rng rng_;
  std::vector<ActiveRule> rules_;
  std::uint64_t steps_ = 0;
  std::uint64_t crash_step_ = UINT64_MAX;
  bool crashed_ = false;
};

}  // namespace coppice
