// copy_ddl.cpp — schemas, views, sequences, types, roles, privileges, functions; DROP, RENAME.
#include "modules/planner/parse/raw/copier.h"

namespace coppice::planner::raw {

const ast::Statement* Copier::visit_ddl(const ::Node* from) {
  switch (nodeTag(from)) {
    case T_CreateSchemaStmt:
      return create_schema(*reinterpret_cast<const ::CreateSchemaStmt*>(from));
    case T_ViewStmt:
      return create_view(*reinterpret_cast<const ::ViewStmt*>(from));
    case T_CreateSeqStmt:
      return create_sequence(*reinterpret_cast<const ::CreateSeqStmt*>(from));
    case T_AlterSeqStmt:
      return alter_sequence(*reinterpret_cast<const ::AlterSeqStmt*>(from));
    case T_CreateDomainStmt:
      return create_domain(*reinterpret_cast<const ::CreateDomainStmt*>(from));
    case T_AlterEnumStmt:
      return alter_enum(*reinterpret_cast<const ::AlterEnumStmt*>(from));
    case T_DropStmt:
      return drop(*reinterpret_cast<const ::DropStmt*>(from));
    case T_RenameStmt:
      return rename(*reinterpret_cast<const ::RenameStmt*>(from));
    case T_AlterOwnerStmt:
      return alter_owner(*reinterpret_cast<const ::AlterOwnerStmt*>(from));
    case T_AlterObjectSchemaStmt:
      return alter_schema(*reinterpret_cast<const ::AlterObjectSchemaStmt*>(from));
    case T_CommentStmt:
      return comment(*reinterpret_cast<const ::CommentStmt*>(from));
    case T_CreateRoleStmt:
      return create_role(*reinterpret_cast<const ::CreateRoleStmt*>(from));
    case T_AlterRoleStmt:
      return alter_role(*reinterpret_cast<const ::AlterRoleStmt*>(from));
    case T_AlterRoleSetStmt:
      return alter_role_set(*reinterpret_cast<const ::AlterRoleSetStmt*>(from));
    case T_GrantStmt:
      return grant(*reinterpret_cast<const ::GrantStmt*>(from));
    case T_AlterDefaultPrivilegesStmt:
      return alter_default_privileges(*reinterpret_cast<const ::AlterDefaultPrivilegesStmt*>(from));
    case T_GrantRoleStmt:
      return grant_role(*reinterpret_cast<const ::GrantRoleStmt*>(from));
    case T_CreateFunctionStmt:
      return create_function(*reinterpret_cast<const ::CreateFunctionStmt*>(from));
    case T_CreateEnumStmt: {
      const auto& create = *reinterpret_cast<const ::CreateEnumStmt*>(from);
      auto* to = arena_.make<ast::CreateEnum>();
      to->name = names(create.typeName);
      to->values = names(create.vals);
      return to;
    }
    case T_CreatedbStmt: {
      const auto& create = *reinterpret_cast<const ::CreatedbStmt*>(from);
      auto* to = arena_.make<ast::CreateDatabase>();
      to->name = name(create.dbname);
      to->options = options(create.options);
      return to;
    }
    case T_AlterDatabaseStmt: {
      const auto& alter = *reinterpret_cast<const ::AlterDatabaseStmt*>(from);
      auto* to = arena_.make<ast::AlterDatabase>();
      to->name = name(alter.dbname);
      to->options = options(alter.options);
      return to;
    }
    case T_AlterDatabaseSetStmt: {
      const auto& alter = *reinterpret_cast<const ::AlterDatabaseSetStmt*>(from);
      auto* to = arena_.make<ast::AlterDatabase>();
      to->name = name(alter.dbname);
      to->set = set(alter.setstmt);
      return to;
    }
    case T_DropdbStmt: {
      const auto& drop_database = *reinterpret_cast<const ::DropdbStmt*>(from);
      auto* to = arena_.make<ast::DropDatabase>();
      to->name = name(drop_database.dbname);
      to->if_exists = drop_database.missing_ok;
      to->options = options(drop_database.options);
      return to;
    }
    case T_RefreshMatViewStmt: {
      const auto& refresh = *reinterpret_cast<const ::RefreshMatViewStmt*>(from);
      auto* to = arena_.make<ast::RefreshView>();
      to->view = relation(refresh.relation);
      to->concurrently = refresh.concurrent;
      to->no_data = refresh.skipData;
      return to;
    }
    case T_TruncateStmt: {
      const auto& truncate = *reinterpret_cast<const ::TruncateStmt*>(from);
      auto* to = arena_.make<ast::Truncate>();
      to->tables = relations(truncate.relations);
      to->restart_identity = truncate.restart_seqs;
      to->behavior = static_cast<ast::DropBehavior>(truncate.behavior);
      return to;
    }
    case T_DropRoleStmt: {
      const auto& drop_role = *reinterpret_cast<const ::DropRoleStmt*>(from);
      auto* to = arena_.make<ast::DropRole>();
      to->roles = roles(drop_role.roles);
      to->if_exists = drop_role.missing_ok;
      return to;
    }
    case T_CreateExtensionStmt: {
      const auto& create = *reinterpret_cast<const ::CreateExtensionStmt*>(from);
      auto* to = arena_.make<ast::CreateExtension>();
      to->name = name(create.extname);
      to->if_not_exists = create.if_not_exists;
      to->options = options(create.options);
      return to;
    }
    default:
      return nullptr;
  }
}

// --- schemas, views, sequences, types
// -------------------------------------------------------------

const ast::Statement* Copier::create_schema(const ::CreateSchemaStmt& from) {
  auto* to = arena_.make<ast::CreateSchema>();
  to->name = name(from.schemaname);
  to->owner = role(from.authrole);
  to->if_not_exists = from.if_not_exists;
  to->elements = list<const ast::Statement*, ::Node>(
      from.schemaElts,
      [&](const ::Node& item, const ast::Statement*& out) { statement(&item, out); });
  return to;
}

const ast::Statement* Copier::create_view(const ::ViewStmt& from) {
  auto* to = arena_.make<ast::CreateView>();
  to->view = relation(from.view);
  to->columns = names(from.aliases);
  select(from.query, to->query);
  to->or_replace = from.replace;
  to->options = options(from.options);
  to->check = static_cast<ast::CheckOption>(from.withCheckOption);
  return to;
}

const ast::Statement* Copier::create_sequence(const ::CreateSeqStmt& from) {
  auto* to = arena_.make<ast::CreateSequence>();
  to->sequence = relation(from.sequence);
  to->options = options(from.options);
  to->if_not_exists = from.if_not_exists;
  absent(from.ownerId || from.for_identity, "an analysed sequence");
  return to;
}

const ast::Statement* Copier::alter_sequence(const ::AlterSeqStmt& from) {
  auto* to = arena_.make<ast::AlterSequence>();
  to->sequence = relation(from.sequence);
  to->options = options(from.options);
  to->if_exists = from.missing_ok;
  absent(from.for_identity, "an analysed sequence");
  return to;
}

const ast::Statement* Copier::create_domain(const ::CreateDomainStmt& from) {
  auto* to = arena_.make<ast::CreateDomain>();
  to->name = names(from.domainname);
  to->type = type_name(from.typeName);
  to->constraints = constraints(from.constraints);
  if (from.collClause != nullptr) {
    const auto& collate = *enter<::CollateClause>(from.collClause);
    to->collation = names(collate.collname);
    absent(collate.arg, "COLLATE of an expression here", collate.location);
  }
  return to;
}

const ast::Statement* Copier::alter_enum(const ::AlterEnumStmt& from) {
  auto* to = arena_.make<ast::AlterEnum>();
  to->name = names(from.typeName);
  to->rename = from.oldVal != nullptr;
  to->old_value = name(from.oldVal);
  to->new_value = name(from.newVal);
  to->positioned = from.newValNeighbor != nullptr;
  to->neighbor = name(from.newValNeighbor);
  to->after = from.newValIsAfter;
  to->if_not_exists = from.skipIfNewValExists;
  return to;
}

// --- of any object
// --------------------------------------------------------------------------------

ast::ObjectKind Copier::object_kind(::ObjectType from) {
  using K = ast::ObjectKind;
  switch (from) {
    case OBJECT_ACCESS_METHOD:
      return K::kAccessMethod;
    case OBJECT_AGGREGATE:
      return K::kAggregate;
    case OBJECT_ATTRIBUTE:
      return K::kAttribute;
    case OBJECT_CAST:
      return K::kCast;
    case OBJECT_COLUMN:
      return K::kColumn;
    case OBJECT_COLLATION:
      return K::kCollation;
    case OBJECT_CONVERSION:
      return K::kConversion;
    case OBJECT_DATABASE:
      return K::kDatabase;
    case OBJECT_DOMAIN:
      return K::kDomain;
    case OBJECT_DOMCONSTRAINT:
      return K::kDomainConstraint;
    case OBJECT_EVENT_TRIGGER:
      return K::kEventTrigger;
    case OBJECT_EXTENSION:
      return K::kExtension;
    case OBJECT_FDW:
      return K::kForeignDataWrapper;
    case OBJECT_FOREIGN_SERVER:
      return K::kForeignServer;
    case OBJECT_FOREIGN_TABLE:
      return K::kForeignTable;
    case OBJECT_FUNCTION:
      return K::kFunction;
    case OBJECT_INDEX:
      return K::kIndex;
    case OBJECT_LANGUAGE:
      return K::kLanguage;
    case OBJECT_LARGEOBJECT:
      return K::kLargeObject;
    case OBJECT_MATVIEW:
      return K::kMaterializedView;
    case OBJECT_OPERATOR:
      return K::kOperator;
    case OBJECT_OPCLASS:
      return K::kOperatorClass;
    case OBJECT_OPFAMILY:
      return K::kOperatorFamily;
    case OBJECT_PARAMETER_ACL:
      return K::kParameter;
    case OBJECT_POLICY:
      return K::kPolicy;
    case OBJECT_PROCEDURE:
      return K::kProcedure;
    case OBJECT_PUBLICATION:
      return K::kPublication;
    case OBJECT_ROLE:
      return K::kRole;
    case OBJECT_ROUTINE:
      return K::kRoutine;
    case OBJECT_RULE:
      return K::kRule;
    case OBJECT_SCHEMA:
      return K::kSchema;
    case OBJECT_SEQUENCE:
      return K::kSequence;
    case OBJECT_STATISTIC_EXT:
      return K::kStatistics;
    case OBJECT_SUBSCRIPTION:
      return K::kSubscription;
    case OBJECT_TABLE:
      return K::kTable;
    case OBJECT_TABCONSTRAINT:
      return K::kTableConstraint;
    case OBJECT_TABLESPACE:
      return K::kTablespace;
    case OBJECT_TSCONFIGURATION:
      return K::kTextSearchConfiguration;
    case OBJECT_TSDICTIONARY:
      return K::kTextSearchDictionary;
    case OBJECT_TSPARSER:
      return K::kTextSearchParser;
    case OBJECT_TSTEMPLATE:
      return K::kTextSearchTemplate;
    case OBJECT_TRANSFORM:
      return K::kTransform;
    case OBJECT_TRIGGER:
      return K::kTrigger;
    case OBJECT_TYPE:
      return K::kType;
    case OBJECT_VIEW:
      return K::kView;
    default:
      refuse("an object of this kind");
      return K::kTable;
  }
}

// What names an object is, by kind of object, a string, a list, a type or a function with types.
ast::ObjectName Copier::object_name(const ::Node* from, ast::ObjectKind) {
  if (from == nullptr) return {};
  switch (nodeTag(from)) {
    case T_String: {
      std::span<ast::Name> one = arena_.make_array<ast::Name>(1);
      one[0] = string(from, "");
      return {.names = one};
    }
    case T_List:
      return object_list(*reinterpret_cast<const ::List*>(from));
    case T_TypeName: {
      std::span types = arena_.make_array<const ast::TypeName*>(1);
      types[0] = type_name(from);
      return {.types = types};
    }
    case T_ObjectWithArgs:
      return object_with_args(*enter<::ObjectWithArgs>(from));
    case T_RangeVar: {
      const ast::RelationName& relation_name = *relation(reinterpret_cast<const ::RangeVar*>(from));
      const bool qualified = !relation_name.schema.empty();
      std::span<ast::Name> parts = arena_.make_array<ast::Name>(qualified ? 2 : 1);
      if (qualified) parts[0] = relation_name.schema;
      parts[parts.size() - 1] = relation_name.name;
      absent(!relation_name.database.empty(), "a database name here", relation_name.location);
      return {.names = parts};
    }
    default:
      refuse("an object named like this");
      return {};
  }
}

// Names; or types (casts); or, of a domain's constraint, a type and a name; or, of a transform, a
// type and a language.
ast::ObjectName Copier::object_list(const ::List& from) {
  std::size_t types = 0;
  for (int i = 0; i < from.length; ++i)
    if (nodeTag(from.elements[i].ptr_value) == T_TypeName) ++types;
  const auto count = static_cast<std::size_t>(from.length);
  std::span out_types = arena_.make_array<const ast::TypeName*>(types);
  std::span out_names = arena_.make_array<ast::Name>(count - types);
  std::size_t next_type = 0;
  std::size_t next_name = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const void* item = from.elements[i].ptr_value;
    if (nodeTag(item) == T_TypeName) {
      out_types[next_type++] = type_name(item);
    } else {
      out_names[next_name++] = string(item, "an object named like this");
    }
  }
  return {.names = out_names, .types = out_types};
}

