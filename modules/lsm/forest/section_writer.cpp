#include "modules/lsm/forest/section_writer.h"

namespace coppice::lsm {

IndexSectionWriter::IndexSectionWriter(FileWriter& file, const IndexSectionOptions& options)
    : file_(file), start_(file.size()) {
  const IndexWriterOptions writer{
      .file = file.number(),
      .base_offset = start_,
      .codec = options.codec,
      .kind = options.unique ? IndexFileKind::kUnique : IndexFileKind::kPostings};
  const IndexSink sink = [&file](ByteView bytes) { return file.append(bytes); };
  if (options.unique) {
    unique_.emplace(writer, sink);
    unique_->set_folded_through(options.folded_through);
    if (options.lossy) unique_->set_lossy();
  } else {
    postings_.emplace(writer, sink);
    postings_->set_folded_through(options.folded_through);
    if (options.lossy) postings_->set_lossy();
  }
}

Result<FileReference> IndexSectionWriter::finish() {
  if (postings_) {
    COPPICE_TRY(postings_->finish());
  } else {
    COPPICE_TRY(unique_->finish());
  }
  return FileReference{file_.number(), start_, file_.size() - start_};
}

}  // namespace coppice::lsm
