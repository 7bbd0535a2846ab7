#include "modules/lsm/forest/tree.h"

#include <algorithm>

namespace coppice::lsm {
namespace {

LogIndex earlier(LogIndex a, LogIndex b) {  // 0 means none
  if (a.value == 0) return b;
  return b.value == 0 ? a : std::min(a, b);
}

}  // namespace

RowMemory& RowTree::active(const DefinitionRef& definition) {
  const RowTreeRef now = load();
  if (!now->memory.empty()) {
    RowMemory& newest = *now->memory.front();
    if (newest.schema().version == definition->schema.version) return newest;
  }
  RowTreeVersion next = *now;
  if (!next.memory.empty() && next.memory.front()->first_entry.value == 0)
    next.memory.erase(next.memory.begin());
  next.memory.insert(next.memory.begin(), std::make_shared<RowMemory>(definition));
  RowMemory& made = *next.memory.front();
  store(std::move(next));
  return made;
}

std::vector<RowMemoryRef> RowTree::freeze() {
  RowTreeVersion next = *load();
  if (next.memory.empty()) return {};
  if (next.memory.front()->first_entry.value == 0) {
    next.memory.erase(next.memory.begin());
  }
  if (next.memory.empty()) return {};
  const std::vector<RowMemoryRef> frozen = next.memory;
  next.memory.insert(next.memory.begin(), std::make_shared<RowMemory>(frozen.front()->definition));
  store(std::move(next));
  return frozen;
}

std::size_t RowTree::memory_bytes() const {
  std::size_t bytes = 0;
  for (const RowMemoryRef& memory : load()->memory) bytes += memory->table.memory_bytes();
  return bytes;
}

LogIndex RowTree::first_unflushed() const {
  LogIndex first = {};
  for (const RowMemoryRef& memory : load()->memory) first = earlier(first, memory->first_entry);
  return first;
}

IndexTree::IndexTree(bool unique)
    : unique_(unique), version_(std::make_shared<const IndexTreeVersion>()) {
  publish_memtable();
}

void IndexTree::publish_memtable() {
  if (!memtable_.changed()) return;
  IndexTreeVersion next = *load();
  next.active = memtable_.view();
  store(std::move(next));
}

void IndexTree::apply(IndexRunBuilder& batch, LogIndex entry, Hlc snap) {
  if (batch.operations() == 0) return;
  if (first_entry_.value == 0) first_entry_ = entry;
  last_entry_ = entry;
  memtable_.set_snap(snap);
  memtable_.apply(batch);
  publish_memtable();
}

FrozenRunsRef IndexTree::freeze() {
  if (memtable_.empty()) return nullptr;
  auto frozen = std::make_shared<FrozenRuns>();
  frozen->runs = memtable_.take();
  frozen->first_entry = std::exchange(first_entry_, {});
  frozen->last_entry = std::exchange(last_entry_, {});
  for (const IndexRunRef& run : frozen->runs) frozen->bytes += run->bytes();
  static_cast<void>(memtable_.changed());
  IndexTreeVersion next = *load();
  next.active = memtable_.view();
  next.frozen.insert(next.frozen.begin(), frozen);
  store(std::move(next));
  return frozen;
}

void IndexTree::install(const IndexMemtable::MergePlan& plan, IndexRunRef merged) {
  memtable_.install(plan, std::move(merged));
  publish_memtable();
}

std::size_t IndexTree::memory_bytes() const {
  std::size_t bytes = memtable_.bytes();
  for (const FrozenRunsRef& frozen : load()->frozen) bytes += frozen->bytes;
  return bytes;
}

LogIndex IndexTree::first_unflushed() const {
  LogIndex first = first_entry_;
  for (const FrozenRunsRef& frozen : load()->frozen) first = earlier(first, frozen->first_entry);
  return first;
}

}  // namespace coppice::lsm
