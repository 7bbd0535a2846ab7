// mem_vfs.cpp — a sorted map of names to byte vectors.
#include "plugins/vfs/mem/mem_vfs.h"

#include <utility>

#include "kernel/base/assert.h"

namespace coppice::vfs_mem {

// Bytes in use by all files, also by removed ones that are still open.
class MemCapacity {
 public:
  explicit MemCapacity(std::uint64_t limit) : limit_(limit) {}

  bool take(std::uint64_t bytes) {
    std::uint64_t used = used_.load(std::memory_order_relaxed);
    do {
      if (bytes > limit_ - used) return false;
    } while (!used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
    return true;
  }
  void give_back(std::uint64_t bytes) { used_.fetch_sub(bytes, std::memory_order_relaxed); }

 private:
  const std::uint64_t limit_;
  std::atomic<std::uint64_t> used_{0};
};

class MemFile {
 public:
  explicit MemFile(std::shared_ptr<MemCapacity> capacity) : capacity_(std::move(capacity)) {}
  MemFile(const MemFile&) = delete;
  MemFile& operator=(const MemFile&) = delete;
  ~MemFile() { capacity_->give_back(bytes_.size()); }

  Status append(ByteView bytes) {
    if (!capacity_->take(bytes.size())) return fail(Code::kDiskFull, "memory disk is full");
    const std::lock_guard lock(mutex_);
    coppice::append(bytes_, bytes);
    return {};
  }
  Status append_zeros(std::uint64_t count) {
    if (!capacity_->take(count)) return fail(Code::kDiskFull, "memory disk is full");
    const std::lock_guard lock(mutex_);
    bytes_.resize(bytes_.size() + count);
    return {};
  }
  void write(std::uint64_t offset, ByteView bytes) {
    const std::lock_guard lock(mutex_);
    COPPICE_ASSERT(offset <= bytes_.size() && bytes.size() <= bytes_.size() - offset);
    if (!bytes.empty()) std::memcpy(bytes_.data() + offset, bytes.data(), bytes.size());
  }
  bool read(std::uint64_t offset, MutableByteView into) const {
    const std::lock_guard lock(mutex_);
    if (offset > bytes_.size() || into.size() > bytes_.size() - offset) return false;
    if (!into.empty()) std::memcpy(into.data(), bytes_.data() + offset, into.size());
    return true;
  }
  std::uint64_t size() const {
    const std::lock_guard lock(mutex_);
    return bytes_.size();
  }

 private:
  std::shared_ptr<MemCapacity> capacity_;
  mutable std::mutex mutex_;
  ByteBuffer bytes_;
};

namespace {

class OpenMemFile final : public SegmentFile {
 public:
  OpenMemFile(std::string name, std::shared_ptr<MemFile> file, AtomicVfsCounters& counters)
      : name_(std::move(name)), file_(std::move(file)), size_(file_->size()), counters_(counters) {}

  std::string_view name() const override { return name_; }
  std::uint64_t size() const override { return size_; }
  const MemFile& contents() const { return *file_; }

  Status write(std::uint64_t offset, ByteView bytes, bool durable, IoClass io_class) override {
    const bool aligned =
        (offset | bytes.size() | reinterpret_cast<std::uintptr_t>(bytes.data())) % kSectorBytes ==
        0;
    if (!aligned || offset > size_ || bytes.size() > size_ - offset) {
      return fail(Code::kInvalidArgument, name_ + ": bad write of " + std::to_string(bytes.size()) +
                                              " bytes at offset " + std::to_string(offset));
    }
    counters_.count_write(io_class, bytes.size());
    if (durable) counters_.count_sync(io_class);
    file_->write(offset, bytes);
    return {};
  }

 private:
  const std::string name_;
  const std::shared_ptr<MemFile> file_;
  const std::uint64_t size_;
  AtomicVfsCounters& counters_;
};

class MemAppendFile final : public AppendFile {
 public:
  MemAppendFile(std::string name, std::shared_ptr<MemFile> file, AtomicVfsCounters& counters)
      : name_(std::move(name)), file_(std::move(file)), counters_(counters) {}

  std::string_view name() const override { return name_; }
  std::uint64_t size() const override { return file_->size(); }
  Status append(ByteView bytes, IoClass io_class) override {
    COPPICE_TRY(check_usable());
    Status appended = file_->append(bytes);
    if (!appended) {
      failed_ = true;
      return std::unexpected(std::move(appended).error().context(name_));
    }
    counters_.count_write(io_class, bytes.size());
    return {};
  }
  Status sync(IoClass io_class) override {
    COPPICE_TRY(check_usable());
    counters_.count_sync(io_class);
    return {};
  }

