// index_run.cpp — sorting a batch, merging runs.
#include "modules/lsm/memtable/index_run.h"

#include <algorithm>
#include <array>

#include "kernel/base/assert.h"

namespace coppice::lsm {
namespace {

std::uint64_t prefix_of(ByteView key, std::size_t skip) {
  if (key.size() >= skip + 8) return load_be<std::uint64_t>(key.data() + skip);
  std::uint64_t prefix = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    const unsigned byte = skip + i < key.size() ? static_cast<unsigned>(key[skip + i]) : 0u;
    prefix = prefix << 8 | byte;
  }
  return prefix;
}

std::size_t shared_bytes(ByteView a, ByteView b) {
  const std::size_t size = std::min(a.size(), b.size());
  std::size_t shared = 0;
  while (shared < size && a[shared] == b[shared]) ++shared;
  return shared;
}

struct SortItem {
  std::uint64_t prefix = 0;
  std::uint32_t entry = 0;
};

// Stable; bytes in which no two prefixes differ are skipped.
void radix_sort(std::vector<SortItem>& items) {
  std::uint64_t ones = 0, zeros = 0;
  for (const SortItem& item : items) {
    ones |= item.prefix;
    zeros |= ~item.prefix;
  }
  std::vector<SortItem> other(items.size());
  for (unsigned shift = 0; shift < 64; shift += 8) {
    if (((ones & zeros) >> shift & 0xff) == 0) continue;
    std::array<std::uint32_t, 256> start{};
    for (const SortItem& item : items) ++start[item.prefix >> shift & 0xff];
    std::uint32_t sum = 0;
    for (std::uint32_t& slot : start) sum += std::exchange(slot, sum);
    for (const SortItem& item : items) other[start[item.prefix >> shift & 0xff]++] = item;
    items.swap(other);
  }
}

}  // namespace

// --- reading
// ---------------------------------------------------------------------------------------

std::size_t IndexRun::lower_bound(ByteView key) const {
  if (keys() == 0) return 0;
  const ByteView common = this->key(0).first(common_);
  const int order = compare_keys(key.first(std::min(key.size(), common_)), common);
  if (order != 0) return order < 0 ? 0 : keys();
  const std::uint64_t prefix = prefix_of(key, common_);
  const auto end = slots_.end() - 1;
  auto at = std::partition_point(slots_.begin(), end,
                                 [&](const Slot& slot) { return slot.prefix < prefix; });
  // Among equal prefixes the bytes decide.
  if (at == end || at->prefix != prefix) return static_cast<std::size_t>(at - slots_.begin());
  const auto same_end =
      std::partition_point(at, end, [&](const Slot& slot) { return slot.prefix == prefix; });
  at = std::partition_point(at, same_end, [&](const Slot& slot) {
    return compare_keys(this->key(static_cast<std::size_t>(&slot - slots_.data())), key) < 0;
  });
  return static_cast<std::size_t>(at - slots_.begin());
}

std::span<const PostingOp> IndexRun::find(ByteView key) const {
  const std::size_t at = lower_bound(key);
  if (at == keys() || compare_keys(this->key(at), key) != 0) return {};
  return ops(at);
}

std::size_t IndexRun::bytes() const {
  return sizeof *this + slots_.capacity() * sizeof(Slot) + arena_.capacity() +
         ops_.capacity() * sizeof(PostingOp);
}

// --- writing
// ---------------------------------------------------------------------------------------

// Appends keys in order to a run.
class IndexRunWriter {
 public:
  explicit IndexRunWriter(std::size_t ops, std::size_t keys, std::size_t key_bytes) {
    run_->ops_.reserve(ops);
    run_->slots_.reserve(keys + 1);
    run_->arena_.reserve(key_bytes);
  }
  void set_common(std::size_t bytes) { run_->common_ = bytes; }
  void set_lossy(bool lossy) { run_->lossy_ = lossy; }
  void start_key(ByteView key) {
    IndexRun& run = *run_;
    key_start_ = run.ops_.size();
    run.slots_.back().prefix = prefix_of(key, run.common_);
    append(run.arena_, key);
    run.slots_.push_back({0, static_cast<std::uint32_t>(run.arena_.size()), 0});
  }
  void add(PostingOp op) { run_->ops_.push_back(op); }
  void add(std::span<const PostingOp> ops) {
    run_->ops_.insert(run_->ops_.end(), ops.begin(), ops.end());
  }
  // Orders the key's operations, drops repetitions and what `snap` hides.
  void end_key(Hlc snap) {
    auto& ops = run_->ops_;
    const auto begin = ops.begin() + static_cast<std::ptrdiff_t>(key_start_);
    if (!std::is_sorted(begin, ops.end())) std::sort(begin, ops.end());
    auto kept = begin;
    bool hidden = false;  // an operation of this egid that every read sees is kept already
    for (auto op = begin; op != ops.end(); ++op) {
      const bool same = kept != begin && (kept - 1)->egid == op->egid;
      if (same && (hidden || *(kept - 1) == *op)) continue;
      hidden = op->stamp.visible_at(snap);
      *kept++ = *op;
    }
    ops.erase(kept, ops.end());
    run_->slots_.back().first_op = static_cast<std::uint32_t>(ops.size());
  }
  IndexRunRef finish() { return std::move(run_); }

 private:
  std::shared_ptr<IndexRun> run_ = std::make_shared<IndexRun>();
  std::size_t key_start_ = 0;
};

