#include "modules/lsm/forest/index_read.h"

#include <algorithm>

#include "modules/lsm/sstable/index_unique.h"

namespace coppice::lsm {
namespace {

bool may_hold(const IndexFile& file, ByteView key) {
  return compare_keys(key, file.properties().smallest.key) >= 0 &&
         compare_keys(key, file.properties().largest.key) <= 0;
}

// Goes round until every lookup is done, reading what they miss together.
template <class Lookups>
Status run_lookups(Lookups& lookups, StoredIndexBlocks& blocks) {
  std::vector<BlockRef> missing;
  for (;;) {
    missing.clear();
    for (auto& lookup : lookups) {
      const bool done = COPPICE_TRY(lookup.get().advance(blocks));
      if (done) continue;
      const std::span<const BlockRef> wanted = lookup.get().missing();
      missing.insert(missing.end(), wanted.begin(), wanted.end());
    }
    if (missing.empty()) return {};
    COPPICE_TRY(blocks.gather(missing));
  }
}

}  // namespace

IndexRead::IndexRead(const FileStore& store, const ReadView& view, TableRef ref, TablePtr table,
                     bool unique)
    : table_(std::move(table)),
      unique_(unique),
      read_at_(view.snapshot->read_at()),
      blocks_(store, view.io_class) {
  if (table_ != nullptr) tree_ = table_->index().load();
  if (view.own != nullptr) own_ = own_of(view)->own_entries(ref);
}

void IndexRead::add_lookups(ByteView key, IndexLookup::Want want,
                            std::deque<IndexLookup>& to) const {
  if (tree_ == nullptr) return;
  for (const auto* level : {&tree_->level0, &tree_->bottom}) {
    for (const IndexFileRef& file : *level) {
      if (may_hold(file->index, key)) to.emplace_back(file->index, key, want);
    }
  }
}

Status IndexRead::gather(std::vector<ByteBuffer> keys, KeyPostingsSet& to) {
  std::vector<KeyPostings*> made;
  std::vector<std::reference_wrapper<IndexLookup>> lookups;
  for (ByteBuffer& key : keys) {
    KeyPostings& postings = to.emplace_back();
    postings.key = std::move(key);
    add_lookups(postings.key, IndexLookup::Want::kParts, postings.lookups);
    for (IndexLookup& lookup : postings.lookups) lookups.emplace_back(lookup);
    made.push_back(&postings);
  }
  COPPICE_TRY(run_lookups(lookups, blocks_));
  for (KeyPostings* postings : made) {
    const OwnEntries::Rows* own = own_ == nullptr ? nullptr : own_->find(postings->key);
    if (own != nullptr) {
      for (const auto& [row, add] : *own)
        postings->own.push_back({row, add ? Stamp::add(read_at_) : Stamp::remove(read_at_)});
      postings->list.add_layer(std::span<const PostingOp>(postings->own));
    }
    if (tree_ != nullptr) {
      tree_->active.add_layers(postings->key, postings->list, postings->copies);
      for (const FrozenRunsRef& frozen : tree_->frozen) {
        for (const IndexRunRef& run : frozen->runs)
          postings->list.add_layer(run->find(postings->key));
      }
    }
    for (const IndexLookup& lookup : postings->lookups) postings->list.add_layer(lookup.parts());
    postings->list.seal();
  }
  return {};
}

Result<std::uint64_t> IndexRead::count_limit(ByteView key) {
  std::uint64_t limit = 0;
  if (const OwnEntries::Rows* own = own_ == nullptr ? nullptr : own_->find(key))
    limit += own->size();
  if (tree_ == nullptr) return limit;
  std::vector<PostingOp> head;
  tree_->active.head->collect(key, head);
  limit += head.size();
  for (const IndexRunRef& run : tree_->active.runs) limit += run->find(key).size();
  for (const FrozenRunsRef& frozen : tree_->frozen) {
    for (const IndexRunRef& run : frozen->runs) limit += run->find(key).size();
  }
  std::deque<IndexLookup> files;
  add_lookups(key, IndexLookup::Want::kCounts, files);
  std::vector<std::reference_wrapper<IndexLookup>> lookups(files.begin(), files.end());
  COPPICE_TRY(run_lookups(lookups, blocks_));
  for (const IndexLookup& lookup : files) limit += lookup.ids_limit();
  return limit;
}

// --- unique -------------------------------------------------------------------------------------

std::optional<PostingOp> IndexRead::newest_in_memory(ByteView key) const {
  if (auto found = tree_->active.newest(key, read_at_)) return found;
  std::optional<PostingOp> newest;
  for (const FrozenRunsRef& frozen : tree_->frozen) {
    for (const IndexRunRef& run : frozen->runs) {
      for (const PostingOp& op : run->find(key)) {
        if (op.stamp.visible_at(read_at_) && (!newest || op.stamp > newest->stamp)) newest = op;
      }
      if (newest) return newest;
    }
  }
  return newest;
}

Result<std::vector<std::optional<Egid>>> IndexRead::find_unique(std::span<const ByteView> keys) {
  struct Search {
    std::optional<PostingOp> found;
    std::deque<UniqueLookup> files;  // newest first
  };
  std::deque<Search> searches(keys.size());
  std::vector<std::reference_wrapper<UniqueLookup>> lookups;
  for (std::size_t i = 0; i < keys.size() && tree_ != nullptr; ++i) {
    Search& search = searches[i];
    search.found = newest_in_memory(keys[i]);
    if (search.found) continue;
    for (const auto* level : {&tree_->level0, &tree_->bottom}) {
      for (const IndexFileRef& file : *level) {
        if (may_hold(file->index, keys[i]))
          search.files.emplace_back(file->index, keys[i], read_at_);
      }
    }
    for (UniqueLookup& lookup : search.files) lookups.emplace_back(lookup);
  }
  COPPICE_TRY(run_lookups(lookups, blocks_));

  std::vector<std::optional<Egid>> rows(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    Search& search = searches[i];
    for (auto file = search.files.begin(); file != search.files.end() && !search.found; ++file)
      search.found = file->found();
    if (search.found && search.found->stamp.is_add()) rows[i] = search.found->egid;
    const OwnEntries::Rows* own = own_ == nullptr ? nullptr : own_->find(keys[i]);
    if (own == nullptr) continue;
    if (rows[i]) {
      const auto removed = own->find(*rows[i]);
      if (removed != own->end() && !removed->second) rows[i].reset();
    }
    for (const auto& [row, add] : *own) {
      if (add) rows[i] = row;
    }
  }
  return rows;
}

}  // namespace coppice::lsm