 private:
  Status check_usable() const {
    if (failed_) return fail(Code::kIo, name_ + ": an earlier write failed");
    return {};
  }
  const std::string name_;
  const std::shared_ptr<MemFile> file_;
  AtomicVfsCounters& counters_;
  bool failed_ = false;
};

std::unexpected<Error> not_found(std::string_view name) {
  return fail(Code::kNotFound, "no file \"" + std::string(name) + "\"");
}

}  // namespace

MemVfs::MemVfs(std::uint64_t capacity_bytes)
    : capacity_(std::make_shared<MemCapacity>(capacity_bytes)) {}
MemVfs::~MemVfs() = default;

Result<std::unique_ptr<Vfs>> MemVfs::create(const MemVfsConfig& config, PluginContext&) {
  return std::make_unique<MemVfs>(config.capacity);
}

Result<std::shared_ptr<MemFile>> MemVfs::find(std::string_view name) const {
  COPPICE_TRY(check_file_name(name));
  const std::lock_guard lock(mutex_);
  const auto at = files_.find(name);
  if (at == files_.end()) return not_found(name);
  return at->second;
}

Status MemVfs::check_vacant(std::string_view name) const {
  if (files_.contains(name)) {
    return fail(Code::kAlreadyExists, "file \"" + std::string(name) + "\" exists");
  }
  const std::string folder = std::string(name) + "/";
  const auto within = files_.lower_bound(folder);
  if (within != files_.end() && within->first.starts_with(folder)) {
    return fail(Code::kAlreadyExists, "\"" + std::string(name) + "\" is a folder");
  }
  for (std::size_t slash = name.find('/'); slash != name.npos; slash = name.find('/', slash + 1)) {
    if (files_.contains(name.substr(0, slash))) {
      return fail(Code::kAlreadyExists,
                  "\"" + std::string(name.substr(0, slash)) + "\" is a file, not a folder");
    }
  }
  return {};
}

Result<std::shared_ptr<MemFile>> MemVfs::add(std::string_view name, std::uint64_t bytes) {
  COPPICE_TRY(check_file_name(name));
  auto file = std::make_shared<MemFile>(capacity_);
  COPPICE_TRY(file->append_zeros(bytes));
  const std::lock_guard lock(mutex_);
  COPPICE_TRY(check_vacant(name));
  files_.emplace(name, file);
  return file;
}

Result<std::unique_ptr<File>> MemVfs::open(std::string_view name) {
  auto file = COPPICE_TRY(find(name));
  return std::make_unique<OpenMemFile>(std::string(name), std::move(file), counters_);
}

Result<std::unique_ptr<AppendFile>> MemVfs::create(std::string_view name) {
  auto file = COPPICE_TRY(add(name, 0));
  return std::make_unique<MemAppendFile>(std::string(name), std::move(file), counters_);
}

Result<std::unique_ptr<SegmentFile>> MemVfs::create_segment(std::string_view name,
                                                            std::uint64_t bytes) {
  if (bytes % kSectorBytes != 0) {
    return fail(Code::kInvalidArgument, "segment size is not a multiple of the sector size");
  }
  auto file = COPPICE_TRY(add(name, bytes));
  counters_.count_write(IoClass::kCompaction, bytes);
  return std::make_unique<OpenMemFile>(std::string(name), std::move(file), counters_);
}

Result<std::unique_ptr<SegmentFile>> MemVfs::open_segment(std::string_view name) {
  auto file = COPPICE_TRY(find(name));
  if (file->size() % kSectorBytes != 0) {
    return fail(Code::kCorruption, std::string(name) + ": not a segment, odd size");
  }
  return std::make_unique<OpenMemFile>(std::string(name), std::move(file), counters_);
}

Status MemVfs::read(std::span<const ReadRequest> requests, IoClass io_class) {
  Status first;
  for (const ReadRequest& request : requests) {
    const auto& file = static_cast<const OpenMemFile&>(request.file->underlying());
    counters_.count_read(io_class, request.into.size());
    if (!file.contents().read(request.offset, request.into) && first) {
      first = fail(Code::kCorruption, std::string(file.name()) + ": read past the end, " +
                                          std::to_string(request.into.size()) +
                                          " bytes at offset " + std::to_string(request.offset) +
                                          " of " + std::to_string(file.size()));
    }
  }
  return first;
}

Status MemVfs::rename(std::string_view from, std::string_view to) {
  COPPICE_TRY(check_file_name(from));
  COPPICE_TRY(check_file_name(to));
  const std::lock_guard lock(mutex_);
  const auto source = files_.find(from);
  if (source == files_.end()) return not_found(from);
  if (from == to) return {};
  if (!files_.contains(to)) COPPICE_TRY(check_vacant(to));
  auto file = std::move(source->second);
  files_.erase(source);
  files_.insert_or_assign(std::string(to), std::move(file));
  return {};
}

Status MemVfs::remove(std::string_view name) {
  COPPICE_TRY(check_file_name(name));
  const std::lock_guard lock(mutex_);
  const auto at = files_.find(name);
  if (at == files_.end()) return not_found(name);
  files_.erase(at);
  return {};
}

Result<std::vector<FileInfo>> MemVfs::list(std::string_view prefix) {
  std::vector<FileInfo> found;
  const std::lock_guard lock(mutex_);
  for (auto at = files_.lower_bound(prefix); at != files_.end(); ++at) {
    if (!at->first.starts_with(prefix)) break;
    found.push_back({at->first, at->second->size()});
  }
  return found;
}

void register_in(Inventory& inventory) {
  inventory.add_plugin<Vfs, MemVfs>();
}

}  // namespace coppice::vfs_mem
