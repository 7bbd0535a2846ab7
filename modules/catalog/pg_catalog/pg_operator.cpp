// pg_operator.cpp — operators of the packs.
#include "modules/catalog/pg_catalog/pg_catalog.h"

namespace coppice::catalog {

namespace {

// The operator that is `name` with these operands; 0 if there is none.
std::uint32_t find(const SqlRegistry& registry, const std::string& name, TypeOid left,
                   TypeOid right) {
  if (name.empty()) return 0;
  for (const SqlOperator* candidate : registry.operators(name)) {
    if (candidate->left == left && candidate->right == right) return candidate->oid;
  }
  return 0;
}

}  // namespace

void fill_pg_operator(const RelationContext& context, RelationRows& rows) {
  for (const SqlOperator* op : context.registry.all_operators()) {
    rows.begin();
    rows.set("oid", op->oid);
    rows.set("oprname", op->name);
    rows.set("oprnamespace", kPgCatalogOid);
    rows.set("oprowner", kSuperuserOid);
    rows.set("oprkind", op->left == 0 ? 'l' : 'b');
    rows.set("oprcanmerge", op->strategy == IndexStrategy::kEqual);
    rows.set("oprcanhash", op->strategy == IndexStrategy::kEqual);
    rows.set("oprleft", op->left);
    rows.set("oprright", op->right);
    rows.set("oprresult", op->result);
    rows.set("oprcom", find(context.registry, op->commutator, op->right, op->left));
    rows.set("oprnegate", find(context.registry, op->negator, op->left, op->right));
    rows.set("oprcode", op->function->oid);
    rows.set("oprrest", 0);
    rows.set("oprjoin", 0);
  }
}

}  // namespace coppice::catalog