ast::ObjectName Copier::object_with_args(const ::ObjectWithArgs& from) {
  ast::ObjectName to;
  to.names = names(from.objname);
  to.has_types = !from.args_unspecified;
  // A unary operator's missing side is a null in the list.
  const ::List* args = from.objargs;
  for (int i = 0; args != nullptr && i < args->length; ++i)
    if (args->elements[i].ptr_value == nullptr) refuse("an operator's NONE argument");
  if (error_) return to;
  to.types = type_names(args);
  // objfuncargs repeats the arguments with names and modes; only the input types identify.
  const ::List* parameters = from.objfuncargs;
  for (int i = 0; parameters != nullptr && i < parameters->length; ++i) {
    const auto& parameter = *enter<::FunctionParameter>(parameters->elements[i].ptr_value);
    type_name(parameter.argType);
    absent(parameter.defexpr, "a default here");
    absent(parameter.mode == FUNC_PARAM_OUT, "an OUT argument here");
  }
  return to;
}

const ast::Statement* Copier::drop(const ::DropStmt& from) {
  auto* to = arena_.make<ast::Drop>();
  to->object = object_kind(from.removeType);
  to->objects = list<ast::ObjectName, ::Node>(
      from.objects,
      [&](const ::Node& item, ast::ObjectName& out) { out = object_name(&item, to->object); });
  to->behavior = static_cast<ast::DropBehavior>(from.behavior);
  to->if_exists = from.missing_ok;
  to->concurrently = from.concurrent;
  return to;
}

