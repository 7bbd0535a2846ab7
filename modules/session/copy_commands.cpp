// copy_commands.cpp — COPY from and to the client: finding the columns, running both ways.
#include <algorithm>
#include <utility>

#include "interfaces/types/sql_error.h"
#include "kernel/fiber/account.h"
#include "modules/session/copy_in.h"
#include "modules/session/copy_out.h"
#include "modules/session/relation_names.h"
#include "modules/session/result_columns.h"
#include "modules/session/statement_runner.h"

namespace coppice::session {

namespace {

std::string quoted(std::string_view name) {
  std::string text = "\"";
  for (const char c : name) {
    if (c == '"') text += '"';
    text += c;
  }
  return text + "\"";
}

bool is_volatile(const Expression& expression) {
  if (expression.function != nullptr && expression.function->volatility == Volatility::kVolatile)
    return true;
  return std::ranges::any_of(expression.arguments, [](const ExpressionRef& argument) {
    return argument != nullptr && is_volatile(*argument);
  });
}

// The columns that the statement names, or all: positions in table.columns.
Result<std::vector<std::size_t>> chosen_columns(const CopyStatement& statement,
                                                const TableInfo& table) {
  std::vector<std::size_t> chosen;
  if (statement.columns.empty()) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (!table.columns[i].dropped) chosen.push_back(i);
    }
    return chosen;
  }
  for (const std::string& name : statement.columns) {
    const ColumnInfo* column = table.find_column(name);
    if (column == nullptr || column->dropped) {
      return std::unexpected(
          sql_error(sqlstate::kUndefinedColumn,
                    "column \"" + name + "\" of relation \"" + table.name + "\" does not exist"));
    }
    const auto at = static_cast<std::size_t>(column - table.columns.data());
    if (std::ranges::find(chosen, at) != chosen.end()) {
      return std::unexpected(
          sql_error("42701", "column \"" + name + "\" specified more than once"));
    }
    chosen.push_back(at);
  }
  return chosen;
}

// Turns what a query gives into COPY data.
class CopyOutSink final : public ResultSink {
 public:
  explicit CopyOutSink(CopyOut& out) : out_(out) {}
  Status columns(std::span<const ResultColumn>) override { return {}; }
  // What fails before there are rows is answered as if nothing had begun.
  Status begin() {
    if (std::exchange(begun_, true)) return {};
    return out_.begin();
  }
  Status rows(const RowBatch& batch) override {
    COPPICE_TRY(begin());
    return out_.rows(batch);
  }
  Status command_complete(std::string_view) override { return {}; }
  Status empty_query() override { return {}; }
  Status notice(const Error&) override { return {}; }
  Status parameter_changed(std::string_view, std::string_view) override { return {}; }
  Status copy_in_begin(const CopyFormat&) override { return {}; }
  Result<std::optional<ByteView>> copy_in_next() override { return std::optional<ByteView>(); }
  Status copy_out_begin(const CopyFormat&) override { return {}; }
  Status copy_out_data(ByteView) override { return {}; }
  Status copy_out_end() override { return {}; }

 private:
  CopyOut& out_;
  bool begun_ = false;
};

}  // namespace

Result<std::string> StatementRunner::operator()(const CopyStatement& statement) {
  return statement.from ? copy_from(statement) : copy_to(statement);
}

// As stored_table(), locked; who waited looks again.
Result<TableInfoRef> StatementRunner::locked_table(const QualifiedName& name, RelationLock mode) {
  for (unsigned attempt = 0;; ++attempt) {
    TableInfoRef table = COPPICE_TRY(stored_table(name, *view_, state_));
    const Status at_once = txn().lock_relation(table->storage, mode, LockWait::kNoWait);
    if (at_once || attempt == kReplansMax) return table;
    if (sqlstate_of(at_once.error()) != "55P03") return std::unexpected(at_once.error().clone());
    COPPICE_TRY(txn().lock_relation(table->storage, mode, LockWait::kWait));
    if (state_.block.isolation() != Isolation::kReadCommitted) return table;
    view_ = COPPICE_TRY(state_.begin_statement());
  }
}

