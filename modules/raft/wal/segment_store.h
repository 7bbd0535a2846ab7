// segment_store.h — the files of the log: finding them, reading them, taking new ones into use.
//
// Role:     knows names and files; what is in them is the business of scanner.h and log_writer.h.
// Threads:  any; it has no state of its own.
// Parks:    every call.
// Errors:   those of the Vfs; kCorruption from find().
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "interfaces/vfs.h"
#include "kernel/base/aligned_buffer.h"
#include "modules/raft/wal/chain.h"

namespace coppice::raft {

class SegmentStore {
 public:
  SegmentStore(Vfs& vfs, std::uint64_t segment_bytes) : vfs_(vfs), segment_bytes_(segment_bytes) {}
  std::uint64_t segment_bytes() const { return segment_bytes_; }

  struct Found {
    Chain chain;
    std::vector<std::string> free;  // files outside the chain of the size in use
    std::vector<std::string> odd;   // and of other sizes
    Generation newest = 0;          // the highest in any name, in use or not
    std::uint32_t newest_spare = 0;
  };
  Result<Found> find();

  // The whole file.
  Result<AlignedBuffer> read(const SegmentHeader& header);

  // A file of segment_bytes() for the generation: `source` renamed, or a new one if that is empty.
  // Its header is the old one or none until begin() has written it.
  Result<std::unique_ptr<SegmentFile>> take(const std::string& source, Generation generation);
  Result<std::unique_ptr<SegmentFile>> create(Generation generation, std::uint64_t bytes);
  // Durable when it returns.
  Status begin(SegmentFile& file, const SegmentHeader& header);

  Status make_spare(const std::string& name);
  Status remove(const std::string& name) { return vfs_.remove(name); }

 private:
  Result<FoundSegment> look_at(const FileInfo& info, Generation generation);

  Vfs& vfs_;
  const std::uint64_t segment_bytes_;
};

}  // namespace coppice::raft