// relationType speaks only of columns and attributes; elsewhere it is whatever the grammar left.
const ast::Statement* Copier::rename(const ::RenameStmt& from) {
  auto* to = arena_.make<ast::Rename>();
  to->object = object_kind(from.renameType);
  to->owner = object_kind(from.relationType);
  to->relation = relation(from.relation);
  to->name = object_name(from.object, to->object);
  to->old_name = name(from.subname);
  to->new_name = name(from.newname);
  to->behavior = static_cast<ast::DropBehavior>(from.behavior);
  to->if_exists = from.missing_ok;
  return to;
}

const ast::Statement* Copier::alter_owner(const ::AlterOwnerStmt& from) {
  auto* to = arena_.make<ast::AlterOwner>();
  to->object = object_kind(from.objectType);
  to->relation = relation(from.relation);
  to->name = object_name(from.object, to->object);
  if (from.newowner != nullptr) to->owner = *role(from.newowner);
  return to;
}

const ast::Statement* Copier::alter_schema(const ::AlterObjectSchemaStmt& from) {
  auto* to = arena_.make<ast::AlterSchema>();
  to->object = object_kind(from.objectType);
  to->relation = relation(from.relation);
  to->name = object_name(from.object, to->object);
  to->schema = name(from.newschema);
  to->if_exists = from.missing_ok;
  return to;
}

