// views.cpp — cached and own views.
#include "modules/catalog/views.h"

#include "interfaces/types/sql_error.h"
#include "modules/catalog/row_io.h"

namespace coppice::catalog {

namespace {

bool changes_definitions(const ReadView& view, NamespaceId ns) {
  return view.own != nullptr && view.own->advances_epoch(epoch_table(ns));
}

}  // namespace

Result<std::shared_ptr<const SystemDefinitions>> Views::system_at(const ReadView& view) {
  const bool own = changes_definitions(view, kSystemNamespace);
  const std::uint64_t epoch = engine_.epoch_at(*view.snapshot, epoch_table(kSystemNamespace));
  if (!own) {
    const fiber::MutexGuard guard(mutex_);
    if (system_ != nullptr && system_epoch_ == epoch) return system_;
  }
  auto system = std::make_shared<SystemDefinitions>();
  system->databases = COPPICE_TRY(read_rows<DatabaseRow>(engine_, view, kSystemNamespace));
  system->roles = COPPICE_TRY(read_rows<RoleRow>(engine_, view, kSystemNamespace));
  if (own) return system;
  const fiber::MutexGuard guard(mutex_);
  if (system_ != nullptr && system_epoch_ == epoch) return system_;
  if (epoch > system_epoch_) {  // an old snapshot's does not displace the newest
    system_ = system;
    system_epoch_ = epoch;
  }
  return system;
}

Result<NamespaceViewRef> Views::at(const ReadView& view, NamespaceId ns) {
  auto system = COPPICE_TRY(system_at(view));
  if (changes_definitions(view, ns) || changes_definitions(view, kSystemNamespace))
    return read(view, ns, std::move(system));
  const Key key{.ns = ns,
                .epoch = engine_.epoch_at(*view.snapshot, epoch_table(ns)),
                .system_epoch = engine_.epoch_at(*view.snapshot, epoch_table(kSystemNamespace))};
  if (NamespaceViewRef found = find(key)) return found;
  NamespaceViewRef made = COPPICE_TRY(read(view, ns, std::move(system)));
  return keep(key, std::move(made));
}

Result<NamespaceViewRef> Views::read(const ReadView& view, NamespaceId ns,
                                     std::shared_ptr<const SystemDefinitions> system) {
  const DatabaseRow* const database = system->find_database(ns);
  if (database == nullptr)
    return std::unexpected(
        sql_error(sqlstate::kInvalidCatalogName, "the current database was dropped"));
  NamespaceRows rows;
  rows.schemas = COPPICE_TRY(read_rows<SchemaRow>(engine_, view, ns));
  rows.tables = COPPICE_TRY(read_rows<TableRow>(engine_, view, ns));
  rows.columns = COPPICE_TRY(read_rows<ColumnRow>(engine_, view, ns));
  rows.indexes = COPPICE_TRY(read_rows<IndexRow>(engine_, view, ns));
  std::uint64_t version = 0;
  {
    const fiber::MutexGuard guard(mutex_);
    version = ++last_version_;
  }
  return NamespaceView::make(
      info_of(*database), version, std::move(rows), std::move(system), computed_,
      [&](TableRef table) { return engine_.epoch_at(*view.snapshot, table); });
}

NamespaceViewRef Views::find(const Key& key) {
  const fiber::MutexGuard guard(mutex_);
  const auto at = views_.find(key);
  if (at == views_.end()) return nullptr;
  recent_.splice(recent_.begin(), recent_, at->second);
  return at->second->second;
}

NamespaceViewRef Views::keep(const Key& key, NamespaceViewRef view) {
  const fiber::MutexGuard guard(mutex_);
  if (const auto at = views_.find(key); at != views_.end()) return at->second->second;
  recent_.emplace_front(key, view);
  views_.emplace(key, recent_.begin());
  if (views_.size() > kViewsMax) {
    views_.erase(recent_.back().first);
    recent_.pop_back();
  }
  return view;
}

}  // namespace coppice::catalog
