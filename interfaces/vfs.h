// vfs.h — files, wherever they are: a local disk, memory, an object store.
//
// Role:     all storage I/O of the process goes through a Vfs. Plugins (plugins/vfs/*) reach one
// kind of
//           storage; module vfs decorates them with metering, priorities and throttling.
// Threads:  every method may be called from any fiber of any worker, several at a time, unless it
// says
//           otherwise.
// Parks:    every method may park; none blocks the thread.
// Errors:   kNotFound, kAlreadyExists, kDiskFull, kIo (message names file and offset), kCancelled,
//           kUnsupported (an object store has no segments). A failed call changed nothing that a
//           reader can see, except where said.
// Names:    relative paths of [A-Za-z0-9._/-], no empty component, no "..", at most kNameBytesMax
// bytes.
//           Folders exist as soon as a file in them does.
//
// What a crash (of process, machine or power) leaves, for every implementation:
//   - an AppendFile that was never synced may be there in part, or not at all; after sync()
//   returned,
//     its name and all bytes appended before the sync are there;
//   - bytes of a durable write to a segment are there once it returned; a write under way may be
//   there
//     in part, at the granularity of kSectorBytes, each sector old or new;
//   - rename() and a segment's creation are durable and atomic once they returned; a remove() may
//     come undone.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/base/bytes.h"
#include "kernel/base/result.h"

namespace coppice {

// Who waits for this I/O. Lower classes get what the higher ones leave over.
enum class IoClass : std::uint8_t {
  kLog,         // W: commits wait for it; never queued
  kQuery,       // P0: a statement waits for it
  kFlush,       // P1: flushes and level-0 merges, on which writers depend
  kCompaction,  // P2: the other merges
  kPrefetch,    // P3: read-ahead, garbage collection
};
inline constexpr std::size_t kIoClassCount = 5;

inline constexpr std::size_t kSectorBytes = 4096;
inline constexpr std::size_t kNameBytesMax = 255;

// A file open for reading. Its bytes do not change while it is open, except a segment's.
class File {
 public:
  virtual ~File() = default;  // closes; never parks
  virtual std::string_view name() const = 0;
  virtual std::uint64_t size() const = 0;
};

// One read of a batch. `into` is filled wholly or the batch fails: reading past the end is
// kCorruption, since every length that we read was written down somewhere.
struct ReadRequest {
  const File* file = nullptr;
  std::uint64_t offset = 0;  // any; implementations align for direct I/O themselves
  MutableByteView into;      // aligned to kSectorBytes saves a copy, as do offset and size
};

// A file being written from front to back, then opened with Vfs::open().
class AppendFile {
 public:
  virtual ~AppendFile() = default;  // closes; without a sync() before it the file may be lost
  virtual std::string_view name() const = 0;
  virtual std::uint64_t size() const = 0;  // bytes appended so far
  virtual Status append(ByteView bytes, IoClass io_class) = 0;
  virtual Status sync(IoClass io_class) = 0;
};

// A file of fixed size that is written in place: the log's segments.
class SegmentFile : public File {
 public:
  // Offset, size and address are multiples of kSectorBytes. With `durable` it returns when a power
  // cut cannot undo it. At most kSegmentWritesMax at a time per file.
  virtual Status write(std::uint64_t offset, ByteView bytes, bool durable, IoClass io_class) = 0;
};
inline constexpr std::size_t kSegmentWritesMax = 8;

struct FileInfo {
  std::string name;
  std::uint64_t size = 0;
};

struct VfsCounters {  // since creation; index = IoClass
  struct Class {
    std::uint64_t reads = 0, read_bytes = 0, writes = 0, write_bytes = 0, syncs = 0;
  };
  Class by_class[kIoClassCount];
};

class Vfs {
 public:
  virtual ~Vfs() = default;

  virtual Result<std::unique_ptr<File>> open(std::string_view name) = 0;
  virtual Result<std::unique_ptr<AppendFile>> create(std::string_view name) = 0;  // kAlreadyExists

  // Creates a zero-filled segment of `bytes` (a multiple of kSectorBytes), its blocks really
  // allocated, so that later writes need no metadata. Background work: class kCompaction.
  virtual Result<std::unique_ptr<SegmentFile>> create_segment(std::string_view name,
                                                              std::uint64_t bytes) = 0;
  virtual Result<std::unique_ptr<SegmentFile>> open_segment(std::string_view name) = 0;

  // Submits all requests at once and parks until the last is done. On an error of any it returns
  // the first in request order, after all are done; the contents of all `into` are then undefined.
  virtual Status read(std::span<const ReadRequest> requests, IoClass io_class) = 0;

  virtual Status rename(std::string_view from, std::string_view to) = 0;  // replaces `to`
  virtual Status remove(std::string_view name) = 0;  // open files stay readable
  // All files whose name starts with `prefix`, sorted by name.
  virtual Result<std::vector<FileInfo>> list(std::string_view prefix) = 0;

  virtual VfsCounters counters() const = 0;
};

}  // namespace coppice
