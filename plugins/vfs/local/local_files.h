// local_files.h — open files of a local disk: read, written in place, appended to.
//
// Owns:     their descriptors, and an append file its buffer of kAppendBufferBytes.
// Threads:  LocalFile any; LocalAppendFile one fiber at a time.
// Parks:    whatever touches the disk.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "interfaces/vfs.h"
#include "interfaces/vfs_counters.h"
#include "kernel/base/aligned_buffer.h"
#include "plugins/vfs/local/file_descriptor.h"
#include "plugins/vfs/local/root_folder.h"

namespace coppice::vfs_local {

inline constexpr std::size_t kAppendBufferBytes = 256 << 10;

// How a write becomes durable: a flag of the write, or an fdatasync after it.
enum class Durability : std::uint8_t { kDsync, kFdatasync };

// A durable write of whole sectors, the one way or the other.
Status write_durably(int fd, std::uint64_t offset, ByteView bytes, Durability how);

class LocalFile final : public SegmentFile {
 public:
  LocalFile(std::string name, OpenedFile file, Durability durability, AtomicVfsCounters& counters)
      : name_(std::move(name)),
        file_(std::move(file)),
        durability_(durability),
        counters_(counters) {}

  std::string_view name() const override { return name_; }
  std::uint64_t size() const override { return file_.size; }
  int descriptor() const { return file_.fd.get(); }
  Status write(std::uint64_t offset, ByteView bytes, bool durable, IoClass io_class) override;

 private:
  const std::string name_;
  const OpenedFile file_;
  const Durability durability_;
  AtomicVfsCounters& counters_;
};

// Bytes gather in an aligned buffer and go to disk kAppendBufferBytes at a time. A sync() writes
// what is there padded to a sector, then cuts the padding off; the last, partial sector stays in
// the buffer and is written again with what follows it.
class LocalAppendFile final : public AppendFile {
 public:
  LocalAppendFile(std::string name, FileDescriptor fd, const RootFolder& root,
                  AtomicVfsCounters& counters)
      : name_(std::move(name)), fd_(std::move(fd)), root_(root), counters_(counters) {}

  std::string_view name() const override { return name_; }
  std::uint64_t size() const override { return flushed_ + buffered_; }
  Status append(ByteView bytes, IoClass io_class) override;
  Status sync(IoClass io_class) override;

 private:
  Status do_append(ByteView bytes, IoClass io_class);
  Status do_sync(IoClass io_class);
  Status write_buffer(std::size_t bytes, IoClass io_class);
  Status guard(Status status);

  const std::string name_;
  const FileDescriptor fd_;
  const RootFolder& root_;
  AtomicVfsCounters& counters_;
  AlignedBuffer buffer_;
  std::uint64_t flushed_ = 0;  // bytes on disk before the buffer; a multiple of kSectorBytes
  std::size_t buffered_ = 0;
  std::size_t tail_on_disk_ = 0;  // of the buffer: written by the last sync()
  bool name_durable_ = false;
  bool failed_ = false;
};

}  // namespace coppice::vfs_local
