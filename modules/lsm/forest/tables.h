// tables.h — Tables: every table and index by its name below SQL, with its definitions over time.
//
// Role:     what a snapshot asks for definitions and trees; what apply changes.
// Owns:     definitions, epochs, and one tree of each table.
// Threads:  one writer (apply); readers anywhere. Table objects stay until forget(), references to
//           them as long as somebody holds one.
// Parks:    never.
#pragma once

#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "interfaces/consensus.h"
#include "modules/lsm/forest/definition_coding.h"
#include "modules/lsm/forest/published.h"
#include "modules/lsm/forest/tree.h"
#include "modules/lsm/memtable/shared_spin_lock.h"

namespace coppice::lsm {

struct DefinitionVersion {
  Hlc at;
  DefinitionRef definition;  // null: dropped
};
using DefinitionVersions = std::vector<DefinitionVersion>;  // oldest first

class Table {
 public:
  explicit Table(const TableDefinition& definition);

  TableRef ref() const { return ref_; }
  TableKind kind() const { return kind_; }
  RowTree& rows() const { return *rows_; }      // kRows
  IndexTree& index() const { return *index_; }  // the others

  DefinitionRef definition(Hlc at) const;                        // null: not there
  DefinitionRef of_version(std::uint32_t schema_version) const;  // null: unknown
  DefinitionRef newest() const { return definition(Hlc::max()); }
  std::shared_ptr<const DefinitionVersions> versions() const { return versions_.load(); }

  // Apply only.
  void define(Hlc at, DefinitionRef definition);
  void restore(DefinitionVersions versions);
  bool dropped_for_all(Hlc snap) const;  // no read at or above `snap` finds it
  std::size_t memory_bytes() const;      // of what is not in files
  LogIndex first_unflushed() const;      // 0: all is in files

  // Under the forest's apply mutex.
  Egid next_egid = 1;
  LogIndex flushed_through = {};  // entries up to here need not be applied to the tree again
  std::size_t counted_bytes = 0;  // in the budget of the memtables
  bool dirty = false;             // in the keeper's list of trees with something in memory

 private:
  TableRef ref_;
  TableKind kind_;
  Published<DefinitionVersions> versions_;
  std::unique_ptr<RowTree> rows_;
  std::unique_ptr<IndexTree> index_;
};
using TablePtr = std::shared_ptr<Table>;

class Tables {
 public:
  TablePtr find(TableRef table) const;  // null: never heard of, or forgotten
  DefinitionRef definition(TableRef table, Hlc at) const;
  std::vector<TablePtr> all() const;  // by name
  std::vector<NamespaceId> namespaces(Hlc at) const;
  // Any name has an epoch, whether there is a table or not.
  std::uint64_t epoch(TableRef table, Hlc at) const;

  // Apply only.
  TablePtr add(const TableDefinition& definition);
  void set_namespace(NamespaceId ns, Hlc at, bool exists);
  void advance_epoch(TableRef table, Hlc at);
  void forget(TableRef table);
  struct NamespaceVersion {
    Hlc at;
    bool exists = false;
  };
  using NamespaceVersions = std::map<NamespaceId, std::vector<NamespaceVersion>>;
  const NamespaceVersions& namespace_versions() const { return namespaces_; }
  using Epochs = std::map<TableRef, std::vector<Hlc>>;  // when each advance was committed
  const Epochs& epochs() const { return epochs_; }
  void restore(NamespaceVersions namespaces, Epochs epochs);
  // Namespaces that no read at or above `snap` finds.
  void forget_namespaces(Hlc snap);

 private:
  mutable SharedSpinLock lock_;  // guards what follows
  std::unordered_map<std::uint64_t, TablePtr> tables_;
  NamespaceVersions namespaces_;
  Epochs epochs_;
};

}  // namespace coppice::lsm