Result<std::string> StatementRunner::copy_from(const CopyStatement& statement) {
  COPPICE_TRY(state_.check_may_write("COPY FROM"));
  state_.block.use();
  const TableInfoRef table =
      COPPICE_TRY(locked_table(statement.table, RelationLock::kRowExclusive));
  const std::vector<std::size_t> chosen = COPPICE_TRY(chosen_columns(statement, *table));
  const SessionServices& services = state_.services;
  const std::vector<std::string>& path = state_.settings.hot().search_path;
  PlanContext plan;
  plan.catalog = view_;
  plan.search_path = path;
  plan.user = state_.who.user;
  plan.settings = &state_.settings.sql();

  std::vector<CopyColumn> columns;
  std::vector<std::size_t> order(chosen.size());
  for (std::size_t i = 0; i < table->columns.size(); ++i) {
    const ColumnInfo& info = table->columns[i];
    if (info.dropped) continue;
    CopyColumn& column = columns.emplace_back();
    column.column = &info;
    column.type = services.catalog.registry().find_type(info.type);
    if (column.type == nullptr) {
      return std::unexpected(sql_error(
          sqlstate::kInternalError, "cache lookup failed for type " + std::to_string(info.type)));
    }

    const auto named = std::ranges::find(chosen, i);
    if (named != chosen.end()) {
      column.field = static_cast<int>(named - chosen.begin());
      order[static_cast<std::size_t>(column.field)] = columns.size() - 1;
    } else if (!info.default_sql.empty()) {
      column.default_value = COPPICE_TRY(
          services.planner.bind_default(info.default_sql, info.type, info.modifier, plan));
      column.volatile_default = is_volatile(*column.default_value);
    }
  }
  const std::unique_ptr<StatementScope> scope = state_.scope();
  const std::unique_ptr<SessionCalls> calls = state_.calls(view_);
  ExecuteContext context;
  context.txn = &txn();
  context.catalog = view_;
  context.calls = calls.get();
  context.meter = &scope->meter();
  context.budget = &scope->budget();
  CopyIn copy(services.executor, statement, table, std::move(columns), std::move(order),
              state_.settings.sql(), context);
  const fiber::AccountScope account(&scope->account());
  const std::uint64_t rows = COPPICE_TRY(copy.run(answer_.sink));
  state_.usage->add(*scope);
  return "COPY " + std::to_string(rows);
}

// A table is read by the query that says the same.
Result<std::shared_ptr<const QueryPlan>> StatementRunner::plan_of_table(
    const CopyStatement& statement) {
  const FoundRelation found = COPPICE_TRY(find_relation(statement.table, *view_, state_));
  if (found.table == nullptr) {
    if (found.index != nullptr) {
      return std::unexpected(
          sql_error("42809", "cannot copy from index \"" + found.index->name + "\""));
    }
    return std::unexpected(
        sql_error(sqlstate::kUndefinedTable,
                  "relation \"" + display_name(statement.table) + "\" does not exist"));
  }
  const TableInfo& table = *found.table;
  const std::vector<std::size_t> chosen = COPPICE_TRY(chosen_columns(statement, table));
  std::string text = "SELECT ";
  for (const std::size_t column : chosen) {
    if (!text.ends_with(' ')) text += ",";
    text += quoted(table.columns[column].name);
  }
  text += " FROM " + quoted(table.schema_name) + "." + quoted(table.name);
  const std::unique_ptr<ParsedScript> script =
      COPPICE_TRY(state_.services.planner.parse(text, *state_.budget));
  for (unsigned attempt = 0;; ++attempt) {
    const PlannedStatement planned = COPPICE_TRY(state_.plan(*script, 0, {}));
    view_ = planned.view;
    auto query = std::get<std::shared_ptr<const QueryPlan>>(planned.statement->body);
    const bool waited = COPPICE_TRY(state_.lock_tables(*query));
    if (!waited || attempt == kReplansMax) return query;
  }
}

Result<std::string> StatementRunner::copy_to(const CopyStatement& statement) {
  state_.block.use();
  std::shared_ptr<const QueryPlan> plan = statement.query;
  if (plan == nullptr) {
    plan = COPPICE_TRY(plan_of_table(statement));
  } else {
    COPPICE_TRY(state_.lock_tables(*plan));
  }
  std::vector<ResultColumn> columns =
      COPPICE_TRY(columns_of(*plan, state_.services.catalog.registry()));
  const std::unique_ptr<QueryRun> run =
      COPPICE_TRY(state_.open(plan, std::move(parameters_), view_));
  CopyOut out(answer_.sink, statement, std::move(columns), state_.settings.sql());
  CopyOutSink sink(out);
  COPPICE_TRY(run->fetch(0, &sink));
  COPPICE_TRY(sink.begin());
  COPPICE_TRY(out.end());
  state_.usage->add(run->scope());
  return "COPY " + std::to_string(run->rows_total());
}

}  // namespace coppice::session
