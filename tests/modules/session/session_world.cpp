// session_world.cpp — the scripted parts.
#include "tests/modules/session/session_world.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "interfaces/types/sql_error.h"
#include "kernel/fiber/fiber.h"
#include "plugins/sql/core/core_pack.h"
#include "plugins/sql/text/text_pack.h"

namespace coppice::testing {

namespace {

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\n')) text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::string_view take_word(std::string_view& text) {
  text = trim(text);
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text = trim(text.substr(end));
  return word;
}

std::uint64_t number_of(std::string_view text) {
  std::uint64_t number = 0;
  for (const char c : text) number = number * 10 + static_cast<std::uint64_t>(c - '0');
  return number;
}

class ScriptedScript final : public ParsedScript {
 public:
  explicit ScriptedScript(std::vector<std::string_view> texts) : texts_(std::move(texts)) {}
  std::size_t size() const override { return texts_.size(); }
  std::string_view text(std::size_t statement) const override { return texts_[statement]; }
  bool ends_transaction(std::size_t statement) const override {
    std::string_view rest = texts_[statement];
    const std::string_view word = take_word(rest);
    return word == "COMMIT" || word == "ROLLBACK" || word == "BACKTO";
  }

 private:
  std::vector<std::string_view> texts_;
};

// The plan's figures say what to do: rows_estimate rows; a cost of -1 fails, -2 sleeps, -3 gives
// the parameter.
class ScriptedQuery final : public Query {
 public:
  ScriptedQuery(std::shared_ptr<const QueryPlan> plan, const ExecuteContext& context)
      : plan_(std::move(plan)), context_(context) {}

  Result<bool> next(RowBatch& batch) override {
    const PlanNode& root = *plan_->root;
    const auto total = static_cast<std::uint64_t>(root.rows_estimate);
    if (root.cost_estimate == -1) return std::unexpected(sql_error("22012", "division by zero"));
    if (root.cost_estimate == -2) COPPICE_TRY(fiber::sleep_for(1h));
    if (plan_->command != QueryPlan::Command::kSelect) {
      affected_ = total;
      return false;
    }
    if (given_ == total) return false;
    buffer_.clear();
    const std::uint64_t now = std::min<std::uint64_t>(100, total - given_);
    for (std::uint64_t i = 0; i < now; ++i) {
      const std::int64_t value = root.cost_estimate == -3 ? context_.parameters[0].datum().as_int()
                                                          : static_cast<std::int64_t>(++given_);
      if (root.cost_estimate == -3) ++given_;
      buffer_.append(Datum::integer(PhysicalType::kInt32, value));
    }
    batch.rows = buffer_.size();
    batch.selection = Selection::all(batch.rows);
    batch.columns = {buffer_.view()};
    context_.meter->charge(Resource::kRowsReturned, batch.rows);
    return true;
  }
  std::uint64_t rows_affected() const override { return affected_; }
  std::vector<OperatorStats> stats() const override {
    return {{.node = plan_->root.get(), .rows = given_, .batches = 1, .loops = 1, .ticks = 0}};
  }

 private:
  std::shared_ptr<const QueryPlan> plan_;
  ExecuteContext context_;
  VectorBuffer buffer_{PhysicalType::kInt32};
  std::uint64_t given_ = 0, affected_ = 0;
};

Statement statement_of(auto body) {
  Statement statement;
  statement.body = std::move(body);
  return statement;
}

QualifiedName named(std::string_view name) {
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos) return {.schema = {}, .name = std::string(name)};
  return {.schema = std::string(name.substr(0, dot)), .name = std::string(name.substr(dot + 1))};
}

}  // namespace

std::string error_text(const Error& error) {
  return "ERROR " + std::string(sqlstate_of(error)) + " " + error.message();
}

Result<std::unique_ptr<ParsedScript>> ScriptedPlanner::parse(std::string_view text, Budget&) {
  if (text.find("BAD") != std::string_view::npos)
    return std::unexpected(sql_error("42601", "syntax error at or near \"BAD\""));
  std::vector<std::string_view> texts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(';'), text.size());
    const std::string_view one = trim(text.substr(0, end));
    if (!one.empty()) texts.push_back(one);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return std::make_unique<ScriptedScript>(std::move(texts));
}