const ast::Statement* Copier::comment(const ::CommentStmt& from) {
  auto* to = arena_.make<ast::Comment>();
  to->object = object_kind(from.objtype);
  to->name = object_name(from.object, to->object);
  to->text = name(from.comment);
  to->removed = from.comment == nullptr;
  return to;
}

// --- roles and privileges
// -------------------------------------------------------------------------

const ast::Statement* Copier::create_role(const ::CreateRoleStmt& from) {
  auto* to = arena_.make<ast::CreateRole>();
  to->type = static_cast<ast::CreateRoleKind>(from.stmt_type);
  to->name = name(from.role);
  to->options = options(from.options);
  return to;
}

const ast::Statement* Copier::alter_role(const ::AlterRoleStmt& from) {
  auto* to = arena_.make<ast::AlterRole>();
  to->role = role(from.role);
  to->options = options(from.options);
  to->drop_members = from.action < 0;
  return to;
}

const ast::Statement* Copier::alter_role_set(const ::AlterRoleSetStmt& from) {
  auto* to = arena_.make<ast::AlterRole>();
  to->role = role(from.role);
  to->database = name(from.database);
  to->set = set(from.setstmt);
  return to;
}

ast::List<ast::Privilege> Copier::privileges(const ::List* from) {
  return list<ast::Privilege, ::AccessPriv>(from,
                                            [&](const ::AccessPriv& item, ast::Privilege& to) {
                                              to.name = name(item.priv_name);
                                              to.columns = names(item.cols);
                                            });
}

