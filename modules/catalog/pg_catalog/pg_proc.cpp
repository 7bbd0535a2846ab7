// pg_proc.cpp — functions and aggregates of the packs.
#include "modules/catalog/pg_catalog/pg_catalog.h"

namespace coppice::catalog {

namespace {

constexpr Oid kInternalLanguage = 12;

std::string type_list(std::span<const TypeOid> types) {
  std::string list;
  for (const TypeOid type : types) {
    if (!list.empty()) list += ' ';
    list += std::to_string(type);
  }
  return list;
}

void common(RelationRows& rows, FunctionOid oid, const std::string& name, TypeOid result,
            std::span<const TypeOid> arguments) {
  rows.begin();
  rows.set("oid", oid);
  rows.set("proname", name);
  rows.set("pronamespace", kPgCatalogOid);
  rows.set("proowner", kSuperuserOid);
  rows.set("prolang", kInternalLanguage);
  rows.set("procost", 1);
  rows.set("prosupport", 0);
  rows.set("proparallel", 's');
  rows.set("pronargs", arguments.size());
  rows.set("prorettype", result);
  rows.set("proargtypes", type_list(arguments));
}

}  // namespace

void fill_pg_proc(const RelationContext& context, RelationRows& rows) {
  for (const SqlFunction* function : context.registry.all_functions()) {
    const bool set = function->set_kernel != nullptr;
    common(rows, function->oid, function->name, function->result, function->arguments);
    rows.set("prorows", set ? 1000 : 0);
    rows.set("provariadic", function->variadic ? function->arguments.back() : 0);
    rows.set("prokind", 'f');
    rows.set("proisstrict", function->strict);
    rows.set("proretset", set);
    rows.set("provolatile", static_cast<char>(function->volatility));
    rows.set("prosrc", function->name);
  }
  for (const SqlAggregate* aggregate : context.registry.all_aggregates()) {
    common(rows, aggregate->oid, aggregate->name, aggregate->result, aggregate->arguments);
    rows.set("prokind", 'a');
    rows.set("provolatile", 'i');
    rows.set("prosrc", "aggregate_dummy");
  }
}

}  // namespace coppice::catalog
