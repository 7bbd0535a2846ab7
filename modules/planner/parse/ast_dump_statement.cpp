// ast_dump_statement.cpp — the fields of FROM items, clauses and statements.
#include "modules/planner/parse/ast_dumper.h"

namespace coppice::planner {

void AstDumper::dump(const ast::FromItem& from) {
  switch (from.kind) {
    case ast::FromKind::kTable:
      return object("FromTable", from.location, [&] {
        field("alias", from.alias);
        fields(ast::as<ast::FromTable>(from));
      });
    case ast::FromKind::kSubquery:
      return object("FromSubquery", from.location, [&] {
        field("alias", from.alias);
        fields(ast::as<ast::FromSubquery>(from));
      });
    case ast::FromKind::kFunction:
      return object("FromFunction", from.location, [&] {
        field("alias", from.alias);
        fields(ast::as<ast::FromFunction>(from));
      });
    case ast::FromKind::kJoin:
      return object("FromJoin", from.location, [&] {
        field("alias", from.alias);
        fields(ast::as<ast::FromJoin>(from));
      });
    case ast::FromKind::kSample:
      return object("FromSample", from.location, [&] {
        field("alias", from.alias);
        fields(ast::as<ast::FromSample>(from));
      });
  }
  unreachable();
}

void AstDumper::dump(const ast::Statement& from) {
  switch (from.kind) {
    case ast::StatementKind::kSelect:
      return object("Select", ast::kNoLocation, [&] { fields(ast::as<ast::Select>(from)); });
    case ast::StatementKind::kInsert:
      return object("Insert", ast::kNoLocation, [&] { fields(ast::as<ast::Insert>(from)); });
    case ast::StatementKind::kUpdate:
      return object("Update", ast::kNoLocation, [&] { fields(ast::as<ast::Update>(from)); });
    case ast::StatementKind::kDelete:
      return object("Delete", ast::kNoLocation, [&] { fields(ast::as<ast::Delete>(from)); });
    case ast::StatementKind::kMerge:
      return object("Merge", ast::kNoLocation, [&] { fields(ast::as<ast::Merge>(from)); });
    case ast::StatementKind::kCreateTable:
      return object("CreateTable", ast::kNoLocation,
                    [&] { fields(ast::as<ast::CreateTable>(from)); });
    case ast::StatementKind::kCreateTableAs:
      return object("CreateTableAs", ast::kNoLocation,
                    [&] { fields(ast::as<ast::CreateTableAs>(from)); });
    case ast::StatementKind::kAlterTable:
      return object("AlterTable", ast::kNoLocation,
                    [&] { fields(ast::as<ast::AlterTable>(from)); });
    case ast::StatementKind::kCreateIndex:
      return object("CreateIndex", ast::kNoLocation,
                    [&] { fields(ast::as<ast::CreateIndex>(from)); });
    case ast::StatementKind::kCreateSchema:
      return object("CreateSchema", ast::kNoLocation,
                    [&] { fields(ast::as<ast::CreateSchema>(from)); });
    case ast::StatementKind::kCreateDatabase:
      return object("CreateDatabase", ast::kNoLocation,
                    [&] { fields(ast::as<ast::CreateDatabase>(from)); });
    case ast::StatementKind::kAlterDatabase:
      return object("AlterDatabase", ast::kNoLocation,
                    [&] { fields(ast::as<ast::AlterDatabase>(from)); });
    case ast::StatementKind::kDropDatabase:
      return object("DropDatabase", ast::kNoLocation,
                    [&] { fields(ast::as<ast::DropDatabase>(from)); });
    case ast::StatementKind::kCreateView:
      return object("CreateView", ast::kNoLocation,
                    [&] { fields(ast::as<ast::CreateView>(from)); });
    case ast::StatementKind::kRefreshView:
      return object("RefreshView", ast::kNoLocation,
                    [&] { fields(ast::as<ast::RefreshView>(from)); });
    case ast::StatementKind::kCreateSequence:
      return object("CreateSequence", ast::kNoLocation,
                    [&] { fields(ast::as<ast::CreateSequence>(from)); });
    case ast::StatementKind::kAlterSequence:
      return object("AlterSequence", ast::kNoLocation,
                    [&] { fields(ast::as<ast::AlterSequence>(from)); });
    case ast::StatementKind::kCreateEnum:
      return object("CreateEnum", ast::kNoLocation,
                    [&] { fields(ast::as<ast::CreateEnum>(from)); });
    case ast::StatementKind::kAlterEnum:
      return object("AlterEnum", ast::kNoLocation, [&] { fields(ast::as<ast::AlterEnum>(from)); });
    case ast::StatementKind::kCreateDomain:
      return object("CreateDomain", ast::kNoLocation,
                    [&] { fields(ast::as<ast::CreateDomain>(from)); });
    case ast::StatementKind::kDrop:
      return object("Drop", ast::kNoLocation, [&] { fields(ast::as<ast::Drop>(from)); });
    case ast::StatementKind::kTruncate:
      return object("Truncate", ast::kNoLocation, [&] { fields(ast::as<ast::Truncate>(from)); });
    case ast::StatementKind::kRename:
      return object("Rename", ast::kNoLocation, [&] { fields(ast::as<ast::Rename>(from)); });
    case ast::StatementKind::kAlterOwner:
      return object("AlterOwner", ast::kNoLocation,
                    [&] { fields(ast::as<ast::AlterOwner>(from)); });
    case ast::StatementKind::kAlterSchema:
      return object("AlterSchema", ast::kNoLocation,
                    [&] { fields(ast::as<ast::AlterSchema>(from)); });
    case ast::StatementKind::kComment:
      return object("Comment", ast::kNoLocation, [&] { fields(ast::as<ast::Comment>(from)); });
    case ast::StatementKind::kCreateRole:
      return object("CreateRole", ast::kNoLocation,
                    [&] { fields(ast::as<ast::CreateRole>(from)); });
    case ast::StatementKind::kAlterRole:
      return object("AlterRole", ast::kNoLocation, [&] { fields(ast::as<ast::AlterRole>(from)); });
    case ast::StatementKind::kDropRole:
      return object("DropRole", ast::kNoLocation, [&] { fields(ast::as<ast::DropRole>(from)); });
    case ast::StatementKind::kGrant:
      return object("Grant", ast::kNoLocation, [&] { fields(ast::as<ast::Grant>(from)); });
    case ast::StatementKind::kGrantRole:
      return object("GrantRole", ast::kNoLocation, [&] { fields(ast::as<ast::GrantRole>(from)); });
    case ast::StatementKind::kCreateFunction:
      return object("CreateFunction", ast::kNoLocation,
                    [&] { fields(ast::as<ast::CreateFunction>(from)); });
    case ast::StatementKind::kCreateExtension:
      return object("CreateExtension", ast::kNoLocation,
                    [&] { fields(ast::as<ast::CreateExtension>(from)); });
    case ast::StatementKind::kTransaction:
      return object("Transaction", ast::kNoLocation,
                    [&] { fields(ast::as<ast::Transaction>(from)); });
    case ast::StatementKind::kSet:
      return object("Set", ast::kNoLocation, [&] { fields(ast::as<ast::Set>(from)); });
    case ast::StatementKind::kShow:
      return object("Show", ast::kNoLocation, [&] { fields(ast::as<ast::Show>(from)); });
    case ast::StatementKind::kCopy:
      return object("Copy", ast::kNoLocation, [&] { fields(ast::as<ast::Copy>(from)); });
    case ast::StatementKind::kExplain:
      return object("Explain", ast::kNoLocation, [&] { fields(ast::as<ast::Explain>(from)); });
    case ast::StatementKind::kPrepare:
      return object("Prepare", ast::kNoLocation, [&] { fields(ast::as<ast::Prepare>(from)); });
    case ast::StatementKind::kExecute:
      return object("Execute", ast::kNoLocation, [&] { fields(ast::as<ast::Execute>(from)); });
    case ast::StatementKind::kDeallocate:
      return object("Deallocate", ast::kNoLocation,
                    [&] { fields(ast::as<ast::Deallocate>(from)); });
    case ast::StatementKind::kDiscard:
      return object("Discard", ast::kNoLocation, [&] { fields(ast::as<ast::Discard>(from)); });
    case ast::StatementKind::kVacuum:
      return object("Vacuum", ast::kNoLocation, [&] { fields(ast::as<ast::Vacuum>(from)); });
    case ast::StatementKind::kReindex:
      return object("Reindex", ast::kNoLocation, [&] { fields(ast::as<ast::Reindex>(from)); });
    case ast::StatementKind::kCheckpoint:
      return object("Checkpoint", ast::kNoLocation,
                    [&] { fields(ast::as<ast::Checkpoint>(from)); });
    case ast::StatementKind::kLock:
      return object("Lock", ast::kNoLocation, [&] { fields(ast::as<ast::Lock>(from)); });
    case ast::StatementKind::kDeclareCursor:
      return object("DeclareCursor", ast::kNoLocation,
                    [&] { fields(ast::as<ast::DeclareCursor>(from)); });
    case ast::StatementKind::kFetch:
      return object("Fetch", ast::kNoLocation, [&] { fields(ast::as<ast::Fetch>(from)); });
    case ast::StatementKind::kCloseCursor:
      return object("CloseCursor", ast::kNoLocation,
                    [&] { fields(ast::as<ast::CloseCursor>(from)); });
    case ast::StatementKind::kListen:
      return object("Listen", ast::kNoLocation, [&] { fields(ast::as<ast::Listen>(from)); });
    case ast::StatementKind::kNotify:
      return object("Notify", ast::kNoLocation, [&] { fields(ast::as<ast::Notify>(from)); });
    case ast::StatementKind::kUnlisten:
      return object("Unlisten", ast::kNoLocation, [&] { fields(ast::as<ast::Unlisten>(from)); });
    case ast::StatementKind::kSetConstraints:
      return object("SetConstraints", ast::kNoLocation,
                    [&] { fields(ast::as<ast::SetConstraints>(from)); });
    case ast::StatementKind::kDo:
      return object("Do", ast::kNoLocation, [&] { fields(ast::as<ast::Do>(from)); });
    case ast::StatementKind::kCall:
      return object("Call", ast::kNoLocation, [&] { fields(ast::as<ast::Call>(from)); });
  }
  unreachable();
}

void AstDumper::fields(const ast::FromTable& from) {
  field("table", from.table);
}

void AstDumper::fields(const ast::FromSubquery& from) {
  field("lateral", from.lateral);
  field("select", from.select);
}

void AstDumper::put(const ast::RowsFrom& from) {
  object("RowsFrom", ast::kNoLocation, [&] {
    field("call", from.call);
    field("columns", from.columns);
  });
}

void AstDumper::fields(const ast::FromFunction& from) {
  field("lateral", from.lateral);
  field("ordinality", from.ordinality);
  field("rows_from", from.rows_from);
  field("functions", from.functions);
  field("columns", from.columns);
}

void AstDumper::fields(const ast::FromJoin& from) {
  field("type", from.type, ast::JoinKind::kInner);
  field("natural", from.natural);
  field("left", from.left);
  field("right", from.right);
  field("on", from.on);
  field("using_columns", from.using_columns);
  field("using_alias", from.using_alias);
}

void AstDumper::fields(const ast::FromSample& from) {
  field("item", from.item);
  field("method", from.method);
  field("arguments", from.arguments);
  field("repeatable", from.repeatable);
}

void AstDumper::put(const ast::Target& from) {
  object("Target", from.location, [&] {
    field("name", from.name);
    field("steps", from.steps);
    field("value", from.value);
  });
}

void AstDumper::put(const ast::Window& from) {
  object("Window", from.location, [&] {
    field("name", from.name);
    field("reference", from.reference);
    field("partition_by", from.partition_by);
    field("order_by", from.order_by);
    field("frame_given", from.frame_given);
    field("unit", from.unit, ast::FrameUnit::kRange);
    field("start", from.start, ast::FrameBound::kUnboundedPreceding);
    field("end", from.end, ast::FrameBound::kCurrentRow);
    field("exclusion", from.exclusion, ast::FrameExclusion::kNone);
    field("start_offset", from.start_offset);
    field("end_offset", from.end_offset);
  });
}

void AstDumper::put(const ast::RowLocking& from) {
  object("RowLocking", ast::kNoLocation, [&] {
    field("strength", from.strength, ast::LockStrength::kUpdate);
    field("wait", from.wait, ast::LockWait::kBlock);
    field("relations", from.relations);
  });
}

void AstDumper::put(const ast::SearchClause& from) {
  object("SearchClause", from.location, [&] {
    field("columns", from.columns);
    field("breadth_first", from.breadth_first);
    field("sequence_column", from.sequence_column);
  });
}

void AstDumper::put(const ast::CycleClause& from) {
  object("CycleClause", from.location, [&] {
    field("columns", from.columns);
    field("mark_column", from.mark_column);
    field("mark_value", from.mark_value);
    field("mark_default", from.mark_default);
    field("path_column", from.path_column);
  });
}

void AstDumper::put(const ast::CommonTable& from) {
  object("CommonTable", from.location, [&] {
    field("name", from.name);
    field("columns", from.columns);
    field("materialize", from.materialize, ast::Materialize::kDefault);
    field("query", from.query);
    field("search", from.search);
    field("cycle", from.cycle);
  });
}

void AstDumper::put(const ast::With& from) {
  object("With", from.location, [&] {
    field("recursive", from.recursive);
    field("tables", from.tables);
  });
}

void AstDumper::put(const ast::IntoTable& from) {
  object("IntoTable", ast::kNoLocation, [&] {
    field("table", from.table);
    field("columns", from.columns);
    field("access_method", from.access_method);
    field("options", from.options);
    field("on_commit", from.on_commit, ast::OnCommit::kNone);
    field("tablespace", from.tablespace);
    field("no_data", from.no_data);
  });
}

void AstDumper::fields(const ast::Select& from) {
  field("with", from.with);
  field("distinct", from.distinct);
  field("distinct_on", from.distinct_on);
  field("targets", from.targets);
  field("into", from.into);
  field("from", from.from);
  field("where", from.where);
  field("group_by", from.group_by);
  field("group_distinct", from.group_distinct);
  field("having", from.having);
  field("windows", from.windows);
  field("values", from.values);
  field("set_kind", from.set_kind, ast::SetKind::kNone);
  field("set_all", from.set_all);
  field("left", from.left);
  field("right", from.right);
  field("order_by", from.order_by);
  field("offset", from.offset);
  field("limit", from.limit);
  field("limit_with_ties", from.limit_with_ties);
  field("locking", from.locking);
}

void AstDumper::put(const ast::IndexElement& from) {
  object("IndexElement", ast::kNoLocation, [&] {
    field("column", from.column);
    field("value", from.value);
    field("collation", from.collation);
    field("operator_class", from.operator_class);
    field("operator_class_options", from.operator_class_options);
    field("direction", from.direction, ast::SortDirection::kDefault);
    field("nulls", from.nulls, ast::NullsOrder::kDefault);
  });
}

void AstDumper::put(const ast::OnConflict& from) {
  object("OnConflict", from.location, [&] {
    field("action", from.action, ast::ConflictAction::kNothing);
    field("elements", from.elements);
    field("elements_where", from.elements_where);
    field("constraint", from.constraint);
    field("sets", from.sets);
    field("where", from.where);
  });
}

void AstDumper::fields(const ast::Insert& from) {
  field("with", from.with);
  field("table", from.table);
  field("columns", from.columns);
  field("overriding", from.overriding, ast::Overriding::kNone);
  field("source", from.source);
  field("on_conflict", from.on_conflict);
  field("returning", from.returning);
}

void AstDumper::fields(const ast::Update& from) {
  field("with", from.with);
  field("table", from.table);
  field("sets", from.sets);
  field("from", from.from);
  field("where", from.where);
  field("returning", from.returning);
}

void AstDumper::fields(const ast::Delete& from) {
  field("with", from.with);
  field("table", from.table);
  field("using_items", from.using_items);
  field("where", from.where);
  field("returning", from.returning);
}

void AstDumper::put(const ast::MergeWhen& from) {
  object("MergeWhen", ast::kNoLocation, [&] {
    field("matched", from.matched);
    field("action", from.action, ast::MergeAction::kNothing);
    field("condition", from.condition);
    field("targets", from.targets);
    field("overriding", from.overriding, ast::Overriding::kNone);
    field("values", from.values);
  });
}

void AstDumper::fields(const ast::Merge& from) {
  field("with", from.with);
  field("table", from.table);
  field("source", from.source);
  field("on", from.on);
  field("whens", from.whens);
}

void AstDumper::put(const ast::Constraint& from) {
  object("Constraint", from.location, [&] {
    field("kind", from.kind, ast::ConstraintKind::kNull);
    field("name", from.name);
    field("deferrable", from.deferrable);
    field("initially_deferred", from.initially_deferred);
    field("no_inherit", from.no_inherit);
    field("not_valid", from.not_valid);
    field("value", from.value);
    field("always", from.always);
    field("options", from.options);
    field("keys", from.keys);
    field("including", from.including);
    field("nulls_not_distinct", from.nulls_not_distinct);
    field("index", from.index);
    field("tablespace", from.tablespace);
    field("references", from.references);
    field("foreign_columns", from.foreign_columns);
    field("referenced_columns", from.referenced_columns);
    field("match", from.match, ast::ForeignKeyMatch::kSimple);
    field("on_update", from.on_update, ast::ForeignKeyAction::kNoAction);
    field("on_delete", from.on_delete, ast::ForeignKeyAction::kNoAction);
    field("on_delete_columns", from.on_delete_columns);
  });
}

void AstDumper::put(const ast::ColumnDefinition& from) {
  object("ColumnDefinition", from.location, [&] {
    field("name", from.name);
    field("type", from.type);
    field("compression", from.compression);
    field("collation", from.collation);
    field("constraints", from.constraints);
  });
}

void AstDumper::put(const ast::TableLike& from) {
  object("TableLike", ast::kNoLocation, [&] {
    field("table", from.table);
    field("comments", from.comments);
    field("compression", from.compression);
    field("constraints", from.constraints);
    field("defaults", from.defaults);
    field("generated", from.generated);
    field("identity", from.identity);
    field("indexes", from.indexes);
    field("statistics", from.statistics);
    field("storage", from.storage);
  });
}

void AstDumper::put(const ast::PartitionKey& from) {
  object("PartitionKey", from.location, [&] {
    field("column", from.column);
    field("value", from.value);
    field("collation", from.collation);
    field("operator_class", from.operator_class);
  });
}

void AstDumper::put(const ast::PartitionBy& from) {
  object("PartitionBy", from.location, [&] {
    field("strategy", from.strategy);
    field("keys", from.keys);
  });
}

void AstDumper::put(const ast::PartitionBound& from) {
  object("PartitionBound", from.location, [&] {
    field("kind", from.kind, ast::BoundKind::kDefault);
    field("modulus", std::int64_t{from.modulus});
    field("remainder", std::int64_t{from.remainder});
    field("values", from.values);
    field("from", from.from);
    field("to", from.to);
  });
}

void AstDumper::fields(const ast::CreateTable& from) {
  field("table", from.table);
  field("if_not_exists", from.if_not_exists);
  field("columns", from.columns);
  field("likes", from.likes);
  field("constraints", from.constraints);
  field("inherits", from.inherits);
  field("bound", from.bound);
  field("partition_by", from.partition_by);
  field("options", from.options);
  field("on_commit", from.on_commit, ast::OnCommit::kNone);
  field("tablespace", from.tablespace);
  field("access_method", from.access_method);
}

void AstDumper::fields(const ast::CreateTableAs& from) {
  field("into", from.into);
  field("query", from.query);
  field("materialized_view", from.materialized_view);
  field("if_not_exists", from.if_not_exists);
}

void AstDumper::put(const ast::AlterAction& from) {
  object("AlterAction", ast::kNoLocation, [&] {
    field("kind", from.kind, ast::AlterKind::kAddColumn);
    field("name", from.name);
    field("number", std::int64_t{from.number});
    field("statistics", std::int64_t{from.statistics});
    field("column", from.column);
    field("constraint", from.constraint);
    field("value", from.value);
    field("options", from.options);
    field("text", from.text);
    field("owner", from.owner.name);
    field("owner_kind", from.owner.kind);
    field("relation", from.relation);
    field("bound", from.bound);
    field("behavior", from.behavior, ast::DropBehavior::kRestrict);
    field("if_exists", from.if_exists);
    field("concurrently", from.concurrently);
  });
}

void AstDumper::fields(const ast::AlterTable& from) {
  field("object", from.object, ast::ObjectKind::kTable);
  field("table", from.table);
  field("if_exists", from.if_exists);
  field("actions", from.actions);
}

void AstDumper::fields(const ast::CreateIndex& from) {
  field("name", from.name);
  field("table", from.table);
  field("method", from.method);
  field("elements", from.elements);
  field("including", from.including);
  field("options", from.options);
  field("where", from.where);
  field("tablespace", from.tablespace);
  field("unique", from.unique);
  field("nulls_not_distinct", from.nulls_not_distinct);
  field("concurrently", from.concurrently);
  field("if_not_exists", from.if_not_exists);
}

void AstDumper::fields(const ast::CreateSchema& from) {
  field("name", from.name);
  field("owner", from.owner);
  field("if_not_exists", from.if_not_exists);
  field("elements", from.elements);
}

void AstDumper::fields(const ast::CreateDatabase& from) {
  field("name", from.name);
  field("options", from.options);
}

void AstDumper::fields(const ast::AlterDatabase& from) {
  field("name", from.name);
  field("options", from.options);
  field("set", from.set);
}

void AstDumper::fields(const ast::DropDatabase& from) {
  field("name", from.name);
  field("if_exists", from.if_exists);
  field("options", from.options);
}

void AstDumper::fields(const ast::CreateView& from) {
  field("view", from.view);
  field("columns", from.columns);
  field("query", from.query);
  field("or_replace", from.or_replace);
  field("options", from.options);
  field("check", from.check, ast::CheckOption::kNone);
}

void AstDumper::fields(const ast::RefreshView& from) {
  field("view", from.view);
  field("concurrently", from.concurrently);
  field("no_data", from.no_data);
}

void AstDumper::fields(const ast::CreateSequence& from) {
  field("sequence", from.sequence);
  field("options", from.options);
  field("if_not_exists", from.if_not_exists);
}

void AstDumper::fields(const ast::AlterSequence& from) {
  field("sequence", from.sequence);
  field("options", from.options);
  field("if_exists", from.if_exists);
}

void AstDumper::fields(const ast::CreateEnum& from) {
  field("name", from.name);
  field("values", from.values);
}

void AstDumper::fields(const ast::AlterEnum& from) {
  field("name", from.name);
  field("rename", from.rename);
  field("old_value", from.old_value);
  field("new_value", from.new_value);
  field("positioned", from.positioned);
  field("after", from.after);
  field("neighbor", from.neighbor);
  field("if_not_exists", from.if_not_exists);
}

void AstDumper::fields(const ast::CreateDomain& from) {
  field("name", from.name);
  field("type", from.type);
  field("collation", from.collation);
  field("constraints", from.constraints);
}

void AstDumper::put(const ast::ObjectName& from) {
  object("ObjectName", ast::kNoLocation, [&] {
    field("names", from.names);
    field("types", from.types);
    field("has_types", from.has_types);
  });
}

void AstDumper::fields(const ast::Drop& from) {
  field("object", from.object, ast::ObjectKind::kTable);
  field("objects", from.objects);
  field("behavior", from.behavior, ast::DropBehavior::kRestrict);
  field("if_exists", from.if_exists);
  field("concurrently", from.concurrently);
}

void AstDumper::fields(const ast::Truncate& from) {
  field("tables", from.tables);
  field("restart_identity", from.restart_identity);
  field("behavior", from.behavior, ast::DropBehavior::kRestrict);
}

void AstDumper::fields(const ast::Rename& from) {
  field("object", from.object, ast::ObjectKind::kTable);
  field("owner", from.owner, ast::ObjectKind::kTable);
  field("relation", from.relation);
  field("name", &from.name);
  field("old_name", from.old_name);
  field("new_name", from.new_name);
  field("behavior", from.behavior, ast::DropBehavior::kRestrict);
  field("if_exists", from.if_exists);
}

void AstDumper::fields(const ast::AlterOwner& from) {
  field("object", from.object, ast::ObjectKind::kTable);
  field("relation", from.relation);
  field("name", &from.name);
  field("owner", from.owner.name);
  field("owner_kind", from.owner.kind);
}

void AstDumper::fields(const ast::AlterSchema& from) {
  field("object", from.object, ast::ObjectKind::kTable);
  field("relation", from.relation);
  field("name", &from.name);
  field("schema", from.schema);
  field("if_exists", from.if_exists);
}

void AstDumper::fields(const ast::Comment& from) {
  field("object", from.object, ast::ObjectKind::kTable);
  field("name", &from.name);
  field("text", from.text);
  field("removed", from.removed);
}

void AstDumper::fields(const ast::CreateRole& from) {
  field("type", from.type, ast::CreateRoleKind::kRole);
  field("name", from.name);
  field("options", from.options);
}

void AstDumper::fields(const ast::AlterRole& from) {
  field("role", from.role);
  field("options", from.options);
  field("drop_members", from.drop_members);
  field("database", from.database);
  field("set", from.set);
}

void AstDumper::fields(const ast::DropRole& from) {
  field("roles", from.roles);
  field("if_exists", from.if_exists);
}

void AstDumper::put(const ast::Privilege& from) {
  object("Privilege", ast::kNoLocation, [&] {
    field("name", from.name);
    field("columns", from.columns);
  });
}

void AstDumper::fields(const ast::Grant& from) {
  field("revoke", from.revoke);
  field("scope", from.scope, ast::GrantScope::kObjects);
  field("object", from.object, ast::ObjectKind::kTable);
  field("relations", from.relations);
  field("objects", from.objects);
  field("privileges", from.privileges);
  field("grantees", from.grantees);
  field("grant_option", from.grant_option);
  field("grantor", from.grantor);
  field("behavior", from.behavior, ast::DropBehavior::kRestrict);
  field("defaults", from.defaults);
}

void AstDumper::fields(const ast::GrantRole& from) {
  field("revoke", from.revoke);
  field("roles", from.roles);
  field("grantees", from.grantees);
  field("admin_option", from.admin_option);
  field("grantor", from.grantor);
  field("behavior", from.behavior, ast::DropBehavior::kRestrict);
}

void AstDumper::put(const ast::FunctionParameter& from) {
  object("FunctionParameter", ast::kNoLocation, [&] {
    field("name", from.name);
    field("type", from.type);
    field("mode", from.mode, ast::ParameterMode::kDefault);
    field("default_value", from.default_value);
  });
}

void AstDumper::fields(const ast::CreateFunction& from) {
  field("name", from.name);
  field("procedure", from.procedure);
  field("or_replace", from.or_replace);
  field("parameters", from.parameters);
  field("returns", from.returns);
  field("options", from.options);
}

void AstDumper::fields(const ast::CreateExtension& from) {
  field("name", from.name);
  field("if_not_exists", from.if_not_exists);
  field("options", from.options);
}

void AstDumper::fields(const ast::Transaction& from) {
  field("type", from.type, ast::TransactionKind::kBegin);
  field("options", from.options);
  field("savepoint", from.savepoint);
  field("gid", from.gid);
  field("chain", from.chain);
}

void AstDumper::fields(const ast::Set& from) {
  field("action", from.action, ast::SetAction::kValue);
  field("name", from.name);
  field("values", from.values);
  field("options", from.options);
  field("local", from.local);
}

void AstDumper::fields(const ast::Show& from) {
  field("name", from.name);
}

void AstDumper::fields(const ast::Copy& from) {
  field("table", from.table);
  field("query", from.query);
  field("columns", from.columns);
  field("from", from.from);
  field("program", from.program);
  field("client", from.client);
  field("file", from.file);
  field("options", from.options);
  field("where", from.where);
}

void AstDumper::fields(const ast::Explain& from) {
  field("query", from.query);
  field("options", from.options);
}

void AstDumper::fields(const ast::Prepare& from) {
  field("name", from.name);
  field("types", from.types);
  field("query", from.query);
}

void AstDumper::fields(const ast::Execute& from) {
  field("name", from.name);
  field("arguments", from.arguments);
}

void AstDumper::fields(const ast::Deallocate& from) {
  field("name", from.name);
}

void AstDumper::fields(const ast::Discard& from) {
  field("type", from.type, ast::DiscardKind::kAll);
}

void AstDumper::put(const ast::VacuumTable& from) {
  object("VacuumTable", ast::kNoLocation, [&] {
    field("table", from.table);
    field("columns", from.columns);
  });
}

void AstDumper::fields(const ast::Vacuum& from) {
  field("analyze_only", from.analyze_only);
  field("options", from.options);
  field("tables", from.tables);
}

void AstDumper::fields(const ast::Reindex& from) {
  field("object", from.object, ast::ObjectKind::kTable);
  field("system", from.system);
  field("relation", from.relation);
  field("name", from.name);
  field("options", from.options);
}

void AstDumper::fields(const ast::Checkpoint&) {}

void AstDumper::fields(const ast::Lock& from) {
  field("tables", from.tables);
  field("mode", from.mode, ast::TableLock::kAccessExclusive);
  field("nowait", from.nowait);
}

void AstDumper::fields(const ast::DeclareCursor& from) {
  field("name", from.name);
  field("query", from.query);
  field("binary", from.binary);
  field("scroll", from.scroll, ast::Scroll::kDefault);
  field("insensitive", from.insensitive);
  field("asensitive", from.asensitive);
  field("hold", from.hold);
}

void AstDumper::fields(const ast::Fetch& from) {
  field("move", from.move);
  field("direction", from.direction, ast::FetchDirection::kForward);
  field("count", std::int64_t{from.count}, 1);
  field("cursor", from.cursor);
}

void AstDumper::fields(const ast::CloseCursor& from) {
  field("name", from.name);
}

void AstDumper::fields(const ast::Listen& from) {
  field("channel", from.channel);
}

void AstDumper::fields(const ast::Notify& from) {
  field("channel", from.channel);
  field("payload", from.payload);
}

void AstDumper::fields(const ast::Unlisten& from) {
  field("channel", from.channel);
}

void AstDumper::fields(const ast::SetConstraints& from) {
  field("constraints", from.constraints);
  field("deferred", from.deferred);
}

void AstDumper::fields(const ast::Do& from) {
  field("options", from.options);
}

void AstDumper::fields(const ast::Call& from) {
  field("call", from.call);
}

}  // namespace coppice::planner