ast::Grant* Copier::grant(const ::GrantStmt& from) {
  auto* to = arena_.make<ast::Grant>();
  to->revoke = !from.is_grant;
  to->scope = static_cast<ast::GrantScope>(from.targtype);
  to->object = object_kind(from.objtype);
  const bool by_relation = from.targtype == ACL_TARGET_OBJECT &&
                           (from.objtype == OBJECT_TABLE || from.objtype == OBJECT_SEQUENCE);
  if (by_relation) {
    to->relations = relations(from.objects);
  } else {
    to->objects = list<ast::ObjectName, ::Node>(
        from.objects,
        [&](const ::Node& item, ast::ObjectName& out) { out = object_name(&item, to->object); });
  }
  to->privileges = privileges(from.privileges);
  to->grantees = roles(from.grantees);
  to->grant_option = from.grant_option;
  to->grantor = role(from.grantor);
  to->behavior = static_cast<ast::DropBehavior>(from.behavior);
  return to;
}

const ast::Statement* Copier::alter_default_privileges(const ::AlterDefaultPrivilegesStmt& from) {
  ++visited_;
  ast::Grant* to = grant(*from.action);
  to->defaults = options(from.options);
  return to;
}

const ast::Statement* Copier::grant_role(const ::GrantRoleStmt& from) {
  auto* to = arena_.make<ast::GrantRole>();
  to->revoke = !from.is_grant;
  to->roles = privileges(from.granted_roles);
  to->grantees = roles(from.grantee_roles);
  to->admin_option = from.admin_opt;
  to->grantor = role(from.grantor);
  to->behavior = static_cast<ast::DropBehavior>(from.behavior);
  return to;
}

const ast::Statement* Copier::create_function(const ::CreateFunctionStmt& from) {
  auto* to = arena_.make<ast::CreateFunction>();
  to->name = names(from.funcname);
  to->procedure = from.is_procedure;
  to->or_replace = from.replace;
  to->parameters = list<ast::FunctionParameter, ::FunctionParameter>(
      from.parameters, [&](const ::FunctionParameter& item, ast::FunctionParameter& out) {
        out.name = name(item.name);
        out.type = type_name(item.argType);
        out.mode = static_cast<ast::ParameterMode>(item.mode);
        expr(item.defexpr, out.default_value);
      });
  to->returns = type_name(from.returnType);
  to->options = options(from.options);
  absent(from.sql_body, "a function body in SQL syntax");
  return to;
}

}  // namespace coppice::planner::raw
