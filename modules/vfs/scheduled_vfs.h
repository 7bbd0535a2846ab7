// scheduled_vfs.h — what everyone gets instead of a plugin's Vfs: charged and scheduled.
//
// Role:     charges reads and writes to the fiber's account, lets the scheduler hold background
//           requests back, cuts those to kPieceBytes, and tells it how long queries waited.
// Owns:     nothing; backend and scheduler outlive it and its files.
// Threads:  any fiber.   Parks: as the backend, and for a turn.
// Holds:    files of it are files of the backend as far as read() goes (File::underlying).
#pragma once

#include <memory>

#include "interfaces/vfs.h"
#include "modules/vfs/io_scheduler.h"

namespace coppice::vfs {

class ScheduledVfs final : public Vfs {
 public:
  ScheduledVfs(Vfs& backend, IoScheduler& scheduler) : backend_(backend), scheduler_(scheduler) {}

  Result<std::unique_ptr<File>> open(std::string_view name) override { return backend_.open(name); }
  Result<std::unique_ptr<AppendFile>> create(std::string_view name) override;
  Result<std::unique_ptr<SegmentFile>> create_segment(std::string_view name,
                                                      std::uint64_t bytes) override;
  Result<std::unique_ptr<SegmentFile>> open_segment(std::string_view name) override;
  Status read(std::span<const ReadRequest> requests, IoClass io_class) override;
  Status rename(std::string_view from, std::string_view to) override {
    return backend_.rename(from, to);
  }
  Status remove(std::string_view name) override { return backend_.remove(name); }
  Result<std::vector<FileInfo>> list(std::string_view prefix) override {
    return backend_.list(prefix);
  }
  VfsCounters counters() const override { return backend_.counters(); }

 private:
  Status read_in_pieces(std::span<const ReadRequest> requests, IoClass io_class);

  Vfs& backend_;
  IoScheduler& scheduler_;
};

}  // namespace coppice::vfs
