// faulty_vfs.cpp — operations on a DiskImage, each with its chances to go wrong.
#include "tests/support/faulty_vfs.h"

#include <utility>

#include "kernel/base/assert.h"

namespace coppice {
namespace {

std::string at_offset(std::string_view name, std::uint64_t offset, std::uint64_t bytes) {
  return std::string(name) + ": " + std::to_string(bytes) + " bytes at offset " +
         std::to_string(offset);
}

}  // namespace

class FaultyVfs::Handle final : public SegmentFile {
 public:
  Handle(FaultyVfs& vfs, std::string name, DiskImage::Handle inode)
      : vfs_(vfs), name_(std::move(name)), inode_(std::move(inode)), size_(inode_->bytes.size()) {}

  std::string_view name() const override { return name_; }
  std::uint64_t size() const override { return size_; }
  const DiskImage::Inode& inode() const { return *inode_; }

  Status write(std::uint64_t offset, ByteView bytes, bool durable, IoClass io_class) override {
    const bool aligned =
        (offset | bytes.size() | reinterpret_cast<std::uintptr_t>(bytes.data())) % kSectorBytes ==
        0;
    if (!aligned || offset > size_ || bytes.size() > size_ - offset) {
      return fail(Code::kInvalidArgument, "bad write, " + at_offset(name_, offset, bytes.size()));
    }
    vfs_.counters_.count_write(io_class, bytes.size());
    if (durable) vfs_.counters_.count_sync(io_class);
    vfs_.pause();
    {
      const std::lock_guard lock(vfs_.mutex_);
      COPPICE_TRY(vfs_.begin_write(name_, *inode_, offset, bytes));
    }
    vfs_.pause();
    const std::lock_guard lock(vfs_.mutex_);
    if (vfs_.crashed_) return fail(Code::kIo, name_ + ": power is off");
    if (durable) DiskImage::end_durable_write(*inode_, offset, bytes.size());
    vfs_.step();
    return {};
  }

 private:
  FaultyVfs& vfs_;
  const std::string name_;
  const DiskImage::Handle inode_;
  const std::uint64_t size_;
};

class FaultyVfs::Appender final : public AppendFile {
 public:
  Appender(FaultyVfs& vfs, std::string name, DiskImage::Handle inode)
      : vfs_(vfs), name_(std::move(name)), inode_(std::move(inode)) {}

  std::string_view name() const override { return name_; }
  std::uint64_t size() const override { return size_; }

  Status append(ByteView bytes, IoClass io_class) override {
    COPPICE_TRY(check_usable());
    vfs_.counters_.count_write(io_class, bytes.size());
    vfs_.pause();
    const std::lock_guard lock(vfs_.mutex_);
    failed_ = true;
    COPPICE_TRY(vfs_.append(name_, *inode_, bytes));
    failed_ = false;
    size_ += bytes.size();
    return {};
  }

  Status sync(IoClass io_class) override {
    COPPICE_TRY(check_usable());
    vfs_.counters_.count_sync(io_class);
    vfs_.pause();
    const std::lock_guard lock(vfs_.mutex_);
    failed_ = true;
    COPPICE_TRY(vfs_.begin(FileOp::kSync, name_));
    failed_ = false;
    vfs_.disk_.sync(name_, inode_, size_);
    vfs_.step();
    return {};
  }

