// tree.h — RowTree and IndexTree: memtables and files of one table, as versions that reads take.
//
// Role:     one tree per table. A version is immutable but for its newest memtable, which grows
//           under it: what was added after a snapshot is hidden by its timestamp.
// Owns:     memtables and references to open files.
// Threads:  load() from anywhere. apply and freeze under the forest's apply mutex; install_* too.
// Parks:    never.
#pragma once

#include <memory>
#include <vector>

#include "interfaces/consensus.h"
#include "modules/lsm/forest/definition_coding.h"
#include "modules/lsm/forest/published.h"
#include "modules/lsm/forest/tree_file.h"
#include "modules/lsm/memtable/index_memtable.h"
#include "modules/lsm/memtable/row_memtable.h"

namespace coppice::lsm {

// A row memtable and the definition whose schema it has.
struct RowMemory {
  explicit RowMemory(DefinitionRef made_under)
      : definition(std::move(made_under)), table(definition->schema) {}
  const TableSchema& schema() const { return definition->schema; }
  DefinitionRef definition;
  RowMemtable table;
  LogIndex first_entry = {};  // that put something in; 0: empty
  LogIndex last_entry = {};
};
using RowMemoryRef = std::shared_ptr<RowMemory>;

struct RowTreeVersion {
  std::vector<RowMemoryRef> memory;  // newest first; the first one is written to
  std::vector<RowFileRef> level0;    // newest first
  std::vector<RowFileRef> last;      // egids ascend, nothing overlaps
};
using RowTreeRef = std::shared_ptr<const RowTreeVersion>;

class RowTree {
 public:
  RowTree() : version_(std::make_shared<const RowTreeVersion>()) {}

  RowTreeRef load() const { return version_.load(); }
  void store(RowTreeVersion version) {
    version_.store(std::make_shared<const RowTreeVersion>(std::move(version)));
  }
  // The memtable that rows of this schema go to; a new one if the schema changed.
  RowMemory& active(const DefinitionRef& definition);
  // What is frozen from now on; empty memtables are left out. Oldest last.
  std::vector<RowMemoryRef> freeze();

  std::size_t memory_bytes() const;
  LogIndex first_unflushed() const;  // 0: nothing is in memory

 private:
  Published<RowTreeVersion> version_;
};

// Runs taken from an index memtable, on their way to a file.
struct FrozenRuns {
  std::vector<IndexRunRef> runs;  // newest first
  LogIndex first_entry = {}, last_entry = {};
  std::size_t bytes = 0;
};
using FrozenRunsRef = std::shared_ptr<const FrozenRuns>;

struct IndexTreeVersion {
  IndexMemtableView active;
  std::vector<FrozenRunsRef> frozen;  // newest first
  std::vector<IndexFileRef> level0;   // newest first
  std::vector<IndexFileRef> bottom;   // keys ascend, no key is in two
};
using IndexTreeRef = std::shared_ptr<const IndexTreeVersion>;

class IndexTree {
 public:
  explicit IndexTree(bool unique);

  bool unique() const { return unique_; }
  IndexTreeRef load() const { return version_.load(); }
  void store(IndexTreeVersion version) {
    version_.store(std::make_shared<const IndexTreeVersion>(std::move(version)));
  }

  // The operations of one entry; `batch` is empty afterwards.
  void apply(IndexRunBuilder& batch, LogIndex entry, Hlc snap);
  FrozenRunsRef freeze();  // null: nothing there

  // A merge of runs in memory that is too long for apply; run it anywhere, then install it.
  std::optional<IndexMemtable::MergePlan> plan_merge() const { return memtable_.plan_merge(); }
  void install(const IndexMemtable::MergePlan& plan, IndexRunRef merged);

  std::size_t memory_bytes() const;
  LogIndex first_unflushed() const;

 private:
  void publish_memtable();

  const bool unique_;
  IndexMemtable memtable_;
  LogIndex first_entry_ = {}, last_entry_ = {};
  Published<IndexTreeVersion> version_;
};

}  // namespace coppice::lsm
