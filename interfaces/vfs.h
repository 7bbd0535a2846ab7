// vfs.h — files, wherever they are: a local disk, memory, an object store.
//
// Role:     all storage I/O of the process goes through a Vfs. Plugins (plugins/vfs/*) reach one
//           kind of storage; module vfs decorates them with metering, priorities and throttling.
// Threads:  every method from any fiber of any worker, several at a time, unless it says otherwise.
// Parks:    every method may park; none blocks the thread. Destructors neither park nor fail.
// Errors:   kNotFound, kAlreadyExists, kInvalidArgument (a name, an alignment), kDiskFull, kIo (the
//           message names file and offset), kCancelled, kUnsupported (an object store has no
//           segments). A failed call changed nothing that a reader can see, except where said.
// Names:    relative paths of [A-Za-z0-9._/-], no component empty, "." or "..", at most
//           kNameBytesMax bytes (check_file_name). Folders exist as soon as a file in them does; a
//           name cannot be both: kAlreadyExists.
// Holds:    files are closed before the Vfs that opened them is destroyed.
//
// What a crash (of process, machine or power) leaves, for every implementation:
//   - an AppendFile that was never synced may be there in part, or not at all; after sync()
//     returned, its name and all bytes appended before the sync are there, and of later bytes any
//     part, with zeros for what is missing and up to the next multiple of kSectorBytes;
//   - bytes of a durable write to a segment are there once it returned; a write under way, or one
//     that was not durable, may be there in part, at the granularity of kSectorBytes, each sector
//     old or new;
//   - rename() and a segment's creation are durable and atomic once they returned (the bytes of a
//     renamed file only as far as they were synced); a remove() may come undone.
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
  virtual ~File() = default;                  // closes
  virtual std::string_view name() const = 0;  // as opened; a rename does not change it
  virtual std::uint64_t size() const = 0;
  // What a decorator has wrapped. A backend's read() starts from here, so that no decorator needs
  // to copy a batch of requests.
  virtual const File& underlying() const { return *this; }
};

// One read of a batch. `into` is filled wholly or the batch fails: reading past the end is
// kCorruption, since every length that we read was written down somewhere.
struct ReadRequest {
  const File* file = nullptr;
  std::uint64_t offset = 0;  // any; implementations align for direct I/O themselves
  MutableByteView into;      // aligned to kSectorBytes saves a copy, as do offset and size
};

// A file being written from front to back, by one fiber at a time, then opened with Vfs::open(),
// which sees what was appended before the last sync(). After an error of append() or sync() nobody
// knows what is on disk: every later call fails too, and the file is to be removed.
class AppendFile {
 public:
  virtual ~AppendFile() = default;  // closes; what was not synced may be lost
  virtual std::string_view name() const = 0;
  virtual std::uint64_t size() const = 0;  // bytes appended so far
  virtual Status append(ByteView bytes, IoClass io_class) = 0;
  virtual Status sync(IoClass io_class) = 0;
};

// A file of fixed size that is written in place: the log's segments.
class SegmentFile : public File {
 public:
  // Offset, size and address are multiples of kSectorBytes, the range lies within the file, else
  // kInvalidArgument. With `durable` it returns when a power cut cannot undo it. Several writes may
  // be under way at once, if they do not overlap: at most kSegmentWritesMax per file. After an
  // error each sector of the range is old or new.
  virtual Status write(std::uint64_t offset, ByteView bytes, bool durable, IoClass io_class) = 0;
};
inline constexpr std::size_t kSegmentWritesMax = 8;

// kInvalidArgument unless `name` keeps the rules above.
Status check_file_name(std::string_view name);

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
  // kCorruption if the file's size is not a multiple of kSectorBytes.
  virtual Result<std::unique_ptr<SegmentFile>> open_segment(std::string_view name) = 0;

  // Submits all requests at once and parks until the last is done. On an error of any it returns
  // the first in request order, after all are done; the contents of all `into` are then undefined.
  virtual Status read(std::span<const ReadRequest> requests, IoClass io_class) = 0;

  // Replaces `to`. `from` must not be open for appending.
  virtual Status rename(std::string_view from, std::string_view to) = 0;
  virtual Status remove(std::string_view name) = 0;  // open files stay readable
  // All files whose name starts with `prefix`, sorted by name.
  virtual Result<std::vector<FileInfo>> list(std::string_view prefix) = 0;

  virtual VfsCounters counters() const = 0;
};

}  // namespace coppice
