// copy_query.cpp — SELECT, INSERT, UPDATE, DELETE, MERGE, FROM.
#include "modules/planner/parse/raw/copier.h"

namespace coppice::planner::raw {

const ast::Statement* Copier::visit_statement(const ::Node* from) {
  if (const auto* query = visit_query(from); query != nullptr || error_) return query;
  if (const auto* table = visit_table_ddl(from); table != nullptr || error_) return table;
  if (const auto* ddl = visit_ddl(from); ddl != nullptr || error_) return ddl;
  if (const auto* utility = visit_utility(from); utility != nullptr || error_) return utility;
  refuse(command_name(nodeTag(from)));
  return nullptr;
}

const ast::Statement* Copier::visit_query(const ::Node* from) {
  switch (nodeTag(from)) {
    case T_SelectStmt:
      return visit_select(*reinterpret_cast<const ::SelectStmt*>(from));
    case T_InsertStmt:
      return insert(*reinterpret_cast<const ::InsertStmt*>(from));
    case T_UpdateStmt:
      return update(*reinterpret_cast<const ::UpdateStmt*>(from));
    case T_DeleteStmt:
      return delete_from(*reinterpret_cast<const ::DeleteStmt*>(from));
    case T_MergeStmt:
      return merge(*reinterpret_cast<const ::MergeStmt*>(from));
    default:
      return nullptr;
  }
}

// --- SELECT
// ---------------------------------------------------------------------------------------

const ast::Select* Copier::visit_select(const ::SelectStmt& from) {
  auto* to = arena_.make<ast::Select>();
  to->with = with(from.withClause);
  if (from.distinctClause != nullptr) {  // a list of one null is plain DISTINCT
    to->distinct = true;
    if (from.distinctClause->elements[0].ptr_value != nullptr)
      to->distinct_on = exprs(from.distinctClause);
  }
  to->targets = targets(from.targetList);
  to->into = into(from.intoClause);
  to->from = list<const ast::FromItem*, ::Node>(
      from.fromClause,
      [&](const ::Node& item, const ast::FromItem*& out) { from_item(&item, out); });
  expr(from.whereClause, to->where);
  to->group_by = exprs(from.groupClause);
  to->group_distinct = from.groupDistinct;
  expr(from.havingClause, to->having);
  to->windows = list<ast::Window, ::WindowDef>(
      from.windowClause, [&](const ::WindowDef& item, ast::Window& out) { window(item, out); });
  to->values = list<ast::List<const ast::Expr*>, ::Node>(
      from.valuesLists, [&](const ::Node& item, ast::List<const ast::Expr*>& out) {
        out = exprs(reinterpret_cast<const ::List*>(&item));
      });
  to->set_kind = static_cast<ast::SetKind>(from.op);
  to->set_all = from.all;
  select(from.larg, to->left);
  select(from.rarg, to->right);
  to->order_by = sort_items(from.sortClause);
  expr(from.limitOffset, to->offset);
  expr(from.limitCount, to->limit);
  const int limit_option = static_cast<int>(from.limitOption);
  to->limit_with_ties = limit_option == kLimitWithTies;
  absent(limit_option < kLimitDefault || limit_option > kLimitWithTies, "such a LIMIT");
  to->locking = locking(from.lockingClause);
  return to;
}

const ast::With* Copier::with(const ::WithClause* from) {
  if (from == nullptr) return nullptr;
  ++visited_;
  auto* to = arena_.make<ast::With>();
  to->recursive = from->recursive;
  to->location = from->location;
  to->tables = list<ast::CommonTable, ::CommonTableExpr>(
      from->ctes,
      [&](const ::CommonTableExpr& item, ast::CommonTable& out) { common_table(item, out); });
  return to;
}

// The counters and column types of a CommonTableExpr belong to the analysed tree.
void Copier::common_table(const ::CommonTableExpr& from, ast::CommonTable& to) {
  to.name = name(from.ctename);
  to.columns = names(from.aliascolnames);
  to.materialize = static_cast<ast::Materialize>(from.ctematerialized);
  statement(from.ctequery, to.query);
  to.location = from.location;
  if (from.search_clause != nullptr) {
    const auto& search = *enter<::CTESearchClause>(from.search_clause);
    auto* out = arena_.make<ast::SearchClause>();
    out->columns = names(search.search_col_list);
    out->breadth_first = search.search_breadth_first;
    out->sequence_column = name(search.search_seq_column);
    out->location = search.location;
    to.search = out;
  }
  if (from.cycle_clause != nullptr) {
    const auto& cycle = *enter<::CTECycleClause>(from.cycle_clause);
    auto* out = arena_.make<ast::CycleClause>();
    out->columns = names(cycle.cycle_col_list);
    out->mark_column = name(cycle.cycle_mark_column);
    expr(cycle.cycle_mark_value, out->mark_value);
    expr(cycle.cycle_mark_default, out->mark_default);
    out->path_column = name(cycle.cycle_path_column);
    out->location = cycle.location;
    to.cycle = out;
  }
}

namespace {

ast::FrameBound frame_start(int options) {
  if (options & FRAMEOPTION_START_UNBOUNDED_PRECEDING) return ast::FrameBound::kUnboundedPreceding;
  if (options & FRAMEOPTION_START_OFFSET_PRECEDING) return ast::FrameBound::kOffsetPreceding;
  if (options & FRAMEOPTION_START_CURRENT_ROW) return ast::FrameBound::kCurrentRow;
  if (options & FRAMEOPTION_START_OFFSET_FOLLOWING) return ast::FrameBound::kOffsetFollowing;
  return ast::FrameBound::kUnboundedFollowing;
}
ast::FrameBound frame_end(int options) {
  if (options & FRAMEOPTION_END_UNBOUNDED_PRECEDING) return ast::FrameBound::kUnboundedPreceding;
  if (options & FRAMEOPTION_END_OFFSET_PRECEDING) return ast::FrameBound::kOffsetPreceding;
  if (options & FRAMEOPTION_END_CURRENT_ROW) return ast::FrameBound::kCurrentRow;
  if (options & FRAMEOPTION_END_OFFSET_FOLLOWING) return ast::FrameBound::kOffsetFollowing;
  return ast::FrameBound::kUnboundedFollowing;
}
ast::FrameExclusion frame_exclusion(int options) {
  if (options & FRAMEOPTION_EXCLUDE_CURRENT_ROW) return ast::FrameExclusion::kCurrentRow;
  if (options & FRAMEOPTION_EXCLUDE_GROUP) return ast::FrameExclusion::kGroup;
  if (options & FRAMEOPTION_EXCLUDE_TIES) return ast::FrameExclusion::kTies;
  return ast::FrameExclusion::kNone;
}

}  // namespace

void Copier::window(const ::WindowDef& from, ast::Window& to) {
  to.name = name(from.name);
  to.reference = name(from.refname);
  to.partition_by = exprs(from.partitionClause);
  to.order_by = sort_items(from.orderClause);
  const int options = from.frameOptions;
  to.frame_given = (options & FRAMEOPTION_NONDEFAULT) != 0;
  to.unit = (options & FRAMEOPTION_ROWS)     ? ast::FrameUnit::kRows
            : (options & FRAMEOPTION_GROUPS) ? ast::FrameUnit::kGroups
                                             : ast::FrameUnit::kRange;
  to.start = frame_start(options);
  to.end = frame_end(options);
  to.exclusion = frame_exclusion(options);
  expr(from.startOffset, to.start_offset);
  expr(from.endOffset, to.end_offset);
  to.location = from.location;
}

const ast::IntoTable* Copier::into(const ::IntoClause* from) {
  if (from == nullptr) return nullptr;
  ++visited_;
  auto* to = arena_.make<ast::IntoTable>();
  to->table = relation(from->rel);
  to->columns = names(from->colNames);
  to->access_method = name(from->accessMethod);
  to->options = options(from->options);
  to->on_commit = static_cast<ast::OnCommit>(from->onCommit);
  to->tablespace = name(from->tableSpaceName);
  to->no_data = from->skipData;
  absent(from->viewQuery, "INTO a view");
  return to;
}

ast::List<ast::RowLocking> Copier::locking(const ::List* from) {
  return list<ast::RowLocking, ::LockingClause>(
      from, [&](const ::LockingClause& item, ast::RowLocking& to) {
        absent(item.strength == LCS_NONE, "such a locking clause");
        to.strength = static_cast<ast::LockStrength>(static_cast<int>(item.strength) - 1);
        to.wait = static_cast<ast::LockWait>(item.waitPolicy);
        to.relations = relations(item.lockedRels);
      });
}

// --- FROM
// -----------------------------------------------------------------------------------------

const ast::FromItem* Copier::visit_from_item(const ::Node* from) {
  switch (nodeTag(from)) {
    case T_RangeVar: {
      auto* to = arena_.make<ast::FromTable>();
      --visited_;  // relation() counts it
      to->table = relation(reinterpret_cast<const ::RangeVar*>(from));
      to->alias = to->table->alias;
      to->location = to->table->location;
      return to;
    }
    case T_RangeSubselect:
      return from_subquery(*reinterpret_cast<const ::RangeSubselect*>(from));
    case T_RangeFunction:
      return from_function(*reinterpret_cast<const ::RangeFunction*>(from));
    case T_JoinExpr:
      return from_join(*reinterpret_cast<const ::JoinExpr*>(from));
    case T_RangeTableSample:
      return from_sample(*reinterpret_cast<const ::RangeTableSample*>(from));
    case T_RangeTableFunc:
      refuse("XMLTABLE", reinterpret_cast<const ::RangeTableFunc*>(from)->location);
      return nullptr;
    default:
      refuse("a FROM item of this kind");
      return nullptr;
  }
}

const ast::FromItem* Copier::from_subquery(const ::RangeSubselect& from) {
  auto* to = arena_.make<ast::FromSubquery>();
  to->lateral = from.lateral;
  to->alias = alias(from.alias);
  select(from.subquery, to->select);
  return to;
}

// Each function is a list of two: the call, and its column definitions or null.
const ast::FromItem* Copier::from_function(const ::RangeFunction& from) {
  auto* to = arena_.make<ast::FromFunction>();
  to->lateral = from.lateral;
  to->ordinality = from.ordinality;
  to->rows_from = from.is_rowsfrom;
  to->alias = alias(from.alias);
  to->columns = columns(from.coldeflist);
  to->functions =
      list<ast::RowsFrom, ::Node>(from.functions, [&](const ::Node& item, ast::RowsFrom& out) {
        const auto& pair = reinterpret_cast<const ::List&>(item);
        if (pair.length != 2) return refuse("such a function in FROM");
        expr(pair.elements[0].ptr_value, out.call);
        out.columns = columns(static_cast<const ::List*>(pair.elements[1].ptr_value));
      });
  return to;
}

const ast::FromItem* Copier::from_join(const ::JoinExpr& from) {
  auto* to = arena_.make<ast::FromJoin>();
  switch (from.jointype) {
    case JOIN_INNER:
      to->type = ast::JoinKind::kInner;
      break;
    case JOIN_LEFT:
      to->type = ast::JoinKind::kLeft;
      break;
    case JOIN_RIGHT:
      to->type = ast::JoinKind::kRight;
      break;
    case JOIN_FULL:
      to->type = ast::JoinKind::kFull;
      break;
    default:
      refuse("a join of this kind");
      return nullptr;
  }
  to->natural = from.isNatural;
  from_item(from.larg, to->left);
  from_item(from.rarg, to->right);
  expr(from.quals, to->on);
  to->using_columns = names(from.usingClause);
  to->using_alias = alias(from.join_using_alias);
  to->alias = alias(from.alias);
  absent(from.rtindex, "an analysed join");
  return to;
}

const ast::FromItem* Copier::from_sample(const ::RangeTableSample& from) {
  auto* to = arena_.make<ast::FromSample>();
  to->location = from.location;
  from_item(from.relation, to->item);
  to->method = names(from.method);
  to->arguments = exprs(from.args);
  expr(from.repeatable, to->repeatable);
  return to;
}

// --- writing
// --------------------------------------------------------------------------------------

const ast::Statement* Copier::insert(const ::InsertStmt& from) {
  auto* to = arena_.make<ast::Insert>();
  to->with = with(from.withClause);
  to->table = relation(from.relation);
  to->columns = targets(from.cols);
  to->overriding = static_cast<ast::Overriding>(from.override);
  select(from.selectStmt, to->source);
  to->on_conflict = on_conflict(from.onConflictClause);
  to->returning = targets(from.returningList);
  return to;
}

const ast::OnConflict* Copier::on_conflict(const ::OnConflictClause* from) {
  if (from == nullptr) return nullptr;
  ++visited_;
  auto* to = arena_.make<ast::OnConflict>();
  absent(from->action == ONCONFLICT_NONE, "such an ON CONFLICT", from->location);
  to->action = from->action == ONCONFLICT_UPDATE ? ast::ConflictAction::kUpdate
                                                 : ast::ConflictAction::kNothing;
  if (from->infer != nullptr) {
    const auto& infer = *enter<::InferClause>(from->infer);
    to->elements = index_elements(infer.indexElems);
    expr(infer.whereClause, to->elements_where);
    to->constraint = name(infer.conname);
  }
  to->sets = targets(from->targetList);
  expr(from->whereClause, to->where);
  to->location = from->location;
  return to;
}

ast::List<ast::IndexElement> Copier::index_elements(const ::List* from) {
  return list<ast::IndexElement, ::IndexElem>(
      from, [&](const ::IndexElem& item, ast::IndexElement& to) {
        to.column = name(item.name);
        expr(item.expr, to.value);
        to.collation = names(item.collation);
        to.operator_class = names(item.opclass);
        to.operator_class_options = options(item.opclassopts);
        to.direction = static_cast<ast::SortDirection>(item.ordering);
        to.nulls = static_cast<ast::NullsOrder>(item.nulls_ordering);
        absent(item.indexcolname, "a name for an index column");
      });
}

const ast::Statement* Copier::update(const ::UpdateStmt& from) {
  auto* to = arena_.make<ast::Update>();
  to->with = with(from.withClause);
  to->table = relation(from.relation);
  to->sets = targets(from.targetList);
  to->from = list<const ast::FromItem*, ::Node>(
      from.fromClause,
      [&](const ::Node& item, const ast::FromItem*& out) { from_item(&item, out); });
  expr(from.whereClause, to->where);
  to->returning = targets(from.returningList);
  return to;
}

const ast::Statement* Copier::delete_from(const ::DeleteStmt& from) {
  auto* to = arena_.make<ast::Delete>();
  to->with = with(from.withClause);
  to->table = relation(from.relation);
  to->using_items = list<const ast::FromItem*, ::Node>(
      from.usingClause,
      [&](const ::Node& item, const ast::FromItem*& out) { from_item(&item, out); });
  expr(from.whereClause, to->where);
  to->returning = targets(from.returningList);
  return to;
}

const ast::Statement* Copier::merge(const ::MergeStmt& from) {
  auto* to = arena_.make<ast::Merge>();
  to->with = with(from.withClause);
  to->table = relation(from.relation);
  from_item(from.sourceRelation, to->source);
  expr(from.joinCondition, to->on);
  to->whens = list<ast::MergeWhen, ::MergeWhenClause>(
      from.mergeWhenClauses,
      [&](const ::MergeWhenClause& item, ast::MergeWhen& out) { merge_when(item, out); });
  return to;
}

void Copier::merge_when(const ::MergeWhenClause& from, ast::MergeWhen& to) {
  to.matched = from.matched;
  switch (from.commandType) {
    case CMD_NOTHING:
      to.action = ast::MergeAction::kNothing;
      break;
    case CMD_INSERT:
      to.action = ast::MergeAction::kInsert;
      break;
    case CMD_UPDATE:
      to.action = ast::MergeAction::kUpdate;
      break;
    case CMD_DELETE:
      to.action = ast::MergeAction::kDelete;
      break;
    default:
      return refuse("a MERGE action of this kind");
  }
  expr(from.condition, to.condition);
  to.targets = targets(from.targetList);
  to.overriding = static_cast<ast::Overriding>(from.override);
  to.values = exprs(from.values);
}

}  // namespace coppice::planner::raw
