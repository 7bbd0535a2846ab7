#include "modules/lsm/forest/tables.h"

#include <algorithm>

namespace coppice::lsm {
namespace {

std::uint64_t key_of(TableRef table) {
  return std::uint64_t{table.ns.value} << 32 | table.table.value;
}

}  // namespace

Table::Table(const TableDefinition& definition)
    : ref_(definition.table),
      kind_(definition.kind),
      versions_(std::make_shared<const DefinitionVersions>()) {
  if (kind_ == TableKind::kRows) {
    rows_ = std::make_unique<RowTree>();
  } else {
    index_ = std::make_unique<IndexTree>(kind_ == TableKind::kUnique);
  }
}

DefinitionRef Table::definition(Hlc at) const {
  const auto versions = versions_.load();
  for (auto version = versions->rbegin(); version != versions->rend(); ++version) {
    if (version->at <= at) return version->definition;
  }
  return nullptr;
}

void Table::define(Hlc at, DefinitionRef definition) {
  auto next = std::make_shared<DefinitionVersions>(*versions_.load());
  next->push_back({at, std::move(definition)});
  versions_.store(std::move(next));
}

void Table::restore(DefinitionVersions versions) {
  versions_.store(std::make_shared<const DefinitionVersions>(std::move(versions)));
}

DefinitionRef Table::of_version(std::uint32_t schema_version) const {
  const auto versions = versions_.load();
  for (auto version = versions->rbegin(); version != versions->rend(); ++version) {
    if (version->definition != nullptr && version->definition->schema.version == schema_version)
      return version->definition;
  }
  return nullptr;
}

bool Table::dropped_for_all(Hlc snap) const {
  const auto versions = versions_.load();
  return !versions->empty() && versions->back().definition == nullptr &&
         versions->back().at <= snap;
}

std::size_t Table::memory_bytes() const {
  return rows_ != nullptr ? rows_->memory_bytes() : index_->memory_bytes();
}

LogIndex Table::first_unflushed() const {
  return rows_ != nullptr ? rows_->first_unflushed() : index_->first_unflushed();
}

TablePtr Tables::find(TableRef table) const {
  const SharedSpinGuard guard(lock_);
  const auto found = tables_.find(key_of(table));
  return found == tables_.end() ? nullptr : found->second;
}

DefinitionRef Tables::definition(TableRef table, Hlc at) const {
  const TablePtr found = find(table);
  return found == nullptr ? nullptr : found->definition(at);
}

std::vector<TablePtr> Tables::all() const {
  std::vector<TablePtr> result;
  {
    const SharedSpinGuard guard(lock_);
    for (const auto& [key, table] : tables_) result.push_back(table);
  }
  std::ranges::sort(result, {}, [](const TablePtr& table) { return table->ref(); });
  return result;
}

std::vector<NamespaceId> Tables::namespaces(Hlc at) const {
  std::vector<NamespaceId> result;
  const SharedSpinGuard guard(lock_);
  for (const auto& [ns, versions] : namespaces_) {
    bool exists = false;
    for (const NamespaceVersion& version : versions) {
      if (version.at <= at) exists = version.exists;
    }
    if (exists) result.push_back(ns);
  }
  return result;
}

std::uint64_t Tables::epoch(TableRef table, Hlc at) const {
  const SharedSpinGuard guard(lock_);
  const auto found = epochs_.find(table);
  if (found == epochs_.end()) return 1;
  const auto end = std::ranges::upper_bound(found->second, at);
  return 1 + static_cast<std::uint64_t>(end - found->second.begin());
}

void Tables::advance_epoch(TableRef table, Hlc at) {
  const ExclusiveSpinGuard guard(lock_);
  epochs_[table].push_back(at);
}

TablePtr Tables::add(const TableDefinition& definition) {
  auto table = std::make_shared<Table>(definition);
  const ExclusiveSpinGuard guard(lock_);
  tables_[key_of(definition.table)] = table;
  return table;
}

void Tables::set_namespace(NamespaceId ns, Hlc at, bool exists) {
  const ExclusiveSpinGuard guard(lock_);
  namespaces_[ns].push_back({at, exists});
}

void Tables::forget(TableRef table) {
  TablePtr gone;  // destroyed outside the lock
  const ExclusiveSpinGuard guard(lock_);
  const auto found = tables_.find(key_of(table));
  if (found == tables_.end()) return;
  gone = std::move(found->second);
  tables_.erase(found);
  epochs_.erase(table);
}

void Tables::restore(NamespaceVersions namespaces, Epochs epochs) {
  const ExclusiveSpinGuard guard(lock_);
  namespaces_ = std::move(namespaces);
  epochs_ = std::move(epochs);
}

void Tables::forget_namespaces(Hlc snap) {
  const ExclusiveSpinGuard guard(lock_);
  std::erase_if(namespaces_, [&](const auto& entry) {
    const std::vector<NamespaceVersion>& versions = entry.second;
    return versions.empty() || (!versions.back().exists && versions.back().at <= snap);
  });
}

}  // namespace coppice::lsm