 private:
  Status check_usable() const {
    if (failed_) return fail(Code::kIo, name_ + ": an earlier write failed");
    return {};
  }
  FaultyVfs& vfs_;
  const std::string name_;
  const DiskImage::Handle inode_;
  std::uint64_t size_ = 0;
  bool failed_ = false;
};

FaultyVfs::FaultyVfs(FaultyOptions options, DiskImage disk)
    : options_(std::move(options)), disk_(std::move(disk)), rng_(options_.seed) {}
FaultyVfs::~FaultyVfs() = default;

void FaultyVfs::add_rule(FaultRule rule) {
  const std::lock_guard lock(mutex_);
  rules_.push_back({std::move(rule), 0});
}

void FaultyVfs::clear_rules() {
  const std::lock_guard lock(mutex_);
  rules_.clear();
}

std::uint64_t FaultyVfs::steps() const {
  const std::lock_guard lock(mutex_);
  return steps_;
}

void FaultyVfs::crash_at(std::uint64_t step) {
  const std::lock_guard lock(mutex_);
  crash_step_ = step;
  crashed_ = steps_ >= step;
}

bool FaultyVfs::crashed() const {
  const std::lock_guard lock(mutex_);
  return crashed_;
}

DiskImage FaultyVfs::disk_after_crash(std::uint64_t seed) const {
  const std::lock_guard lock(mutex_);
  Rng rng(seed);
  return disk_.survive(rng);
}

bool FaultyVfs::flip_bit(std::string_view name, std::uint64_t offset, unsigned bit) {
  const std::lock_guard lock(mutex_);
  return disk_.flip_bit(name, offset, bit);
}

DiskImage FaultyVfs::clone_disk() const {
  const std::lock_guard lock(mutex_);
  return disk_.clone();
}

void FaultyVfs::pause() const {
  if (options_.pause) options_.pause();
}

Result<std::optional<Fault>> FaultyVfs::begin(FileOp op, std::string_view name) {
  if (crashed_) return fail(Code::kIo, std::string(name) + ": power is off");
  for (ActiveRule& active : rules_) {
    const FaultRule& rule = active.rule;
    if (rule.op && *rule.op != op) continue;
    if (name.find(rule.name_contains) == name.npos) continue;
    const std::uint64_t match = active.matches++;
    if (match < rule.skip || match - rule.skip >= rule.times) continue;
    if (rule.chance < 1.0 && !rng_.chance(rule.chance)) continue;
    if (rule.fault == Fault::kIo) return fail(Code::kIo, std::string(name) + ": injected error");
    if (rule.fault == Fault::kDiskFull) {
      return fail(Code::kDiskFull, std::string(name) + ": injected full disk");
    }
    return std::optional(rule.fault);
  }
  return std::optional<Fault>();
}

void FaultyVfs::step() {
  if (++steps_ >= crash_step_) crashed_ = true;
}

Status FaultyVfs::check_room(std::string_view name, std::uint64_t bytes) const {
  if (options_.capacity_bytes == UINT64_MAX) return {};
  const std::uint64_t used = disk_.used_bytes();
  if (used <= options_.capacity_bytes && bytes <= options_.capacity_bytes - used) return {};
  return fail(Code::kDiskFull, std::string(name) + ": no space left");
}

Result<DiskImage::Handle> FaultyVfs::find(std::string_view name) const {
  DiskImage::Handle inode = disk_.find(name);
  if (inode == nullptr) return fail(Code::kNotFound, "no file \"" + std::string(name) + "\"");
  return inode;
}

Status FaultyVfs::append(const std::string& name, DiskImage::Inode& inode, ByteView bytes) {
  const std::optional<Fault> fault = COPPICE_TRY(begin(FileOp::kAppend, name));
  COPPICE_TRY(check_room(name, bytes.size()));
  const bool torn = fault == Fault::kTorn;
  DiskImage::append(inode, torn ? bytes.first(rng_.below(bytes.size() + 1)) : bytes);
  step();
  if (torn) return fail(Code::kIo, name + ": injected torn append");
  return {};
}

Status FaultyVfs::begin_write(const std::string& name, DiskImage::Inode& inode,
                              std::uint64_t offset, ByteView bytes) {
  const std::optional<Fault> fault = COPPICE_TRY(begin(FileOp::kWrite, name));
  if (fault == Fault::kTorn) {
    for (std::uint64_t at = 0; at < bytes.size(); at += kSectorBytes) {
      if (!rng_.chance(0.5)) continue;
      DiskImage::begin_write(inode, offset + at, bytes.subspan(at, kSectorBytes));
    }
    step();
    return fail(Code::kIo, "injected torn write, " + at_offset(name, offset, bytes.size()));
  }
  DiskImage::begin_write(inode, offset, bytes);
  step();
  return {};
}

Result<std::unique_ptr<File>> FaultyVfs::open(std::string_view name) {
  COPPICE_TRY(check_file_name(name));
  pause();
  const std::lock_guard lock(mutex_);
  COPPICE_TRY(begin(FileOp::kOpen, name));
  auto inode = COPPICE_TRY(find(name));
  return std::make_unique<Handle>(*this, std::string(name), std::move(inode));
}

Result<std::unique_ptr<AppendFile>> FaultyVfs::create(std::string_view name) {
  COPPICE_TRY(check_file_name(name));
  pause();
  const std::lock_guard lock(mutex_);
  COPPICE_TRY(begin(FileOp::kCreate, name));
  COPPICE_TRY(disk_.check_vacant(name));
  auto inode = disk_.create(name);
  step();
  return std::make_unique<Appender>(*this, std::string(name), std::move(inode));
}

Result<std::unique_ptr<SegmentFile>> FaultyVfs::create_segment(std::string_view name,
                                                               std::uint64_t bytes) {
  COPPICE_TRY(check_file_name(name));
  if (bytes % kSectorBytes != 0) {
    return fail(Code::kInvalidArgument, "segment size is not a multiple of the sector size");
  }
  pause();
  const std::lock_guard lock(mutex_);
  COPPICE_TRY(begin(FileOp::kCreateSegment, name));
  COPPICE_TRY(disk_.check_vacant(name));
  COPPICE_TRY(check_room(name, bytes));
  auto inode = disk_.create_durable(name, bytes);
  counters_.count_write(IoClass::kCompaction, bytes);
  step();
  return std::make_unique<Handle>(*this, std::string(name), std::move(inode));
}

Result<std::unique_ptr<SegmentFile>> FaultyVfs::open_segment(std::string_view name) {
  COPPICE_TRY(check_file_name(name));
  pause();
  const std::lock_guard lock(mutex_);
  COPPICE_TRY(begin(FileOp::kOpenSegment, name));
  auto inode = COPPICE_TRY(find(name));
  if (inode->bytes.size() % kSectorBytes != 0) {
    return fail(Code::kCorruption, std::string(name) + ": not a segment, odd size");
  }
  return std::make_unique<Handle>(*this, std::string(name), std::move(inode));
}

Status FaultyVfs::read(std::span<const ReadRequest> requests, IoClass io_class) {
  pause();
  Status first;
  const std::lock_guard lock(mutex_);
  for (const ReadRequest& request : requests) {
    counters_.count_read(io_class, request.into.size());
    Status done = read_one(request);
    if (!done && first) first = std::move(done);
  }
  return first;
}

Status FaultyVfs::read_one(const ReadRequest& request) {
  const auto& file = static_cast<const Handle&>(request.file->underlying());
  const std::optional<Fault> fault = COPPICE_TRY(begin(FileOp::kRead, file.name()));
  const ByteBuffer& bytes = file.inode().bytes;
  if (request.offset > bytes.size() || request.into.size() > bytes.size() - request.offset) {
    return fail(Code::kCorruption, "read past the end, " +
                                       at_offset(file.name(), request.offset, request.into.size()));
  }
  if (request.into.empty()) return {};
  std::memcpy(request.into.data(), bytes.data() + request.offset, request.into.size());
  if (fault == Fault::kBitFlip) {
    request.into[rng_.below(request.into.size())] ^= static_cast<std::byte>(1U << rng_.below(8));
  }
  return {};
}

Status FaultyVfs::rename(std::string_view from, std::string_view to) {
  COPPICE_TRY(check_file_name(from));
  COPPICE_TRY(check_file_name(to));
  pause();
  const std::lock_guard lock(mutex_);
  COPPICE_TRY(begin(FileOp::kRename, from));
  COPPICE_TRY(find(from));
  if (disk_.find(to) == nullptr) COPPICE_TRY(disk_.check_vacant(to));
  disk_.rename(from, to);
  step();
  return {};
}

Status FaultyVfs::remove(std::string_view name) {
  COPPICE_TRY(check_file_name(name));
  pause();
  const std::lock_guard lock(mutex_);
  COPPICE_TRY(begin(FileOp::kRemove, name));
  COPPICE_TRY(find(name));
  disk_.remove(name);
  step();
  return {};
}

Result<std::vector<FileInfo>> FaultyVfs::list(std::string_view prefix) {
  pause();
  const std::lock_guard lock(mutex_);
  COPPICE_TRY(begin(FileOp::kList, prefix));
  return disk_.list(prefix);
}

}  // namespace coppice
