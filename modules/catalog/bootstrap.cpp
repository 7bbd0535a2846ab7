// bootstrap.cpp — first definitions.
#include "modules/catalog/bootstrap.h"

#include <algorithm>
#include <string>

#include "modules/catalog/row_io.h"

namespace coppice::catalog {

namespace {

Status check_format(Engine& engine, const ReadView& view) {
  const auto counters = COPPICE_TRY(read_rows<CountersRow>(engine, view, kSystemNamespace));
  if (counters.size() != 1) return fail(Code::kCorruption, "catalog: the OID counter is missing");
  if (counters.front().format == kCatalogFormat) return {};
  return fail(Code::kUnsupportedVersion,
              "catalog: written in format " + std::to_string(counters.front().format) +
                  ", this build reads " + std::to_string(kCatalogFormat));
}

Status define_system(WriteSet& writes) {
  COPPICE_TRY(writes.create_namespace(kSystemNamespace));
  COPPICE_TRY(writes.create_table(definition_of_rows<DatabaseRow>(kSystemNamespace)));
  COPPICE_TRY(writes.create_table(definition_of_rows<RoleRow>(kSystemNamespace)));
  COPPICE_TRY(writes.create_table(definition_of_rows<CountersRow>(kSystemNamespace)));
  COPPICE_TRY(insert_row(writes, kSystemNamespace, CountersRow()));
  for (const auto& [oid, name] :
       {std::pair(kSuperuserOid, "coppice"), {kPostgresRoleOid, "postgres"}}) {
    const RoleRow role{.oid = oid, .name = name, .superuser = true, .can_login = true};
    COPPICE_TRY(insert_row(writes, kSystemNamespace, role));
  }
  return {};
}

}  // namespace

Status define_database(WriteSet& writes, const DatabaseRow& row) {
  const NamespaceId ns{row.ns};
  COPPICE_TRY(insert_row(writes, kSystemNamespace, row));
  COPPICE_TRY(writes.create_namespace(ns));
  COPPICE_TRY(writes.create_table(definition_of_rows<SchemaRow>(ns)));
  COPPICE_TRY(writes.create_table(definition_of_rows<TableRow>(ns)));
  COPPICE_TRY(writes.create_table(definition_of_rows<ColumnRow>(ns)));
  COPPICE_TRY(writes.create_table(definition_of_rows<IndexRow>(ns)));
  const std::pair<Oid, const char*> schemas[] = {{kPgCatalogOid, "pg_catalog"},
                                                 {kPgToastOid, "pg_toast"},
                                                 {kPublicOid, "public"},
                                                 {kInformationSchemaOid, "information_schema"}};
  for (const auto& [oid, name] : schemas) {
    const SchemaRow schema{.oid = oid, .name = name};
    COPPICE_TRY(insert_row(writes, ns, schema));
  }
  return {};
}

Status bootstrap(Engine& engine, Budget& budget) {
  const SnapshotRef snapshot = engine.snapshot();
  const auto namespaces = engine.namespaces(*snapshot);
  if (std::ranges::find(namespaces, kSystemNamespace) != namespaces.end())
    return check_format(engine, {.snapshot = snapshot.get()});

  const auto writes = engine.write_set(budget);
  COPPICE_TRY(define_system(*writes));
  struct First {
    Oid oid;
    const char* name;
    bool connections, is_template;
  };
  constexpr First kFirst[] = {{kTemplate1Oid, "template1", true, true},
                              {kTemplate0Oid, "template0", false, true},
                              {kPostgresOid, "postgres", true, false},
                              {kCoppiceOid, "coppice", true, false}};
  for (const First& first : kFirst) {
    const DatabaseRow row{.oid = first.oid,
                          .name = first.name,
                          .ns = first.oid,
                          .allow_connections = first.connections,
                          .is_template = first.is_template};
    COPPICE_TRY(define_database(*writes, row));
  }
  COPPICE_TRY(engine.commit(*writes, /*relaxed=*/false));
  return {};
}

}  // namespace coppice::catalog
