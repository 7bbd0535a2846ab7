// copy_table.cpp — CREATE TABLE, ALTER TABLE, CREATE INDEX.
#include "modules/planner/parse/raw/copier.h"

namespace coppice::planner::raw {

const ast::Statement* Copier::visit_table_ddl(const ::Node* from) {
  switch (nodeTag(from)) {
    case T_CreateStmt:
      return create_table(*reinterpret_cast<const ::CreateStmt*>(from));
    case T_CreateTableAsStmt:
      return create_table_as(*reinterpret_cast<const ::CreateTableAsStmt*>(from));
    case T_AlterTableStmt:
      return alter_table(*reinterpret_cast<const ::AlterTableStmt*>(from));
    case T_IndexStmt:
      return create_index(*reinterpret_cast<const ::IndexStmt*>(from));
    default:
      return nullptr;
  }
}

// --- CREATE TABLE
// ---------------------------------------------------------------------------------

namespace {

std::size_t count_tag(const ::List* items, ::NodeTag tag) {
  std::size_t count = 0;
  for (int i = 0; items != nullptr && i < items->length; ++i)
    if (nodeTag(items->elements[i].ptr_value) == tag) ++count;
  return count;
}

void like_options(unsigned from, ast::TableLike& to) {
  to.comments = (from & CREATE_TABLE_LIKE_COMMENTS) != 0;
  to.compression = (from & CREATE_TABLE_LIKE_COMPRESSION) != 0;
  to.constraints = (from & CREATE_TABLE_LIKE_CONSTRAINTS) != 0;
  to.defaults = (from & CREATE_TABLE_LIKE_DEFAULTS) != 0;
  to.generated = (from & CREATE_TABLE_LIKE_GENERATED) != 0;
  to.identity = (from & CREATE_TABLE_LIKE_IDENTITY) != 0;
  to.indexes = (from & CREATE_TABLE_LIKE_INDEXES) != 0;
  to.statistics = (from & CREATE_TABLE_LIKE_STATISTICS) != 0;
  to.storage = (from & CREATE_TABLE_LIKE_STORAGE) != 0;
}

}  // namespace

const ast::Statement* Copier::create_table(const ::CreateStmt& from) {
  auto* to = arena_.make<ast::CreateTable>();
  to->table = relation(from.relation);
  to->if_not_exists = from.if_not_exists;
  std::span columns =
      arena_.make_array<const ast::ColumnDefinition*>(count_tag(from.tableElts, T_ColumnDef));
  std::span likes = arena_.make_array<ast::TableLike>(count_tag(from.tableElts, T_TableLikeClause));
  std::span table_constraints =
      arena_.make_array<ast::Constraint>(count_tag(from.tableElts, T_Constraint));
  std::size_t next_column = 0;
  std::size_t next_like = 0;
  std::size_t next_constraint = 0;
  for (int i = 0; from.tableElts != nullptr && i < from.tableElts->length; ++i) {
    const auto* item = static_cast<const ::Node*>(from.tableElts->elements[i].ptr_value);
    if (nodeTag(item) == T_ColumnDef) {
      columns[next_column++] = column(reinterpret_cast<const ::ColumnDef*>(item), nullptr);
    } else if (nodeTag(item) == T_TableLikeClause) {
      const auto& like = *enter<::TableLikeClause>(item);
      likes[next_like].table = relation(like.relation);
      like_options(like.options, likes[next_like++]);
      absent(like.relationOid, "LIKE of a relation by OID");
    } else if (nodeTag(item) == T_Constraint) {
      constraint(*enter<::Constraint>(item), table_constraints[next_constraint++]);
    } else {
      refuse("such a table element");
    }
  }
  to->columns = columns;
  to->likes = likes;
  to->constraints = table_constraints;
  to->inherits = relations(from.inhRelations);
  to->bound = partition_bound(from.partbound);
  to->partition_by = partition_by(from.partspec);
  to->options = options(from.options);
  to->on_commit = static_cast<ast::OnCommit>(from.oncommit);
  to->tablespace = name(from.tablespacename);
  to->access_method = name(from.accessMethod);
  absent(from.ofTypename, "CREATE TABLE OF");
  absent(from.constraints, "a table with analysed constraints");
  return to;
}

ast::List<const ast::ColumnDefinition*> Copier::columns(const ::List* from) {
  return list<const ast::ColumnDefinition*, ::Node>(
      from, [&](const ::Node& item, const ast::ColumnDefinition*& to) {
        to = column(reinterpret_cast<const ::ColumnDef*>(&item), nullptr);
      });
}

// A ColumnDef has a raw_default only in ALTER COLUMN TYPE, where it is the USING expression.
// is_local is always true; inhcount, storage, identity and generated are set by analysis.
const ast::ColumnDefinition* Copier::column(const ::ColumnDef* from,
                                            const ast::Expr** using_value) {
  ++visited_;
  auto* to = arena_.make<ast::ColumnDefinition>();
  to->name = name(from->colname);
  to->type = type_name(from->typeName);
  to->compression = name(from->compression);
  to->constraints = constraints(from->constraints);
  to->location = from->location;
  if (from->collClause != nullptr) {
    const auto& collate = *enter<::CollateClause>(from->collClause);
    to->collation = names(collate.collname);
    absent(collate.arg, "COLLATE of an expression here", collate.location);
  }
  if (using_value != nullptr) {
    expr(from->raw_default, *using_value);
  } else {
    absent(from->raw_default, "an analysed default", from->location);
  }
  absent(from->fdwoptions, "OPTIONS of a column", from->location);
  absent(from->inhcount || from->storage || from->identity || from->generated || from->collOid ||
             from->is_not_null || from->is_from_type || from->cooked_default != nullptr ||
             from->identitySequence != nullptr,
         "an analysed column", from->location);
  return to;
}

ast::List<ast::Constraint> Copier::constraints(const ::List* from) {
  return list<ast::Constraint, ::Constraint>(
      from, [&](const ::Constraint& item, ast::Constraint& to) { constraint(item, to); });
}

namespace {

bool constraint_kind(::ConstrType from, ast::ConstraintKind& to) {
  using K = ast::ConstraintKind;
  switch (from) {
    case CONSTR_NULL:
      to = K::kNull;
      return true;
    case CONSTR_NOTNULL:
      to = K::kNotNull;
      return true;
    case CONSTR_DEFAULT:
      to = K::kDefault;
      return true;
    case CONSTR_IDENTITY:
      to = K::kIdentity;
      return true;
    case CONSTR_GENERATED:
      to = K::kGenerated;
      return true;
    case CONSTR_CHECK:
      to = K::kCheck;
      return true;
    case CONSTR_PRIMARY:
      to = K::kPrimaryKey;
      return true;
    case CONSTR_UNIQUE:
      to = K::kUnique;
      return true;
    case CONSTR_FOREIGN:
      to = K::kForeignKey;
      return true;
    case CONSTR_ATTR_DEFERRABLE:
      to = K::kDeferrable;
      return true;
    case CONSTR_ATTR_NOT_DEFERRABLE:
      to = K::kNotDeferrable;
      return true;
    case CONSTR_ATTR_DEFERRED:
      to = K::kInitiallyDeferred;
      return true;
    case CONSTR_ATTR_IMMEDIATE:
      to = K::kInitiallyImmediate;
      return true;
    default:
      return false;
  }
}

}  // namespace

// initially_valid is the negation of skip_validation; cooked_expr, old_* and reset_default_tblspc
// are set by analysis; exclusions, access_method and where_clause belong to EXCLUDE alone.
void Copier::constraint(const ::Constraint& from, ast::Constraint& to) {
  if (from.contype == CONSTR_EXCLUSION) return refuse("an EXCLUDE constraint", from.location);
  if (!constraint_kind(from.contype, to.kind)) return refuse("such a constraint", from.location);
  to.name = name(from.conname);
  to.deferrable = from.deferrable;
  to.initially_deferred = from.initdeferred;
  to.no_inherit = from.is_no_inherit;
  to.not_valid = from.skip_validation;
  expr(from.raw_expr, to.value);
  to.always = from.generated_when == 'a';
  to.options = options(from.options);
  to.keys = names(from.keys);
  to.including = names(from.including);
  to.nulls_not_distinct = from.nulls_not_distinct;
  to.index = name(from.indexname);
  to.tablespace = name(from.indexspace);
  to.references = relation(from.pktable);
  to.foreign_columns = names(from.fk_attrs);
  to.referenced_columns = names(from.pk_attrs);
  if (from.contype == CONSTR_FOREIGN && from.pktable != nullptr) {
    to.match = static_cast<ast::ForeignKeyMatch>(from.fk_matchtype);
    to.on_update = static_cast<ast::ForeignKeyAction>(from.fk_upd_action);
    to.on_delete = static_cast<ast::ForeignKeyAction>(from.fk_del_action);
    to.on_delete_columns = names(from.fk_del_set_cols);
  }
  to.location = from.location;
  absent(
      from.exclusions != nullptr || from.access_method != nullptr || from.where_clause != nullptr,
      "an EXCLUDE constraint", from.location);
  absent(from.cooked_expr != nullptr || from.old_conpfeqop != nullptr || from.old_pktable_oid ||
             from.reset_default_tblspc,
         "an analysed constraint", from.location);
}

const ast::PartitionBound* Copier::partition_bound(const ::PartitionBoundSpec* from) {
  if (from == nullptr) return nullptr;
  ++visited_;
  auto* to = arena_.make<ast::PartitionBound>();
  to->location = from->location;
  to->kind = from->is_default                            ? ast::BoundKind::kDefault
             : from->strategy == PARTITION_STRATEGY_HASH ? ast::BoundKind::kHash
             : from->strategy == PARTITION_STRATEGY_LIST ? ast::BoundKind::kList
                                                         : ast::BoundKind::kRange;
  to->modulus = from->modulus;
  to->remainder = from->remainder;
  to->values = exprs(from->listdatums);
  to->from = exprs(from->lowerdatums);
  to->to = exprs(from->upperdatums);
  return to;
}

const ast::PartitionBy* Copier::partition_by(const ::PartitionSpec* from) {
  if (from == nullptr) return nullptr;
  ++visited_;
  auto* to = arena_.make<ast::PartitionBy>();
  to->strategy = name(from->strategy);
  to->location = from->location;
  to->keys = list<ast::PartitionKey, ::PartitionElem>(
      from->partParams, [&](const ::PartitionElem& item, ast::PartitionKey& key) {
        key.column = name(item.name);
        expr(item.expr, key.value);
        key.collation = names(item.collation);
        key.operator_class = names(item.opclass);
        key.location = item.location;
      });
  return to;
}

const ast::Statement* Copier::create_table_as(const ::CreateTableAsStmt& from) {
  auto* to = arena_.make<ast::CreateTableAs>();
  to->into = into(from.into);
  statement(from.query, to->query);
  to->materialized_view = from.objtype == OBJECT_MATVIEW;
  to->if_not_exists = from.if_not_exists;
  absent(from.is_select_into, "an analysed SELECT INTO");
  absent(from.objtype != OBJECT_MATVIEW && from.objtype != OBJECT_TABLE, "such a CREATE AS");
  return to;
}

// --- ALTER TABLE
// ----------------------------------------------------------------------------------

const ast::Statement* Copier::alter_table(const ::AlterTableStmt& from) {
  auto* to = arena_.make<ast::AlterTable>();
  to->object = object_kind(from.objtype);
  to->table = relation(from.relation);
  to->if_exists = from.missing_ok;
  to->actions = list<ast::AlterAction, ::AlterTableCmd>(
      from.cmds,
      [&](const ::AlterTableCmd& item, ast::AlterAction& out) { alter_action(item, out); });
  return to;
}

namespace {

bool alter_kind(::AlterTableType from, ast::AlterAction& to) {
  using K = ast::AlterKind;
  switch (from) {
    case AT_AddColumn:
      to.kind = K::kAddColumn;
      return true;
    case AT_DropColumn:
      to.kind = K::kDropColumn;
      return true;
    case AT_DropNotNull:
      to.kind = K::kDropNotNull;
      return true;
    case AT_SetNotNull:
      to.kind = K::kSetNotNull;
      return true;
    case AT_DropExpression:
      to.kind = K::kDropExpression;
      return true;
    case AT_SetStatistics:
      to.kind = K::kSetStatistics;
      return true;
    case AT_SetOptions:
      to.kind = K::kSetColumnOptions;
      return true;
    case AT_ResetOptions:
      to.kind = K::kResetColumnOptions;
      return true;
    case AT_SetStorage:
      to.kind = K::kSetStorage;
      return true;
    case AT_SetCompression:
      to.kind = K::kSetCompression;
      return true;
    case AT_AlterColumnType:
      to.kind = K::kAlterType;
      return true;
    case AT_AddIdentity:
      to.kind = K::kAddIdentity;
      return true;
    case AT_SetIdentity:
      to.kind = K::kSetIdentity;
      return true;
    case AT_DropIdentity:
      to.kind = K::kDropIdentity;
      return true;
    case AT_AddConstraint:
      to.kind = K::kAddConstraint;
      return true;
    case AT_AlterConstraint:
      to.kind = K::kAlterConstraint;
      return true;
    case AT_ValidateConstraint:
      to.kind = K::kValidateConstraint;
      return true;
    case AT_DropConstraint:
      to.kind = K::kDropConstraint;
      return true;
    case AT_ChangeOwner:
      to.kind = K::kChangeOwner;
      return true;
    case AT_ClusterOn:
      to.kind = K::kClusterOn;
      return true;
    case AT_DropCluster:
      to.kind = K::kDropCluster;
      return true;
    case AT_SetLogged:
      to.kind = K::kSetLogged;
      return true;
    case AT_SetUnLogged:
      to.kind = K::kSetUnlogged;
      return true;
    case AT_SetAccessMethod:
      to.kind = K::kSetAccessMethod;
      return true;
    case AT_SetTableSpace:
      to.kind = K::kSetTablespace;
      return true;
    case AT_SetRelOptions:
      to.kind = K::kSetOptions;
      return true;
    case AT_ResetRelOptions:
      to.kind = K::kResetOptions;
      return true;
    case AT_EnableTrig:
      to.kind = K::kEnableTrigger;
      return true;
    case AT_DisableTrig:
      to.kind = K::kDisableTrigger;
      return true;
    case AT_EnableTrigAll:
      to.kind = K::kEnableTrigger;
      to.text = "all";
      return true;
    case AT_DisableTrigAll:
      to.kind = K::kDisableTrigger;
      to.text = "all";
      return true;
    case AT_EnableTrigUser:
      to.kind = K::kEnableTrigger;
      to.text = "user";
      return true;
    case AT_DisableTrigUser:
      to.kind = K::kDisableTrigger;
      to.text = "user";
      return true;
    case AT_EnableRowSecurity:
      to.kind = K::kEnableRowSecurity;
      return true;
    case AT_DisableRowSecurity:
      to.kind = K::kDisableRowSecurity;
      return true;
    case AT_ForceRowSecurity:
      to.kind = K::kForceRowSecurity;
      return true;
    case AT_NoForceRowSecurity:
      to.kind = K::kNoForceRowSecurity;
      return true;
    case AT_AddInherit:
      to.kind = K::kAddInherit;
      return true;
    case AT_DropInherit:
      to.kind = K::kDropInherit;
      return true;
    case AT_AttachPartition:
      to.kind = K::kAttachPartition;
      return true;
    case AT_DetachPartition:
      to.kind = K::kDetachPartition;
      return true;
    case AT_DetachPartitionFinalize:
      to.kind = K::kDetachPartitionFinalize;
      return true;
    case AT_ReplicaIdentity:
      to.kind = K::kReplicaIdentity;
      return true;
    default:
      return false;
  }
}

ast::Name replica_identity(char kind) {
  switch (kind) {
    case 'n':
      return "nothing";
    case 'f':
      return "full";
    case 'd':
      return "default";
    default:
      return "index";
  }
}

}  // namespace

void Copier::alter_action(const ::AlterTableCmd& from, ast::AlterAction& to) {
  to.name = name(from.name);
  to.number = from.num;
  to.behavior = static_cast<ast::DropBehavior>(from.behavior);
  to.if_exists = from.missing_ok;
  if (from.newowner != nullptr) to.owner = *role(from.newowner);
  absent(from.recurse, "an analysed ALTER TABLE");
  if (from.subtype == AT_ColumnDefault) {
    to.kind = from.def != nullptr ? ast::AlterKind::kSetDefault : ast::AlterKind::kDropDefault;
    expr(from.def, to.value);
    return;
  }
  if (!alter_kind(from.subtype, to)) return refuse("this form of ALTER TABLE");
  if (from.def != nullptr && !alter_action_def(from, to)) refuse("this form of ALTER TABLE");
}

// The argument of the action, of a type that depends on the action.
bool Copier::alter_action_def(const ::AlterTableCmd& from, ast::AlterAction& to) {
  switch (nodeTag(from.def)) {
    case T_ColumnDef: {
      const bool retype = from.subtype == AT_AlterColumnType;
      to.column =
          column(reinterpret_cast<const ::ColumnDef*>(from.def), retype ? &to.value : nullptr);
      return true;
    }
    case T_Constraint: {
      auto* out = arena_.make<ast::Constraint>();
      constraint(*enter<::Constraint>(from.def), *out);
      to.constraint = out;
      return true;
    }
    case T_Integer:
      to.statistics = enter<::Integer>(from.def)->ival;
      return true;
    case T_String:
      to.text = string(from.def, "");
      return true;
    case T_List:
      to.options = options(reinterpret_cast<const ::List*>(from.def));
      return true;
    case T_RangeVar:
      to.relation = relation(reinterpret_cast<const ::RangeVar*>(from.def));
      return true;
    case T_ReplicaIdentityStmt: {
      const auto& identity = *enter<::ReplicaIdentityStmt>(from.def);
      to.text = replica_identity(identity.identity_type);
      to.name = name(identity.name);
      return true;
    }
    case T_PartitionCmd: {
      const auto& partition = *enter<::PartitionCmd>(from.def);
      to.relation = relation(partition.name);
      to.bound = partition_bound(partition.bound);
      to.concurrently = partition.concurrent;
      return true;
    }
    default:
      return false;
  }
}

// --- CREATE INDEX
// ---------------------------------------------------------------------------------

const ast::Statement* Copier::create_index(const ::IndexStmt& from) {
  auto* to = arena_.make<ast::CreateIndex>();
  to->name = name(from.idxname);
  to->table = relation(from.relation);
  to->method = name(from.accessMethod);
  to->elements = index_elements(from.indexParams);
  to->including = index_elements(from.indexIncludingParams);
  to->options = options(from.options);
  expr(from.whereClause, to->where);
  to->tablespace = name(from.tableSpace);
  to->unique = from.unique;
  to->nulls_not_distinct = from.nulls_not_distinct;
  to->concurrently = from.concurrent;
  to->if_not_exists = from.if_not_exists;
  absent(from.excludeOpNames != nullptr || from.idxcomment != nullptr || from.indexOid ||
             from.oldNode || from.oldCreateSubid || from.oldFirstRelfilenodeSubid || from.primary ||
             from.isconstraint || from.deferrable || from.initdeferred || from.transformed ||
             from.reset_default_tblspc,
         "an analysed index");
  return to;
}

}  // namespace coppice::planner::raw
