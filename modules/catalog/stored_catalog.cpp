// stored_catalog.cpp — look-ups, and what all DDL shares.
#include "modules/catalog/stored_catalog.h"

#include "interfaces/types/sql_error.h"
#include "modules/catalog/bootstrap.h"
#include "modules/catalog/definition_text.h"
#include "modules/catalog/errors.h"

namespace coppice::catalog {

namespace {

// How often a table may be replaced (TRUNCATE) while somebody waits for its lock.
constexpr unsigned kRelocksMax = 16;

}  // namespace

StoredCatalog::StoredCatalog(Engine& engine, TxnManager& txns, const SqlRegistry& registry,
                             const ComputedRelations& computed)
    : engine_(engine),
      txns_(txns),
      registry_(registry),
      views_(engine, computed),
      oids_(engine, txns, budget_) {}

Status StoredCatalog::start() {
  return bootstrap(engine_, budget_);
}

Result<std::shared_ptr<const SystemDefinitions>> StoredCatalog::newest_system() {
  const SnapshotRef snapshot = engine_.snapshot();
  return views_.system_at({.snapshot = snapshot.get()});
}

Result<DatabaseInfo> StoredCatalog::database(std::string_view name) {
  const auto system = COPPICE_TRY(newest_system());
  const DatabaseRow* const row = system->find_database(name);
  if (row == nullptr) return std::unexpected(no_such_database(name));
  return info_of(*row);
}

Result<DatabaseUse> StoredCatalog::connect(std::string_view name) {
  DatabaseInfo info = COPPICE_TRY(database(name));
  if (!info.allow_connections)
    return std::unexpected(
        sql_error("55000", "database " + quoted(name) + " is not currently accepting connections"));
  std::shared_ptr<const void> hold = uses_.hold(info.oid);
  if (hold == nullptr) return std::unexpected(no_such_database(name));
  // It may have been dropped between the look-up and the hold.
  const DatabaseInfo again = COPPICE_TRY(database(name));
  if (again.oid != info.oid) return std::unexpected(no_such_database(name));
  return DatabaseUse{.info = std::move(info), .hold = std::move(hold)};
}

Result<RoleInfo> StoredCatalog::role(std::string_view name) {
  const auto system = COPPICE_TRY(newest_system());
  const RoleRow* const row = system->find_role(name);
  if (row == nullptr)
    return std::unexpected(sql_error("28000", "role " + quoted(name) + " does not exist"));
  return RoleInfo{
      .oid = row->oid, .name = row->name, .superuser = row->superuser, .can_login = row->can_login};
}

Result<CatalogViewRef> StoredCatalog::view(Transaction& txn, NamespaceId ns) {
  return views_.at(txn.view(), ns);
}

std::optional<std::string> StoredCatalog::answer(const CatalogView& view,
                                                 std::span<const std::string> search_path,
                                                 std::string_view question,
                                                 std::span<const Datum> arguments) const {
  return definition_text({view, registry_, search_path}, question, arguments);
}

Result<NamespaceViewRef> StoredCatalog::newest(Transaction& txn, NamespaceId ns) {
  return views_.at(txn.newest_view(), ns);
}

Result<StoredCatalog::Locked> StoredCatalog::lock_table(Transaction& txn, NamespaceId ns, Oid table,
                                                        RelationLock mode) {
  NamespaceViewRef view = COPPICE_TRY(newest(txn, ns));
  TableInfoRef found = view->find_table(table);
  if (found == nullptr) return std::unexpected(no_such_relation(std::to_string(table)));
  if (found->computed != nullptr) return std::unexpected(is_system_catalog(found->name));
  for (unsigned i = 0; i < kRelocksMax; ++i) {
    COPPICE_TRY(txn.lock_relation(found->storage, mode, LockWait::kWait));
    NamespaceViewRef now = COPPICE_TRY(newest(txn, ns));
    TableInfoRef again = now->find_table(table);
    if (again == nullptr) return std::unexpected(no_such_relation(found->name));
    if (again->storage == found->storage)
      return Locked{.view = std::move(now), .table = std::move(again)};
    found = std::move(again);
  }
  return std::unexpected(sql_error(sqlstate::kSerializationFailure,
                                   "could not serialize access due to concurrent update"));
}

Result<StoredCatalog::Locked> StoredCatalog::lock_table_of(Transaction& txn, NamespaceId ns,
                                                           Oid index, RelationLock mode) {
  const NamespaceViewRef before = COPPICE_TRY(newest(txn, ns));
  const auto found = before->find_index(index);
  if (found == nullptr) return std::unexpected(no_such_index(std::to_string(index)));
  Locked locked = COPPICE_TRY(lock_table(txn, ns, found->table, mode));
  if (locked.view->find_index(index) == nullptr) return std::unexpected(no_such_index(found->name));
  return locked;
}

Status StoredCatalog::lock_names(Transaction& txn, NamespaceId ns, Oid schema,
                                 std::span<const std::string> names) {
  std::vector<ByteBuffer> keys;
  for (const std::string& name : names) {
    KeyWriter writer(keys.emplace_back());
    writer.int64(schema, KeyOrder::ascending_nulls_last());
    writer.bytes(as_bytes(name), KeyOrder::ascending_nulls_last());
  }
  const std::vector<ByteView> views(keys.begin(), keys.end());
  return txn.lock_keys({ns, kTablesTable}, views);
}

}  // namespace coppice::catalog
