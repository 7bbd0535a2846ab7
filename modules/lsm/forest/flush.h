// flush.h — Flush: what memtables of many trees hold becomes sections of one file.
//
// Role:     new rows go to the last level, changes of older rows and all index operations to level
//           0. One file and one sync, however many trees there are.
// Owns:     references to the frozen memtables; nothing of the trees.
// Threads:  one at a time; memtables are frozen, so nobody writes to them.
// Parks:    write(), and where the file does.
// Errors:   those of the Vfs; after one the file is removed and nothing has changed.
#pragma once

#include <vector>

#include "modules/lsm/forest/section_writer.h"
#include "modules/lsm/forest/tables.h"

namespace coppice::lsm {

class Flush {
 public:
  // One tree: what was frozen, and where it went.
  struct Part {
    TablePtr table;
    std::vector<RowMemoryRef> rows;                // newest first
    std::vector<FrozenRunsRef> runs;               // newest first
    std::vector<RowFileRef> row_level0, row_last;  // newest first; ascending
    std::vector<IndexFileRef> index_level0;
  };

  // Freezes what the table has in memory. Under the apply mutex.
  void add(const TablePtr& table);
  bool empty() const { return parts_.empty(); }
  const std::vector<Part>& parts() const { return parts_; }

  // Writes the file and opens its sections. Readers of the trees see no change.
  Status write(FileStore& store, Hlc snap);
  std::uint64_t file() const { return file_; }  // 0: nothing was worth a file
  std::uint64_t bytes() const { return bytes_; }
  // The memtables leave the trees, the files come. Under the apply mutex.
  void install() const;

 private:
  struct Section {
    std::size_t part;
    FileReference at;
    bool last;
  };
  Status write_rows(FileWriter& file, std::size_t part, Hlc snap);
  Status write_index(FileWriter& file, std::size_t part, Hlc snap);
  Status write_all(FileWriter& file, Hlc snap);
  Status open_all(FileStore& store);

  std::vector<Part> parts_;
  std::vector<Section> sections_;
  std::uint64_t file_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace coppice::lsm
