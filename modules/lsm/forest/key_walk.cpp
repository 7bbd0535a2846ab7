#include "modules/lsm/forest/key_walk.h"

#include <iterator>

#include "modules/lsm/sstable/index_posting_file.h"
#include "modules/lsm/sstable/index_unique.h"

namespace coppice::lsm {
namespace {

using MaybeKey = std::optional<ByteView>;

class MemtableKeys final : public KeySource {
 public:
  explicit MemtableKeys(const IndexMemtableView& view) : view_(view) {}
  Result<MaybeKey> at_or_above(ByteView key) override { return view_.key_at_or_above(key); }
  Result<MaybeKey> below(ByteView key) override { return view_.key_below(key); }
  Result<MaybeKey> last() override { return view_.last_key(); }

 private:
  const IndexMemtableView& view_;
};

class RunKeys final : public KeySource {
 public:
  explicit RunKeys(const IndexRun& run) : run_(run) {}
  Result<MaybeKey> at_or_above(ByteView key) override { return at(run_.lower_bound(key)); }
  Result<MaybeKey> below(ByteView key) override { return before(run_.lower_bound(key)); }
  Result<MaybeKey> last() override { return before(run_.keys()); }

 private:
  MaybeKey at(std::size_t i) const {
    return i < run_.keys() ? MaybeKey(run_.key(i)) : std::nullopt;
  }
  MaybeKey before(std::size_t i) const { return i > 0 ? at(i - 1) : std::nullopt; }
  const IndexRun& run_;
};

class OwnKeys final : public KeySource {
 public:
  explicit OwnKeys(const OwnEntries& own) : entries_(own.all()) {}
  Result<MaybeKey> at_or_above(ByteView key) override {
    const auto at = entries_.lower_bound(as_text(key));
    return at == entries_.end() ? MaybeKey() : MaybeKey(as_bytes(at->first));
  }
  Result<MaybeKey> below(ByteView key) override {
    return before(entries_.lower_bound(as_text(key)));
  }
  Result<MaybeKey> last() override { return before(entries_.end()); }

 private:
  using Entries = std::map<std::string, OwnEntries::Rows, std::less<>>;
  MaybeKey before(Entries::const_iterator at) const {
    return at == entries_.begin() ? MaybeKey() : MaybeKey(as_bytes(std::prev(at)->first));
  }
  const Entries& entries_;
};

// Where a walk goes on, the cursor stands nearby already.
constexpr int kStepsBeforeSeek = 32;

// Seek of IndexFileCursor goes to the part that covers a position.
class PostingFileKeys final : public KeySource {
 public:
  PostingFileKeys(const IndexFile& file, IndexBlocks& blocks) : cursor_(file, blocks) {}

  Result<MaybeKey> at_or_above(ByteView key) override {
    for (int i = 0; valid_ && i < kStepsBeforeSeek && compare_keys(cursor_.key(), key) < 0; ++i)
      valid_ = COPPICE_TRY(cursor_.next());
    if (!valid_ || compare_keys(cursor_.key(), key) < 0 || !behind_)
      valid_ = COPPICE_TRY(cursor_.seek(key, 0));
    behind_ = true;
    while (valid_ && compare_keys(cursor_.key(), key) < 0) valid_ = COPPICE_TRY(cursor_.next());
    return here();
  }
  Result<MaybeKey> below(ByteView key) override {
    behind_ = false;
    valid_ = COPPICE_TRY(cursor_.seek(key, 0));
    while (valid_ && compare_keys(cursor_.key(), key) >= 0)
      valid_ = COPPICE_TRY(cursor_.previous());
    return here();
  }
  Result<MaybeKey> last() override {
    behind_ = false;
    valid_ = COPPICE_TRY(cursor_.last());
    return here();
  }

