// local_files.cpp — writes through the runtime's Disk, the rest on helper threads.
#include "plugins/vfs/local/local_files.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "kernel/base/assert.h"
#include "kernel/fiber/disk.h"
#include "kernel/fiber/os_error.h"
#include "kernel/fiber/runtime.h"

namespace coppice::vfs_local {
namespace {

Status write_all(int fd, std::uint64_t offset, ByteView bytes, bool durable) {
  fiber::DiskWrite write;
  write.fd = fd;
  write.offset = offset;
  write.parts = {&bytes, 1};
  write.durable = durable;
  return fiber::runtime().disk().write(write);
}

}  // namespace

Status write_durably(int fd, std::uint64_t offset, ByteView bytes, Durability how) {
  if (how == Durability::kDsync) return write_all(fd, offset, bytes, true);
  COPPICE_TRY(write_all(fd, offset, bytes, false));
  return fiber::runtime().disk().sync(fd, fiber::DiskSync::kData);
}

Status LocalFile::write(std::uint64_t offset, ByteView bytes, bool durable, IoClass io_class) {
  const bool aligned =
      (offset | bytes.size() | reinterpret_cast<std::uintptr_t>(bytes.data())) % kSectorBytes == 0;
  const bool inside = offset <= size() && bytes.size() <= size() - offset;
  if (!aligned || !inside) {
    return fail(Code::kInvalidArgument, name_ + ": bad write of " + std::to_string(bytes.size()) +
                                            " bytes at offset " + std::to_string(offset));
  }
  counters_.count_write(io_class, bytes.size());
  if (durable) counters_.count_sync(io_class);
  if (bytes.empty()) return {};
  Status status = durable ? write_durably(descriptor(), offset, bytes, durability_)
                          : write_all(descriptor(), offset, bytes, false);
  if (status) return {};
  return std::unexpected(std::move(status).error().context("writing " + name_ + " at offset " +
                                                           std::to_string(offset)));
}

Status LocalAppendFile::append(ByteView bytes, IoClass io_class) {
  if (failed_) return fail(Code::kIo, name_ + ": an earlier write failed");
  return guard(do_append(bytes, io_class));
}

Status LocalAppendFile::sync(IoClass io_class) {
  if (failed_) return fail(Code::kIo, name_ + ": an earlier write failed");
  return guard(do_sync(io_class));
}

// After an error nobody knows what is on disk, and the system may have forgotten that it failed.
Status LocalAppendFile::guard(Status status) {
  if (status) return status;
  failed_ = true;
  return std::unexpected(std::move(status).error().context("writing " + name_));
}

Status LocalAppendFile::do_append(ByteView bytes, IoClass io_class) {
  if (buffer_.size() == 0) buffer_ = AlignedBuffer(kAppendBufferBytes);
  while (!bytes.empty()) {
    const std::size_t count = std::min(bytes.size(), buffer_.size() - buffered_);
    std::memcpy(buffer_.data() + buffered_, bytes.data(), count);
    buffered_ += count;
    bytes = bytes.subspan(count);
    if (buffered_ < buffer_.size()) continue;
    COPPICE_TRY(write_buffer(buffered_, io_class));
    flushed_ += buffered_;
    buffered_ = 0;
    tail_on_disk_ = 0;
  }
  return {};
}

Status LocalAppendFile::write_buffer(std::size_t bytes, IoClass io_class) {
  COPPICE_ASSERT(bytes % kSectorBytes == 0 && flushed_ % kSectorBytes == 0);
  counters_.count_write(io_class, bytes);
  return write_all(fd_.get(), flushed_, buffer_.first(bytes), false);
}

Status LocalAppendFile::do_sync(IoClass io_class) {
  counters_.count_sync(io_class);
  if (buffered_ > tail_on_disk_) {
    const std::size_t padded = align_up(buffered_, kSectorBytes);
    std::fill(buffer_.data() + buffered_, buffer_.data() + padded, std::byte{0});
    COPPICE_TRY(write_buffer(padded, io_class));
    if (padded != buffered_) {
      const int fd = fd_.get();
      const auto length = static_cast<off_t>(size());
      const int os_errno =
          fiber::run_blocking([fd, length] { return ::ftruncate(fd, length) == 0 ? 0 : errno; });
      if (os_errno != 0) return std::unexpected(fiber::os_error(os_errno, "cutting the padding"));
    }
    const std::size_t whole = align_down(buffered_, kSectorBytes);
    std::memmove(buffer_.data(), buffer_.data() + whole, buffered_ - whole);
    flushed_ += whole;
    buffered_ -= whole;
    tail_on_disk_ = buffered_;
  }
  COPPICE_TRY(fiber::runtime().disk().sync(fd_.get(), fiber::DiskSync::kData));
  if (name_durable_) return {};
  COPPICE_TRY(fiber::run_blocking([this] { return root_.sync_folders(name_); }));
  name_durable_ = true;
  return {};
}

}  // namespace coppice::vfs_local
