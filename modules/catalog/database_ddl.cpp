// database_ddl.cpp — CREATE DATABASE, DROP DATABASE.
#include <string>

#include "interfaces/types/sql_error.h"
#include "modules/catalog/bootstrap.h"
#include "modules/catalog/errors.h"
#include "modules/catalog/row_io.h"
#include "modules/catalog/stored_catalog.h"

namespace coppice::catalog {

namespace {

Status lock_database_name(Transaction& txn, std::string_view name) {
  ByteBuffer key;
  KeyWriter(key).bytes(as_bytes(name), KeyOrder::ascending_nulls_last());
  const ByteView view(key);
  return txn.lock_keys({kSystemNamespace, kDatabasesTable}, std::span(&view, 1));
}

Error in_use(std::string_view name, std::size_t users) {
  return sql_error("55006", "database " + quoted(name) + " is being accessed by other users")
      .note(sql_field::kDetail, users == 1 ? "There is 1 other session using the database."
                                           : "There are " + std::to_string(users) +
                                                 " other sessions using the database.");
}

}  // namespace

Status StoredCatalog::create_database(std::string_view name, std::string_view owner) {
  const auto txn = txns_.begin({}, budget_);
  COPPICE_TRY(txn->begin_statement());
  COPPICE_TRY(lock_database_name(*txn, name));
  const auto system = COPPICE_TRY(views_.system_at(txn->newest_view()));
  if (system->find_database(name) != nullptr)
    return std::unexpected(sql_error("42P04", "database " + quoted(name) + " already exists"));
  DatabaseRow row{.name = std::string(name)};
  if (!owner.empty()) {
    const RoleRow* const role = system->find_role(owner);
    if (role == nullptr) return std::unexpected(no_such_role(owner));
    row.owner = role->oid;
  }
  row.oid = COPPICE_TRY(oids_.next());
  row.ns = row.oid;
  COPPICE_TRY(define_database(txn->writes(), row));
  txn->writes().advance_epoch(epoch_table(kSystemNamespace));
  COPPICE_TRY(txn->commit());
  return {};
}

Status StoredCatalog::drop_database(std::string_view name) {
  const auto txn = txns_.begin({}, budget_);
  COPPICE_TRY(txn->begin_statement());
  COPPICE_TRY(lock_database_name(*txn, name));
  const auto system = COPPICE_TRY(views_.system_at(txn->newest_view()));
  const DatabaseRow* const row = system->find_database(name);
  if (row == nullptr) return std::unexpected(no_such_database(name));
  if (row->is_template)
    return std::unexpected(sql_error("42809", "cannot drop a template database"));
  std::size_t users = 0;
  if (!uses_.begin_drop(row->oid, users)) return std::unexpected(in_use(name, users));
  const auto commit = [&]() -> Status {
    COPPICE_TRY(erase_row(txn->writes(), kSystemNamespace, *row));
    COPPICE_TRY(txn->writes().drop_namespace({row->ns}));
    txn->writes().advance_epoch(epoch_table(kSystemNamespace));
    COPPICE_TRY(txn->commit());
    return {};
  };
  Status dropped = commit();
  uses_.end_drop(row->oid);
  return dropped;
}

}  // namespace coppice::catalog
