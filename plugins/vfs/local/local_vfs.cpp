// local_vfs.cpp — the interface's methods, put together from the parts beside it.
#include "plugins/vfs/local/local_vfs.h"

#include <algorithm>
#include <utility>

#include "kernel/fiber/disk.h"
#include "kernel/fiber/runtime.h"
#include "plugins/vfs/local/durability_probe.h"
#include "plugins/vfs/local/local_read.h"

namespace coppice::vfs_local {
namespace {

constexpr std::size_t kZerosBytes = 256 << 10;  // of a segment, written at once

}  // namespace

Result<std::unique_ptr<Vfs>> LocalVfs::create(const LocalVfsConfig& config,
                                              PluginContext& context) {
  std::string root = config.root.empty() ? std::string(context.name()) : config.root;
  if (!root.starts_with('/')) root = context.data_dir() + "/" + root;
  return std::make_unique<LocalVfs>(config, std::move(root), context.log());
}

Result<const RootFolder*> LocalVfs::root() {
  if (const RootFolder* root = opened_.load(std::memory_order_acquire)) return root;
  const auto guard = COPPICE_TRY(fiber::MutexGuard::lock(opening_));
  if (folder_ == nullptr) COPPICE_TRY(open_root());
  return folder_.get();
}

Status LocalVfs::open_root() {
  auto folder = COPPICE_TRY(
      fiber::run_blocking([this] { return RootFolder::open(path_, config_.direct_io); }));
  COPPICE_TRY(choose_durability(*folder));
  const fiber::Disk& disk = fiber::runtime().disk();
  const bool ring = disk.engine() == fiber::DiskEngine::kRing;
  log_.info("opened folder", "root={} engine={} direct_io={} durable_writes={}", path_,
            ring ? "io_uring" : "threads", folder->direct_io(),
            durability_ == Durability::kDsync ? "dsync" : "fdatasync");
  if (!ring) log_.warn("io_uring is not used", "why={}", disk.engine_reason());
  if (config_.direct_io && !folder->direct_io()) {
    log_.warn("file system refuses direct I/O, going through the page cache", "root={} why={}",
              path_, folder->why_not_direct());
  }
  folder_ = std::move(folder);
  opened_.store(folder_.get(), std::memory_order_release);
  return {};
}

Status LocalVfs::choose_durability(const RootFolder& root) {
  switch (config_.durable_writes) {
    case DurabilityChoice::kDsync:
      durability_ = Durability::kDsync;
      return {};
    case DurabilityChoice::kFdatasync:
      durability_ = Durability::kFdatasync;
      return {};
    case DurabilityChoice::kAuto:
      break;
  }
  const DurabilityFigures figures = COPPICE_TRY(probe_durability(root, fiber::runtime().clock()));
  durability_ = figures.better();
  log_.info("measured durable writes", "dsync_us={} fdatasync_us={}", figures.dsync.count() / 1000,
            figures.fdatasync.count() / 1000);
  return {};
}

Result<std::unique_ptr<File>> LocalVfs::open(std::string_view name) {
  COPPICE_TRY(check_file_name(name));
  const RootFolder* folder = COPPICE_TRY(root());
  auto file = COPPICE_TRY(fiber::run_blocking([&] { return folder->open_file(name, false); }));
  return std::make_unique<LocalFile>(std::string(name), std::move(file), durability_, counters_);
}

Result<std::unique_ptr<AppendFile>> LocalVfs::create(std::string_view name) {
  COPPICE_TRY(check_file_name(name));
  const RootFolder* folder = COPPICE_TRY(root());
  auto fd = COPPICE_TRY(fiber::run_blocking([&] { return folder->create_file(name); }));
  return std::make_unique<LocalAppendFile>(std::string(name), std::move(fd), *folder, counters_);
}

Result<std::unique_ptr<SegmentFile>> LocalVfs::create_segment(std::string_view name,
                                                              std::uint64_t bytes) {
  COPPICE_TRY(check_file_name(name));
  if (bytes % kSectorBytes != 0) {
    return fail(Code::kInvalidArgument, "segment size is not a multiple of the sector size");
  }
  const RootFolder* folder = COPPICE_TRY(root());
  auto file = COPPICE_TRY(fiber::run_blocking([&] { return folder->create_unpublished(); }));
  Status filled = fill_with_zeros(file.fd.get(), bytes);
  if (!filled) {
    fiber::run_blocking([&] { folder->drop(file); });
    return std::unexpected(
        std::move(filled).error().context("filling segment " + std::string(name)));
  }
  COPPICE_TRY(fiber::run_blocking([&] { return folder->publish(file, name); }));
  return std::make_unique<LocalFile>(std::string(name), OpenedFile{std::move(file.fd), bytes},
                                     durability_, counters_);
}

// Written, not only allocated: a write into an unwritten extent would have to journal it. One piece
// at a time, so that the disk always has room for others.
Status LocalVfs::fill_with_zeros(int fd, std::uint64_t bytes) {
  const AlignedBuffer zeros(std::min<std::uint64_t>(bytes, kZerosBytes));
  std::ranges::fill(zeros.view(), std::byte{0});
  fiber::Disk& disk = fiber::runtime().disk();
  for (std::uint64_t at = 0; at < bytes; at += zeros.size()) {
    const ByteView piece = zeros.first(std::min<std::uint64_t>(zeros.size(), bytes - at));
    COPPICE_TRY(disk.write({.fd = fd, .offset = at, .parts = {&piece, 1}}));
    counters_.count_write(IoClass::kCompaction, piece.size());
  }
  counters_.count_sync(IoClass::kCompaction);
  return disk.sync(fd, fiber::DiskSync::kAll);
}

Result<std::unique_ptr<SegmentFile>> LocalVfs::open_segment(std::string_view name) {
  COPPICE_TRY(check_file_name(name));
  const RootFolder* folder = COPPICE_TRY(root());
  auto file = COPPICE_TRY(fiber::run_blocking([&] { return folder->open_file(name, true); }));
  if (file.size % kSectorBytes != 0) {
    return fail(Code::kCorruption, std::string(name) + ": not a segment, odd size");
  }
  return std::make_unique<LocalFile>(std::string(name), std::move(file), durability_, counters_);
}

Status LocalVfs::read(std::span<const ReadRequest> requests, IoClass io_class) {
  return read_batch(requests, io_class, bounce_, counters_);
}

Status LocalVfs::rename(std::string_view from, std::string_view to) {
  COPPICE_TRY(check_file_name(from));
  COPPICE_TRY(check_file_name(to));
  const RootFolder* folder = COPPICE_TRY(root());
  return fiber::run_blocking([&] { return folder->rename(from, to); });
}

Status LocalVfs::remove(std::string_view name) {
  COPPICE_TRY(check_file_name(name));
  const RootFolder* folder = COPPICE_TRY(root());
  return fiber::run_blocking([&] { return folder->remove(name); });
}

Result<std::vector<FileInfo>> LocalVfs::list(std::string_view prefix) {
  const RootFolder* folder = COPPICE_TRY(root());
  return fiber::run_blocking([&] { return folder->list(prefix); });
}

void register_in(Inventory& inventory) {
  inventory.add_plugin<Vfs, LocalVfs>();
}

}  // namespace coppice::vfs_local