Result<Statement> ScriptedPlanner::plan(const ParsedScript& script, std::size_t statement,
                                        const PlanContext& context) {
  ++planned;
  return plan_text(script.text(statement), context);
}

Result<Statement> ScriptedPlanner::plan_query(std::string_view word, std::string_view rest,
                                              const PlanContext& context) const {
  auto root = std::make_shared<PlanNode>();
  root->types = {type_oid::kInt4};
  root->modifiers = {-1};
  auto plan = std::make_shared<QueryPlan>();
  plan->output = {{.name = "n", .table = 0, .attribute = 0}};
  plan->catalog_version = context.catalog->version();
  if (word == "ROWS") {
    root->rows_estimate = static_cast<double>(number_of(rest));
  } else if (word == "SELECT") {  // COPY t TO reads by it
    root->rows_estimate = 2;
  } else if (word == "ADD") {
    root->rows_estimate = static_cast<double>(number_of(rest));
    plan->command = QueryPlan::Command::kInsert;
    plan->output.clear();
  } else if (word == "READ") {
    root->rows_estimate = 1;
    const auto table = context.catalog->find_table(kPublicOid, rest);
    if (table == nullptr) {
      return std::unexpected(
          sql_error("42P01", "relation \"" + std::string(rest) + "\" does not exist"));
    }
    plan->tables = {table};
    plan->locks = {RelationLock::kAccessShare};
    if (table->columns.size() > 1) plan->output[0].name = "wide";
  } else {
    root->rows_estimate = 1;
    root->cost_estimate = word == "FAIL" ? -1 : word == "SLEEP" ? -2 : -3;
    if (word == "PARAM") plan->parameter_types = {type_oid::kInt4};
  }
  plan->root = root;
  return statement_of(std::shared_ptr<const QueryPlan>(plan));
}

Result<Statement> ScriptedPlanner::plan_text(std::string_view text, const PlanContext& context) {
  std::string_view rest = text;
  const std::string_view word = take_word(rest);
  const std::string name(rest);
  if (word == "BEGIN") {
    BeginStatement begin;
    if (rest == "RR") begin.isolation = Isolation::kRepeatableRead;
    if (rest == "SER") begin.isolation = Isolation::kSerializable;
    if (rest == "RO") begin.read_only = true;
    return statement_of(begin);
  }
  if (word == "COMMIT") return statement_of(CommitStatement{.chain = rest == "CHAIN"});
  if (word == "ROLLBACK") return statement_of(RollbackStatement{.chain = rest == "CHAIN"});
  using Save = SavepointStatement::Kind;
  if (word == "SAVEPOINT") return statement_of(SavepointStatement{Save::kSet, name});
  if (word == "RELEASE") return statement_of(SavepointStatement{Save::kRelease, name});
  if (word == "BACKTO") return statement_of(SavepointStatement{Save::kRollbackTo, name});
  if (word == "SET" || word == "RESET") {
    SetStatement set;
    set.name = take_word(rest);
    if (set.name == "LOCAL") {
      set.scope = SetStatement::Scope::kLocal;
      set.name = take_word(rest);
    }
    if (word == "SET") set.value = std::string(rest);
    set.reset = word == "RESET";
    return statement_of(set);
  }
  if (word == "SHOW") return statement_of(ShowStatement{name});
  if (word == "PREPARE") {
    PrepareStatement prepare;
    prepare.name = take_word(rest);
    prepare.text = rest;
    return statement_of(prepare);
  }
  if (word == "EXEC") return statement_of(ExecuteStatement{.name = name, .arguments = {}});
  if (word == "DEALLOCATE") return statement_of(DeallocateStatement{name == "ALL" ? "" : name});
  if (word == "DISCARD") return statement_of(DiscardStatement{name});
  if (word == "TABLE" || word == "TABLE?" || word == "TABLE2") {
    CreateTableStatement create;
    create.table = named(name);
    create.if_not_exists = word == "TABLE?";
    create.definition.columns.push_back({.name = "a",
                                         .type = type_oid::kInt4,
                                         .modifier = -1,
                                         .not_null = false,
                                         .default_sql = {}});
    if (word == "TABLE2") {
      create.definition.columns.push_back({.name = "b",
                                           .type = type_oid::kText,
                                           .modifier = -1,
                                           .not_null = false,
                                           .default_sql = "DEFAULTED"});
    }
    return statement_of(create);
  }
  if (word == "DROP" || word == "DROP?" || word == "DROPINDEX") {
    DropStatement drop;
    drop.kind = word == "DROPINDEX" ? DropStatement::Kind::kIndex : DropStatement::Kind::kTable;
    drop.names = {named(name)};
    drop.if_exists = word == "DROP?";
    return statement_of(drop);
  }
  if (word == "INDEX") {
    CreateIndexStatement create;
    create.table = named(take_word(rest));
    create.definition.name = rest;
    create.definition.columns.emplace_back("a", KeyOrder());
    return statement_of(create);
  }
  if (word == "DATABASE") return statement_of(CreateDatabaseStatement{.name = name, .owner = {}});
  if (word == "VACUUM") return statement_of(MaintenanceStatement{.tag = "VACUUM", .tables = {}});
  if (word == "LOCK") {
    LockTableStatement lock;
    lock.tables = {named(name)};
    return statement_of(lock);
  }
  if (word == "EXPLAIN" || word == "ANALYZE") {
    ExplainStatement explain;
    explain.analyze = explain.meter = word == "ANALYZE";
    Statement query = COPPICE_TRY(plan_query("ROWS", "7", context));
    explain.statement = std::make_shared<const Statement>(std::move(query));
    return statement_of(explain);
  }
  if (word == "COPY") {
    CopyStatement copy;
    copy.from = take_word(rest) == "IN";
    copy.table = named(take_word(rest));
    while (!rest.empty()) copy.columns.emplace_back(take_word(rest));
    return statement_of(copy);
  }
  if (word == "COPYQ") {
    CopyStatement copy;
    Statement query = COPPICE_TRY(plan_query("ROWS", rest, context));
    copy.query = std::get<std::shared_ptr<const QueryPlan>>(query.body);
    copy.header = true;
    return statement_of(copy);
  }
  return plan_query(word, rest, context);
}

