// row_merge.h — RowMerge: files of a row tree become fewer, without what no read can see.
//
// Role:     merges files of level 0 among themselves, or all of them into the last level, or small
//           neighbours of the last level with each other. Files of the last level that nothing
//           touches stay as they are; blocks that nothing touches are passed on in columns.
// Owns:     what it has written until finished() is called; a merge that failed removes it.
// Threads:  one at a time.   Parks: run(), where files do.
// Errors:   kCorruption naming file and offset; those of the Vfs.
#pragma once

#include <memory>
#include <vector>

#include "modules/lsm/forest/file_store.h"
#include "modules/lsm/forest/tables.h"
#include "modules/lsm/sstable/row_file_cursor.h"

namespace coppice::lsm {

struct RowMergeInput {
  std::vector<RowFileRef> level0;  // newest first
  std::vector<RowFileRef> last;    // ascending neighbours
  bool into_last = false;          // level0 holds all there are; nothing older exists
  bool rewrite = false;            // the files of `last`, whether something touches them or not
  TableSchema schema;              // of the output: has every column that a read may ask for
  Hlc snap = Hlc::zero();
  std::uint64_t file_bytes = 64_MiB;  // about so long
  IoClass io_class = IoClass::kCompaction;
};

class RowMerge {
 public:
  RowMerge(FileStore& store, RowMergeInput input);

  // In place of the inputs: ascending; files of `last` that were left alone among them.
  Result<std::vector<RowFileRef>> run();
  const std::vector<std::uint64_t>& made() const { return made_; }  // files, also after an error
  std::uint64_t written_bytes() const { return written_bytes_; }

 private:
  struct Source {
    RowFileCursor cursor;
    bool more = false;
  };
  Status merge_all();
  Status merge_file(const RowFileRef& file);
  Status merge_block(const RowFileReader& file, std::uint32_t block);
  // Rows of the sources (newest first) up to `to`.
  Status merge_rows(std::vector<Source*>& sources, Egid to);
  Egid least_level0() const;  // UINT64_MAX: none left
  Status begin_row();
  Status end_row();
  Status finish_file();

  FileStore& store_;
  RowMergeInput input_;
  StoredRowBlocks blocks_;
  std::vector<std::uint32_t> columns_;
  std::vector<Source> level0_;
  std::unique_ptr<FileWriter> file_;
  std::unique_ptr<RowFileBuilder> builder_;
  std::vector<StoredVersion> versions_;
  std::vector<RowFileRef> out_;
  std::vector<std::uint64_t> made_;
  std::uint64_t written_bytes_ = 0;
};

// The schema that files of a table are merged under: the newest, and every column that a read at or
// above `snap` may still ask for, or without which a group of `files` would have none.
TableSchema merge_schema(const DefinitionVersions& versions, Hlc snap,
                         const std::vector<RowFileRef>& files);

}  // namespace coppice::lsm
