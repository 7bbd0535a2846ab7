// mem_vfs.h — files in memory: for tests, simulations and databases that may be forgotten.
//
// Owns:     the files' bytes, bounded by a capacity; nothing outlives the object.
// Parks:    never.
// Holds:    a removed or replaced file takes up room until the last handle on it is closed.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "interfaces/vfs.h"
#include "interfaces/vfs_counters.h"
#include "kernel/core/inventory.h"
#include "kernel/core/plugin.h"

namespace coppice::vfs_mem {

class MemFile;
class MemCapacity;

struct MemVfsConfig {
  Size capacity = 1_TiB;
  static void describe(Fields<MemVfsConfig>& f) {
    f.value("capacity", &MemVfsConfig::capacity, "Files take up at most this much memory.");
  }
};

class MemVfs final : public Vfs {
 public:
  static constexpr std::string_view kKind = "mem";
  using Config = MemVfsConfig;
  static Result<std::unique_ptr<Vfs>> create(const MemVfsConfig& config, PluginContext&);

  explicit MemVfs(std::uint64_t capacity_bytes = UINT64_MAX);
  ~MemVfs() override;

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
  Result<std::shared_ptr<MemFile>> find(std::string_view name) const;
  Status check_vacant(std::string_view name) const;  // holding mutex_: neither file nor folder
  Result<std::shared_ptr<MemFile>> add(std::string_view name, std::uint64_t bytes);

  std::shared_ptr<MemCapacity> capacity_;
  AtomicVfsCounters counters_;
  mutable std::mutex mutex_;  // guards files_; never held across a park
  std::map<std::string, std::shared_ptr<MemFile>, std::less<>> files_;
};

void register_in(Inventory& inventory);

}  // namespace coppice::vfs_mem