void IndexRunBuilder::add(ByteView key, PostingOp op) {
  COPPICE_DEBUG_ASSERT(!full());
  // Bulk inserts into a low-cardinality index repeat keys: keep the bytes once.
  if (!entries_.empty()) {
    const Entry& last = entries_.back();
    if (compare_keys(key_of(last), key) == 0) {
      entries_.push_back({last.key_at, last.key_size, op});
      return;
    }
  }
  entries_.push_back(
      {static_cast<std::uint32_t>(arena_.size()), static_cast<std::uint32_t>(key.size()), op});
  append(arena_, key);
}

bool IndexRunBuilder::full() const {
  return entries_.size() >= kIndexRunOpsMax ||
         arena_.size() + kIndexKeyBytesMax >= kIndexRunKeyBytesMax;
}

void IndexRunBuilder::clear() {
  arena_.clear();
  entries_.clear();
  lossy_ = false;
}

std::size_t IndexRunBuilder::common_prefix() const {
  if (entries_.empty()) return 0;
  std::size_t common = entries_.front().key_size;
  const ByteView first = key_of(entries_.front());
  for (const Entry& entry : entries_) {
    common = std::min(common, shared_bytes(first.first(common), key_of(entry)));
  }
  return common;
}

IndexRunRef IndexRunBuilder::finish() {
  const std::size_t common = common_prefix();
  std::vector<SortItem> items(entries_.size());
  bool exact = true;  // the prefix is all that follows the common bytes
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    items[i] = {prefix_of(key_of(entries_[i]), common), static_cast<std::uint32_t>(i)};
    exact &= entries_[i].key_size == entries_[0].key_size && entries_[i].key_size <= common + 8;
  }
  radix_sort(items);
  if (!exact) {
    for (auto from = items.begin(); from != items.end();) {
      const auto to = std::find_if(
          from, items.end(), [&](const SortItem& item) { return item.prefix != from->prefix; });
      std::sort(from, to, [&](const SortItem& a, const SortItem& b) {
        return compare_keys(key_of(entries_[a.entry]), key_of(entries_[b.entry])) < 0;
      });
      from = to;
    }
  }
  IndexRunWriter writer(entries_.size(), items.size(), arena_.size());
  writer.set_common(common);
  writer.set_lossy(lossy_);
  for (std::size_t i = 0; i < items.size();) {
    const std::uint64_t prefix = items[i].prefix;
    const ByteView key = key_of(entries_[items[i].entry]);
    writer.start_key(key);
    for (; i < items.size() && items[i].prefix == prefix; ++i) {
      const Entry& entry = entries_[items[i].entry];
      if (!exact && compare_keys(key_of(entry), key) != 0) break;
      writer.add(entry.op);
    }
    writer.end_key(Hlc::zero());
  }
  clear();
  return writer.finish();
}

// --- merging
// ---------------------------------------------------------------------------------------

IndexRunRef merge_runs(std::span<const IndexRunRef> newest_first, Hlc snap) {
  struct Source {
    const IndexRun* run;
    std::size_t at;
    std::uint64_t prefix;
  };
  std::vector<Source> sources;  // oldest first: new rows then come in egid order
  std::size_t ops = 0, keys = 0, key_bytes = 0;
  bool lossy = false;
  for (auto run = newest_first.rbegin(); run != newest_first.rend(); ++run) {
    if ((*run)->keys() == 0) continue;
    sources.push_back({run->get(), 0, 0});
    ops += (*run)->operations();
    keys += (*run)->keys();
    lossy |= (*run)->lossy();
    for (std::size_t i = 0; i < (*run)->keys(); ++i) key_bytes += (*run)->key(i).size();
  }
  IndexRunWriter writer(ops, keys, key_bytes);
  writer.set_lossy(lossy);
  if (sources.empty()) return writer.finish();
  COPPICE_ASSERT(ops < kIndexRunOpsMax && key_bytes < kIndexRunKeyBytesMax);
  const ByteView first = sources.front().run->key(0);
  std::size_t common = first.size();
  for (const Source& source : sources) {
    common = std::min({common, shared_bytes(first, source.run->key(0)),
                       shared_bytes(first, source.run->key(source.run->keys() - 1))});
  }
  writer.set_common(common);
  for (Source& source : sources) source.prefix = prefix_of(source.run->key(0), common);
  while (!sources.empty()) {
    // Few sources: looking at all of them beats a heap.
    std::size_t least = 0;
    ByteView key = sources[0].run->key(sources[0].at);
    for (std::size_t i = 1; i < sources.size(); ++i) {
      if (sources[i].prefix > sources[least].prefix) continue;
      const ByteView other = sources[i].run->key(sources[i].at);
      if (sources[i].prefix < sources[least].prefix || compare_keys(other, key) < 0) {
        least = i;
        key = other;
      }
    }
    const std::uint64_t prefix = sources[least].prefix;
    writer.start_key(key);
    bool exhausted = false;
    for (Source& source : sources) {
      if (source.prefix != prefix || compare_keys(source.run->key(source.at), key) != 0) continue;
      writer.add(source.run->ops(source.at));
      if (++source.at == source.run->keys()) {
        exhausted = true;
      } else {
        source.prefix = prefix_of(source.run->key(source.at), common);
      }
    }
    writer.end_key(snap);
    if (exhausted) {
      std::erase_if(sources, [](const Source& s) { return s.at == s.run->keys(); });
    }
  }
  return writer.finish();
}

}  // namespace coppice::lsm
