// local_vfs.h — files in a folder of a local disk, by direct I/O.
//
// Role:     reads and writes go to the runtime's Disk (io_uring or helper threads), names to helper
//           threads. The folder is opened, locked and probed by the first call that needs it.
// Threads:  any fiber.   Parks: every call.
// Holds:    one process at a time per root folder.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "interfaces/vfs.h"
#include "interfaces/vfs_counters.h"
#include "kernel/core/inventory.h"
#include "kernel/core/log.h"
#include "kernel/core/plugin.h"
#include "kernel/fiber/sync.h"
#include "plugins/vfs/local/bounce_pool.h"
#include "plugins/vfs/local/local_files.h"
#include "plugins/vfs/local/root_folder.h"

namespace coppice::vfs_local {

enum class DurabilityChoice : std::uint8_t { kAuto, kDsync, kFdatasync };

struct LocalVfsConfig {
  std::string root = {};
  bool direct_io = true;
  DurabilityChoice durable_writes = DurabilityChoice::kAuto;

  static void describe(Fields<LocalVfsConfig>& f) {
    f.value("root", &LocalVfsConfig::root,
            "The folder; relative to the data directory. Empty: the instance's name.");
    f.value("direct_io", &LocalVfsConfig::direct_io,
            "Go past the page cache, where the file system allows it.");
    f.choice("durable_writes", &LocalVfsConfig::durable_writes,
             {{"auto", DurabilityChoice::kAuto},
              {"dsync", DurabilityChoice::kDsync},
              {"fdatasync", DurabilityChoice::kFdatasync}},
             "How a log write is made durable: by a flag of the write, or by fdatasync after it. "
             "auto measures once at start.");
  }
};

class LocalVfs final : public Vfs {
 public:
  static constexpr std::string_view kKind = "local";
  using Config = LocalVfsConfig;
  static Result<std::unique_ptr<Vfs>> create(const LocalVfsConfig& config, PluginContext& context);

  LocalVfs(const LocalVfsConfig& config, std::string root, const Log& log)
      : config_(config), path_(std::move(root)), log_(log) {}

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
  Result<const RootFolder*> root();  // opened
  Status open_root();
  Status choose_durability(const RootFolder& root);
  Status fill_with_zeros(int fd, std::uint64_t bytes);

  const LocalVfsConfig config_;
  const std::string path_;
  const Log log_;
  AtomicVfsCounters counters_;
  BouncePool bounce_;
  fiber::Mutex opening_;
  std::atomic<const RootFolder*> opened_ = nullptr;
  std::unique_ptr<RootFolder> folder_;  // written under opening_, once
  Durability durability_ = Durability::kDsync;
};

void register_in(Inventory& inventory);

}  // namespace coppice::vfs_local