std::vector<std::string> ScriptedPlanner::explain(const QueryPlan& plan, const ExplainStatement&,
                                                  std::span<const OperatorStats> stats) const {
  std::string line = "Rows " + std::to_string(static_cast<int>(plan.root->rows_estimate));
  if (!stats.empty()) line += " actual " + std::to_string(stats[0].rows);
  return {line};
}

Result<ExpressionRef> ScriptedPlanner::bind_default(std::string_view sql, TypeOid type,
                                                    std::int32_t, const PlanContext&) {
  auto expression = std::make_unique<Expression>();
  expression->type = type;
  expression->physical = PhysicalType::kBytes;
  expression->value = Value(Datum::of(as_bytes(sql)));
  return expression;
}

Result<std::unique_ptr<Query>> ScriptedExecutor::open(std::shared_ptr<const QueryPlan> plan,
                                                      const ExecuteContext& context) {
  return std::make_unique<ScriptedQuery>(std::move(plan), context);
}

Result<std::uint64_t> ScriptedExecutor::insert_rows(const TableInfoRef& table,
                                                    const RowBatch& batch, const ExecuteContext&) {
  Status done;
  std::vector<FormattedColumn> columns(batch.columns.size());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    COPPICE_TRY(catalog_.registry()
                    .find_type(table->columns[c].type)
                    ->format(WireForm::kText, batch.columns[c], batch.selection, {}, columns[c]));
  }
  for (std::uint32_t r = 0; r < batch.selection.count(); ++r) {
    std::string line;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::int64_t end = columns[c].ends[r];
      const std::int64_t before = r == 0 ? 0 : columns[c].ends[r - 1];
      const auto start = static_cast<std::size_t>(before < 0 ? -1 - before : before);
      if (c > 0) line += "|";
      line +=
          end < 0
              ? "NULL"
              : std::string(
                    as_text(columns[c].bytes).substr(start, static_cast<std::size_t>(end) - start));
    }
    inserted.push_back(line);
  }
  return batch.selection.count();
}

Status ScriptedExecutor::build_index(NamespaceId, Oid, const NewIndex& definition,
                                     const ExecuteContext&) {
  built.push_back(definition.name);
  return {};
}

Result<Value> ScriptedExecutor::evaluate(const Expression& expression, const ExecuteContext&) {
  return expression.value;
}

