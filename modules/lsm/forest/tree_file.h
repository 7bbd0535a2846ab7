// tree_file.h — files that trees refer to, open and ready to be read.
#pragma once

#include <memory>

#include "interfaces/vfs.h"
#include "modules/lsm/sstable/index_file.h"
#include "modules/lsm/sstable/row_file_reader.h"

namespace coppice::lsm {

// Where a section of a file is; what the manifest says of it. Several trees may have sections in
// one file.
struct FileReference {
  std::uint64_t file = 0;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  friend bool operator==(const FileReference&, const FileReference&) = default;
};

struct RowFile {
  FileReference at;
  std::shared_ptr<const File> file;
  std::unique_ptr<RowFileReader> reader;
};
using RowFileRef = std::shared_ptr<const RowFile>;

struct IndexFileSection {
  FileReference at;
  std::shared_ptr<const File> file;
  IndexFile index;
};
using IndexFileRef = std::shared_ptr<const IndexFileSection>;

}  // namespace coppice::lsm
