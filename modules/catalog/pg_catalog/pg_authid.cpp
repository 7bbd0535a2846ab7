// pg_authid.cpp — roles: pg_authid, and the views of it, pg_roles and pg_user.
#include "modules/catalog/pg_catalog/pg_catalog.h"

namespace coppice::catalog {

namespace {

void fill_role(const RoleInfo& role, RelationRows& rows) {
  rows.begin();
  rows.set("oid", role.oid);
  rows.set("rolname", role.name);
  for (const char* right :
       {"rolsuper", "rolcreaterole", "rolcreatedb", "rolreplication", "rolbypassrls"})
    rows.set(right, role.superuser);
  rows.set("rolinherit", true);
  rows.set("rolcanlogin", role.can_login);
  rows.set("rolconnlimit", -1);
}

}  // namespace

void fill_pg_authid(const RelationContext& context, RelationRows& rows) {
  for (const RoleInfo& role : context.view.roles()) fill_role(role, rows);
}

void fill_pg_roles(const RelationContext& context, RelationRows& rows) {
  for (const RoleInfo& role : context.view.roles()) {
    fill_role(role, rows);
    rows.set("rolpassword", "********");
  }
}

void fill_pg_user(const RelationContext& context, RelationRows& rows) {
  for (const RoleInfo& role : context.view.roles()) {
    if (!role.can_login) continue;
    rows.begin();
    rows.set("usename", role.name);
    rows.set("usesysid", role.oid);
    for (const char* right : {"usecreatedb", "usesuper", "userepl", "usebypassrls"})
      rows.set(right, role.superuser);
    rows.set("passwd", "********");
  }
}

}  // namespace coppice::catalog
