// index_tree_merge.h — IndexTreeMerge: files of an index tree become fewer, deltas are folded in.
//
// Role:     merges files of level 0 among themselves, or all of them into those files of the bottom
//           that their keys reach. Output is cut between keys, never within one.
// Owns:     what it has written; a merge that failed removes it.
// Threads:  one at a time.   Parks: run(), where files do.
// Errors:   kCorruption naming file and offset; those of the Vfs.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "modules/lsm/forest/section_writer.h"

namespace coppice::lsm {

struct IndexTreeMergeInput {
  std::vector<IndexFileRef> level0;  // newest first
  std::vector<IndexFileRef> bottom;  // ascending neighbours
  bool into_bottom = false;          // level0 holds all there are; nothing older is in the range
  bool unique = false;
  Hlc snap = Hlc::zero();
  const Codec* codec = nullptr;
  std::uint64_t file_bytes = 64_MiB;  // about so long
  IoClass io_class = IoClass::kCompaction;
};

class IndexTreeMerge {
 public:
  IndexTreeMerge(FileStore& store, IndexTreeMergeInput input);

  Result<std::vector<IndexFileRef>> run();  // in place of the inputs, ascending
  const std::vector<std::uint64_t>& made() const { return made_; }
  std::uint64_t written_bytes() const { return written_bytes_; }

 private:
  Status merge_all();
  template <class Merge>
  Status drain(Merge merge);
  Status finish_file();

  FileStore& store_;
  IndexTreeMergeInput input_;
  StoredIndexBlocks blocks_;
  IndexSectionOptions options_;
  std::unique_ptr<FileWriter> file_;
  std::optional<IndexSectionWriter> writer_;
  std::vector<IndexFileRef> out_;
  std::vector<std::uint64_t> made_;
  std::uint64_t written_bytes_ = 0;
};

}  // namespace coppice::lsm