Status RecordingSink::columns(std::span<const ResultColumn> columns) {
  columns_.assign(columns.begin(), columns.end());
  std::string line = "columns";
  for (const ResultColumn& column : columns) line += " " + column.name;
  lines_.push_back(line);
  return {};
}

Status RecordingSink::rows(const RowBatch& batch) {
  if (!show_rows) return {};
  std::string line = "rows";
  const auto show = [&](const Vector& column, std::uint32_t row) {
    if (column.is_null(row)) return std::string("NULL");
    return column.type() == PhysicalType::kBytes ? std::string(as_text(column.bytes_at(row)))
                                                 : std::to_string(column.int_at(row));
  };
  batch.selection.for_each([&](std::uint32_t row) {
    line += " ";
    for (std::size_t c = 0; c < batch.columns.size(); ++c)
      line += (c == 0 ? "" : "|") + show(batch.columns[c], row);
  });
  lines_.push_back(line);
  return {};
}

Status RecordingSink::command_complete(std::string_view tag) {
  lines_.emplace_back(tag);
  return {};
}
Status RecordingSink::empty_query() {
  lines_.emplace_back("empty");
  return {};
}
Status RecordingSink::notice(const Error& notice) {
  lines_.push_back(*notice.find_note(sql_field::kSeverity) + " " +
                   std::string(sqlstate_of(notice)) + " " + notice.message());
  return {};
}
Status RecordingSink::parameter_changed(std::string_view name, std::string_view value) {
  lines_.push_back(std::string(name) + "=" + std::string(value));
  return {};
}
Status RecordingSink::copy_in_begin(const CopyFormat& format) {
  lines_.push_back("copy in " + std::to_string(format.columns));
  input_at_ = 0;
  return {};
}
Result<std::optional<ByteView>> RecordingSink::copy_in_next() {
  if (input_at_ == input.size()) return std::optional<ByteView>();
  return std::optional(as_bytes(input[input_at_++]));
}
Status RecordingSink::copy_out_begin(const CopyFormat& format) {
  lines_.push_back("copy out " + std::to_string(format.columns));
  return {};
}
Status RecordingSink::copy_out_data(ByteView data) {
  lines_.emplace_back(as_text(data));
  return {};
}
Status RecordingSink::copy_out_end() {
  lines_.emplace_back("copy end");
  return {};
}

std::string RecordingSink::take() {
  std::string all;
  for (const std::string& line : lines_) all += (all.empty() ? "" : "; ") + line;
  lines_.clear();
  return all;
}

SessionWorld::SessionWorld() {
  registry = std::make_unique<SqlRegistry>();
  const sql_core::CorePack core;
  const sql_text::TextPack text;
  core.add_types(*registry);
  text.add_types(*registry);
  core.add_functions(*registry);
  text.add_functions(*registry);
  pg_catalog = std::make_unique<catalog::PgCatalog>(*registry);
  catalog =
      std::make_unique<catalog::StoredCatalog>(engine, txns, *registry, pg_catalog->relations());
  planner = std::make_unique<ScriptedPlanner>();
  executor = std::make_unique<ScriptedExecutor>(*catalog);
}

void SessionWorld::start() {
  REQUIRE(catalog->start());
  const session::SessionServices services{.catalog = *catalog,
                                          .planner = *planner,
                                          .executor = *executor,
                                          .txns = txns,
                                          .metering = metering,
                                          .engine = &engine,
                                          .clock = fiber::clock(),
                                          .settings = settings,
                                          .usage = usage};
  factory = std::make_unique<session::SqlSessionFactory>(services, Rng(1));
}

std::unique_ptr<Session> SessionWorld::open(
    std::vector<std::pair<std::string, std::string>> asked) {
  const SessionRequest request{.user = "coppice",
                               .database = "coppice",
                               .settings = std::move(asked),
                               .client_address = "sim:1",
                               .process = ++processes_};
  Result<std::unique_ptr<Session>> opened = factory->open(request);
  REQUIRE_MESSAGE(opened, (opened ? std::string() : error_text(opened.error())));
  return *std::move(opened);
}

std::string SessionWorld::run(Session& session, std::string_view text) {
  const Status done = session.run(text, sink);
  std::string lines = sink.take();
  if (!done) lines += (lines.empty() ? "" : "; ") + error_text(done.error());
  return lines + " " + static_cast<char>(session.transaction_status());
}

}  // namespace coppice::testing
