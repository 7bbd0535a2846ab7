// section_writer.h — sections of index trees on their way into a file: flushes and merges alike.
//
// Role:     one face for posting and unique files: takes what IndexMerge or UniqueMerge gives.
// Owns:     the builder; the file is the caller's.
// Threads:  one at a time.   Parks: where the file does.
#pragma once

#include <optional>

#include "modules/lsm/forest/file_store.h"
#include "modules/lsm/sstable/index_merge.h"
#include "modules/lsm/sstable/index_unique.h"

namespace coppice::lsm {

struct IndexSectionOptions {
  bool unique = false;
  bool lossy = false;
  Hlc folded_through = Hlc::zero();
  const Codec* codec = nullptr;
};

class IndexSectionWriter {
 public:
  IndexSectionWriter(FileWriter& file, const IndexSectionOptions& options);

  Status add(const IndexMerge& from) {
    return postings_->add_part(from.key(), from.first_egid(), from.part(), from.stats());
  }
  Status add(const UniqueMerge& from) { return unique_->add(from.key(), from.versions()); }
  std::uint64_t bytes() const { return postings_ ? postings_->bytes() : unique_->bytes(); }
  Result<FileReference> finish();

 private:
  FileWriter& file_;
  std::uint64_t start_;
  std::optional<IndexFileBuilder> postings_;
  std::optional<UniqueFileBuilder> unique_;
};

}  // namespace coppice::lsm
