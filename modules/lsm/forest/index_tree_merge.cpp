#include "modules/lsm/forest/index_tree_merge.h"

#include <algorithm>

#include "kernel/fiber/fiber.h"

namespace coppice::lsm {

IndexTreeMerge::IndexTreeMerge(FileStore& store, IndexTreeMergeInput input)
    : store_(store), input_(std::move(input)), blocks_(store, input_.io_class) {
  options_.unique = input_.unique;
  options_.codec = input_.codec;
  if (input_.into_bottom) options_.folded_through = input_.snap;
  for (const auto* level : {&input_.level0, &input_.bottom}) {
    for (const IndexFileRef& file : *level) {
      const IndexProperties& properties = file->index.properties();
      options_.lossy |= properties.lossy;
      options_.folded_through = std::max(options_.folded_through, properties.folded_through);
    }
  }
}

Result<std::vector<IndexFileRef>> IndexTreeMerge::run() {
  const Status merged = merge_all();
  if (merged) return std::move(out_);
  out_.clear();
  writer_.reset();
  file_.reset();
  for (const std::uint64_t file : made_) static_cast<void>(store_.remove(file));
  return std::unexpected(merged.error().clone());
}

Status IndexTreeMerge::merge_all() {
  std::vector<std::unique_ptr<IndexInput>> postings;
  std::vector<std::unique_ptr<UniqueInput>> uniques;
  for (const auto* level : {&input_.level0, &input_.bottom}) {
    for (const IndexFileRef& file : *level) {
      if (input_.unique) {
        uniques.push_back(unique_file_input(file->index, blocks_));
      } else {
        postings.push_back(file_input(file->index, blocks_));
      }
    }
  }
  if (input_.unique) {
    return drain(UniqueMerge(std::move(uniques),
                             {.snap = input_.snap, .bottom = input_.into_bottom, .high = {}}));
  }
  return drain(
      IndexMerge(std::move(postings),
                 {.snap = input_.snap, .bottom = input_.into_bottom, .low = {}, .high = {}}));
}

template <class Merge>
Status IndexTreeMerge::drain(Merge merge) {
  ByteBuffer last_key;
  for (;;) {
    COPPICE_TRY(fiber::maybe_yield());
    const bool more = COPPICE_TRY(merge.next());
    if (!more) return finish_file();
    const bool same = writer_ && compare_keys(last_key, merge.key()) == 0;
    if (writer_ && !same && writer_->bytes() >= input_.file_bytes) COPPICE_TRY(finish_file());
    if (!writer_) {
      file_ = COPPICE_TRY(store_.create(input_.io_class));
      made_.push_back(file_->number());
      writer_.emplace(*file_, options_);
    }
    if (!same) last_key.assign(merge.key().begin(), merge.key().end());
    COPPICE_TRY(writer_->add(merge));
  }
}

Status IndexTreeMerge::finish_file() {
  if (!writer_) return {};
  const FileReference at = COPPICE_TRY(writer_->finish());
  COPPICE_TRY(file_->finish());
  written_bytes_ += at.length;
  writer_.reset();
  file_.reset();
  auto opened = COPPICE_TRY(store_.open_index(at));
  out_.push_back(std::move(opened));
  return {};
}

}  // namespace coppice::lsm
