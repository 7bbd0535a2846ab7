// copy_utility.cpp — transactions, settings, COPY, cursors; the names of what is refused.
#include "modules/planner/parse/raw/copier.h"

namespace coppice::planner::raw {

const ast::Statement* Copier::visit_utility(const ::Node* from) {
  switch (nodeTag(from)) {
    case T_TransactionStmt:
      return transaction(*reinterpret_cast<const ::TransactionStmt*>(from));
    case T_VariableSetStmt:
      --visited_;  // set() counts it
      return set(reinterpret_cast<const ::VariableSetStmt*>(from));
    case T_CopyStmt:
      return copy_statement(*reinterpret_cast<const ::CopyStmt*>(from));
    case T_VacuumStmt:
      return vacuum(*reinterpret_cast<const ::VacuumStmt*>(from));
    case T_ReindexStmt:
      return reindex(*reinterpret_cast<const ::ReindexStmt*>(from));
    case T_DeclareCursorStmt:
      return declare_cursor(*reinterpret_cast<const ::DeclareCursorStmt*>(from));
    case T_FetchStmt:
      return fetch(*reinterpret_cast<const ::FetchStmt*>(from));
    case T_LockStmt:
      return lock(*reinterpret_cast<const ::LockStmt*>(from));
    case T_VariableShowStmt: {
      auto* to = arena_.make<ast::Show>();
      to->name = name(reinterpret_cast<const ::VariableShowStmt*>(from)->name);
      return to;
    }
    case T_ExplainStmt: {
      const auto& explain = *reinterpret_cast<const ::ExplainStmt*>(from);
      auto* to = arena_.make<ast::Explain>();
      statement(explain.query, to->query);
      to->options = options(explain.options);
      return to;
    }
    case T_PrepareStmt: {
      const auto& prepare = *reinterpret_cast<const ::PrepareStmt*>(from);
      auto* to = arena_.make<ast::Prepare>();
      to->name = name(prepare.name);
      to->types = type_names(prepare.argtypes);
      statement(prepare.query, to->query);
      return to;
    }
    case T_ExecuteStmt: {
      const auto& execute = *reinterpret_cast<const ::ExecuteStmt*>(from);
      auto* to = arena_.make<ast::Execute>();
      to->name = name(execute.name);
      to->arguments = exprs(execute.params);
      return to;
    }
    case T_DeallocateStmt: {
      auto* to = arena_.make<ast::Deallocate>();
      to->name = name(reinterpret_cast<const ::DeallocateStmt*>(from)->name);
      return to;
    }
    case T_DiscardStmt: {
      auto* to = arena_.make<ast::Discard>();
      to->type =
          static_cast<ast::DiscardKind>(reinterpret_cast<const ::DiscardStmt*>(from)->target);
      return to;
    }
    case T_CheckPointStmt:
      return arena_.make<ast::Checkpoint>();
    case T_ClosePortalStmt: {
      auto* to = arena_.make<ast::CloseCursor>();
      to->name = name(reinterpret_cast<const ::ClosePortalStmt*>(from)->portalname);
      return to;
    }
    case T_ListenStmt: {
      auto* to = arena_.make<ast::Listen>();
      to->channel = name(reinterpret_cast<const ::ListenStmt*>(from)->conditionname);
      return to;
    }
    case T_NotifyStmt: {
      const auto& notify = *reinterpret_cast<const ::NotifyStmt*>(from);
      auto* to = arena_.make<ast::Notify>();
      to->channel = name(notify.conditionname);
      to->payload = name(notify.payload);
      return to;
    }
    case T_UnlistenStmt: {
      auto* to = arena_.make<ast::Unlisten>();
      to->channel = name(reinterpret_cast<const ::UnlistenStmt*>(from)->conditionname);
      return to;
    }
    case T_ConstraintsSetStmt: {
      const auto& constraints_set = *reinterpret_cast<const ::ConstraintsSetStmt*>(from);
      auto* to = arena_.make<ast::SetConstraints>();
      to->constraints = relations(constraints_set.constraints);
      to->deferred = constraints_set.deferred;
      return to;
    }
    case T_DoStmt: {
      auto* to = arena_.make<ast::Do>();
      to->options = options(reinterpret_cast<const ::DoStmt*>(from)->args);
      return to;
    }
    case T_CallStmt: {
      const auto& call = *reinterpret_cast<const ::CallStmt*>(from);
      auto* to = arena_.make<ast::Call>();
      later(Slot::kFunctionCall, call.funccall, erase(to->call));
      absent(call.funcexpr != nullptr || call.outargs != nullptr, "an analysed CALL");
      return to;
    }
    default:
      return nullptr;
  }
}

const ast::Statement* Copier::transaction(const ::TransactionStmt& from) {
  auto* to = arena_.make<ast::Transaction>();
  to->type = static_cast<ast::TransactionKind>(from.kind);
  to->options = options(from.options);
  to->savepoint = name(from.savepoint_name);
  to->gid = name(from.gid);
  to->chain = from.chain;
  return to;
}

const ast::Set* Copier::set(const ::VariableSetStmt* from) {
  ++visited_;
  auto* to = arena_.make<ast::Set>();
  to->action = static_cast<ast::SetAction>(from->kind);
  to->name = name(from->name);
  to->local = from->is_local;
  const bool by_option =
      from->args != nullptr && nodeTag(from->args->elements[0].ptr_value) == T_DefElem;
  if (by_option) {
    to->options = options(from->args);
  } else {
    to->values = exprs(from->args);
  }
  return to;
}

const ast::Statement* Copier::copy_statement(const ::CopyStmt& from) {
  auto* to = arena_.make<ast::Copy>();
  to->table = relation(from.relation);
  statement(from.query, to->query);
  to->columns = names(from.attlist);
  to->from = from.is_from;
  to->program = from.is_program;
  to->client = from.filename == nullptr;
  to->file = name(from.filename);
  to->options = options(from.options);
  expr(from.whereClause, to->where);
  return to;
}

const ast::Statement* Copier::vacuum(const ::VacuumStmt& from) {
  auto* to = arena_.make<ast::Vacuum>();
  to->analyze_only = !from.is_vacuumcmd;
  to->options = options(from.options);
  to->tables = list<ast::VacuumTable, ::VacuumRelation>(
      from.rels, [&](const ::VacuumRelation& item, ast::VacuumTable& out) {
        out.table = relation(item.relation);
        out.columns = names(item.va_cols);
        absent(item.oid, "VACUUM of a relation by OID");
      });
  return to;
}

const ast::Statement* Copier::reindex(const ::ReindexStmt& from) {
  auto* to = arena_.make<ast::Reindex>();
  switch (from.kind) {
    case REINDEX_OBJECT_INDEX:
      to->object = ast::ObjectKind::kIndex;
      break;
    case REINDEX_OBJECT_TABLE:
      to->object = ast::ObjectKind::kTable;
      break;
    case REINDEX_OBJECT_SCHEMA:
      to->object = ast::ObjectKind::kSchema;
      break;
    case REINDEX_OBJECT_SYSTEM:
    case REINDEX_OBJECT_DATABASE:
      to->object = ast::ObjectKind::kDatabase;
      break;
  }
  to->system = from.kind == REINDEX_OBJECT_SYSTEM;
  to->relation = relation(from.relation);
  to->name = name(from.name);
  to->options = options(from.params);
  return to;
}

const ast::Statement* Copier::declare_cursor(const ::DeclareCursorStmt& from) {
  constexpr int kKnown = CURSOR_OPT_BINARY | CURSOR_OPT_SCROLL | CURSOR_OPT_NO_SCROLL |
                         CURSOR_OPT_INSENSITIVE | CURSOR_OPT_ASENSITIVE | CURSOR_OPT_HOLD |
                         CURSOR_OPT_FAST_PLAN;  // the last is always set
  auto* to = arena_.make<ast::DeclareCursor>();
  to->name = name(from.portalname);
  select(from.query, to->query);
  to->binary = (from.options & CURSOR_OPT_BINARY) != 0;
  to->scroll = (from.options & CURSOR_OPT_SCROLL)      ? ast::Scroll::kYes
               : (from.options & CURSOR_OPT_NO_SCROLL) ? ast::Scroll::kNo
                                                       : ast::Scroll::kDefault;
  to->insensitive = (from.options & CURSOR_OPT_INSENSITIVE) != 0;
  to->asensitive = (from.options & CURSOR_OPT_ASENSITIVE) != 0;
  to->hold = (from.options & CURSOR_OPT_HOLD) != 0;
  absent(from.options & ~kKnown, "a cursor option");
  return to;
}

const ast::Statement* Copier::fetch(const ::FetchStmt& from) {
  auto* to = arena_.make<ast::Fetch>();
  to->move = from.ismove;
  to->direction = static_cast<ast::FetchDirection>(from.direction);
  to->count = from.howMany;
  to->cursor = name(from.portalname);
  return to;
}

const ast::Statement* Copier::lock(const ::LockStmt& from) {
  auto* to = arena_.make<ast::Lock>();
  to->tables = relations(from.relations);
  to->mode = static_cast<ast::TableLock>(from.mode);
  to->nowait = from.nowait;
  absent(from.mode < 1 || from.mode > 8, "such a lock mode");
  return to;
}

// --- the statements that have no place in our tree yet
// --------------------------------------------

std::string_view command_name(::NodeTag tag) {
  switch (tag) {
    case T_SelectStmt:
      return "SELECT here";
    case T_InsertStmt:
      return "INSERT here";
    case T_UpdateStmt:
      return "UPDATE here";
    case T_DeleteStmt:
      return "DELETE here";
    case T_CreateTrigStmt:
      return "CREATE TRIGGER";
    case T_CreateEventTrigStmt:
      return "CREATE EVENT TRIGGER";
    case T_AlterEventTrigStmt:
      return "ALTER EVENT TRIGGER";
    case T_RuleStmt:
      return "CREATE RULE";
    case T_CreatePolicyStmt:
      return "CREATE POLICY";
    case T_AlterPolicyStmt:
      return "ALTER POLICY";
    case T_AlterFunctionStmt:
      return "ALTER FUNCTION";
    case T_AlterDomainStmt:
      return "ALTER DOMAIN";
    case T_CompositeTypeStmt:
      return "CREATE TYPE AS";
    case T_CreateRangeStmt:
      return "CREATE TYPE AS RANGE";
    case T_DefineStmt:
      return "CREATE of this object";
    case T_AlterTypeStmt:
      return "ALTER TYPE SET";
    case T_AlterOperatorStmt:
      return "ALTER OPERATOR";
    case T_AlterCollationStmt:
      return "ALTER COLLATION";
    case T_AlterSystemStmt:
      return "ALTER SYSTEM";
    case T_AlterDatabaseRefreshCollStmt:
      return "ALTER DATABASE REFRESH COLLATION VERSION";
    case T_AlterExtensionStmt:
    case T_AlterExtensionContentsStmt:
      return "ALTER EXTENSION";
    case T_AlterObjectDependsStmt:
      return "DEPENDS ON EXTENSION";
    case T_AlterTableMoveAllStmt:
      return "ALTER ALL IN TABLESPACE";
    case T_CreateTableSpaceStmt:
      return "CREATE TABLESPACE";
    case T_DropTableSpaceStmt:
      return "DROP TABLESPACE";
    case T_AlterTableSpaceOptionsStmt:
      return "ALTER TABLESPACE";
    case T_CreateFdwStmt:
      return "CREATE FOREIGN DATA WRAPPER";
    case T_AlterFdwStmt:
      return "ALTER FOREIGN DATA WRAPPER";
    case T_CreateForeignServerStmt:
      return "CREATE SERVER";
    case T_AlterForeignServerStmt:
      return "ALTER SERVER";
    case T_CreateForeignTableStmt:
      return "CREATE FOREIGN TABLE";
    case T_CreateUserMappingStmt:
      return "CREATE USER MAPPING";
    case T_AlterUserMappingStmt:
      return "ALTER USER MAPPING";
    case T_DropUserMappingStmt:
      return "DROP USER MAPPING";
    case T_ImportForeignSchemaStmt:
      return "IMPORT FOREIGN SCHEMA";
    case T_CreateAmStmt:
      return "CREATE ACCESS METHOD";
    case T_CreatePLangStmt:
      return "CREATE LANGUAGE";
    case T_CreateOpClassStmt:
      return "CREATE OPERATOR CLASS";
    case T_CreateOpFamilyStmt:
      return "CREATE OPERATOR FAMILY";
    case T_AlterOpFamilyStmt:
      return "ALTER OPERATOR FAMILY";
    case T_CreateStatsStmt:
      return "CREATE STATISTICS";
    case T_AlterStatsStmt:
      return "ALTER STATISTICS";
    case T_CreateConversionStmt:
      return "CREATE CONVERSION";
    case T_CreateCastStmt:
      return "CREATE CAST";
    case T_CreateTransformStmt:
      return "CREATE TRANSFORM";
    case T_SecLabelStmt:
      return "SECURITY LABEL";
    case T_LoadStmt:
      return "LOAD";
    case T_ClusterStmt:
      return "CLUSTER";
    case T_DropOwnedStmt:
      return "DROP OWNED";
    case T_ReassignOwnedStmt:
      return "REASSIGN OWNED";
    case T_AlterTSDictionaryStmt:
      return "ALTER TEXT SEARCH DICTIONARY";
    case T_AlterTSConfigurationStmt:
      return "ALTER TEXT SEARCH CONFIGURATION";
    case T_CreatePublicationStmt:
      return "CREATE PUBLICATION";
    case T_AlterPublicationStmt:
      return "ALTER PUBLICATION";
    case T_CreateSubscriptionStmt:
      return "CREATE SUBSCRIPTION";
    case T_AlterSubscriptionStmt:
      return "ALTER SUBSCRIPTION";
    case T_DropSubscriptionStmt:
      return "DROP SUBSCRIPTION";
    default:
      return "this statement";
  }
}

}  // namespace coppice::planner::raw