 private:
  MaybeKey here() const { return valid_ ? MaybeKey(cursor_.key()) : std::nullopt; }
  IndexFileCursor cursor_;
  bool valid_ = false;
  bool behind_ = false;  // all keys between the last one asked for and the cursor are known
};

class UniqueFileKeys final : public KeySource {
 public:
  UniqueFileKeys(const IndexFile& file, IndexBlocks& blocks) : cursor_(file, blocks) {}

  Result<MaybeKey> at_or_above(ByteView key) override {
    if (valid_ && compare_keys(cursor_.key(), key) < 0) {
      valid_ = COPPICE_TRY(cursor_.next());
      if (valid_ && compare_keys(cursor_.key(), key) >= 0) return here();
    }
    valid_ = COPPICE_TRY(cursor_.seek(key));
    return here();
  }
  Result<MaybeKey> below(ByteView key) override {
    valid_ = COPPICE_TRY(cursor_.seek(key));
    valid_ = COPPICE_TRY(valid_ ? cursor_.previous() : cursor_.last());
    return here();
  }
  Result<MaybeKey> last() override {
    valid_ = COPPICE_TRY(cursor_.last());
    return here();
  }

 private:
  MaybeKey here() const { return valid_ ? MaybeKey(cursor_.key()) : std::nullopt; }
  UniqueFileCursor cursor_;
  bool valid_ = false;
};

ByteBuffer copy_of(ByteView bytes) {
  return {bytes.begin(), bytes.end()};
}

}  // namespace

KeyWalk::KeyWalk(const IndexTreeVersion* tree, bool unique, const OwnEntries* own,
                 IndexBlocks& blocks) {
  if (own != nullptr) sources_.push_back(std::make_unique<OwnKeys>(*own));
  if (tree == nullptr) return;
  sources_.push_back(std::make_unique<MemtableKeys>(tree->active));
  for (const FrozenRunsRef& frozen : tree->frozen) {
    for (const IndexRunRef& run : frozen->runs) sources_.push_back(std::make_unique<RunKeys>(*run));
  }
  const auto add_files = [&](const std::vector<IndexFileRef>& files) {
    for (const IndexFileRef& file : files) {
      if (unique) {
        sources_.push_back(std::make_unique<UniqueFileKeys>(file->index, blocks));
      } else {
        sources_.push_back(std::make_unique<PostingFileKeys>(file->index, blocks));
      }
    }
  };
  add_files(tree->level0);
  add_files(tree->bottom);
}

Result<std::optional<ByteBuffer>> KeyWalk::least(ByteView key, const KeyRange& range) {
  std::optional<ByteBuffer> found;
  for (const auto& source : sources_) {
    const MaybeKey candidate = COPPICE_TRY(source->at_or_above(key));
    if (candidate && (!found || compare_keys(*candidate, *found) < 0)) found = copy_of(*candidate);
  }
  if (found && !range.contains(*found)) found.reset();
  return found;
}

Result<std::optional<ByteBuffer>> KeyWalk::greatest(std::optional<ByteView> below,
                                                    const KeyRange& range) {
  std::optional<ByteBuffer> found;
  for (const auto& source : sources_) {
    const MaybeKey candidate = COPPICE_TRY(below ? source->below(*below) : source->last());
    if (candidate && (!found || compare_keys(*candidate, *found) > 0)) found = copy_of(*candidate);
  }
  if (found && !range.contains(*found)) found.reset();
  return found;
}

Result<std::optional<ByteBuffer>> KeyWalk::first(const KeyRange& range) {
  return least(range.low, range);
}

Result<std::optional<ByteBuffer>> KeyWalk::next(ByteView after, const KeyRange& range) {
  ByteBuffer above = copy_of(after);
  above.push_back(std::byte{0});
  return least(above, range);
}

Result<std::optional<ByteBuffer>> KeyWalk::last(const KeyRange& range) {
  return greatest(range.high ? std::optional<ByteView>(*range.high) : std::nullopt, range);
}

Result<std::optional<ByteBuffer>> KeyWalk::previous(ByteView before, const KeyRange& range) {
  return greatest(before, range);
}

}  // namespace coppice::lsm
