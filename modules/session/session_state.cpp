// session_state.cpp — beginning, planning, locking, opening; ends of transactions.
#include "modules/session/session_state.h"

#include <algorithm>
#include <array>

#include "interfaces/types/sql_error.h"
#include "modules/session/result_columns.h"

namespace coppice::session {

SessionState::SessionState(const SessionServices& shared, SessionIdentity identity, DatabaseUse use,
                           SettingTable const& table, ZoneCheck known_zone, Rng rng)
    : services(shared),
      who(std::move(identity)),
      database_hold(std::move(use.hold)),
      upkeep(shared.metering.open_statement(TenantId{who.database.ns.value},
                                            shared.limits.session_bytes)),
      budget(&upkeep->budget()),
      usage(shared.usage.open(who.process, TenantId{who.database.ns.value}, who.user,
                              who.client_address)),
      settings(table, std::move(known_zone)),
      random(rng),
      block(shared.txns, *budget, settings, shared.clock) {
  settings.answer_names_by(&names);
}

const SqlSettings& NameCalls::settings() const {
  return state_.settings.sql();
}
WallTime NameCalls::transaction_start() const {
  return state_.block.started_at();
}
WallTime NameCalls::statement_start() const {
  return state_.block.started_at();
}
WallTime NameCalls::clock_now() const {
  return state_.services.clock.wall_now();
}
Rng& NameCalls::random() {
  return state_.random;
}
const SqlRegistry* NameCalls::registry() const {
  return &state_.services.catalog.registry();
}
std::optional<std::string> NameCalls::ask(std::string_view question,
                                          std::span<const Datum> arguments) {
  if (state_.last_view == nullptr) return std::nullopt;
  return state_.services.catalog.answer(*state_.last_view, state_.settings.hot().search_path,
                                        question, arguments);
}

Result<CatalogViewRef> SessionState::begin_statement() {
  for (auto& [name, portal] : portals) {
    if (portal.run != nullptr) COPPICE_TRY(portal.run->detach());
  }
  Transaction* txn = COPPICE_TRY(block.begin_statement());
  last_view = COPPICE_TRY(services.catalog.view(*txn, who.database.ns));
  return last_view;
}

namespace {

// Commands of the session alone: their names are looked up nowhere. A statement that begins with
// one of these words is nothing else.
bool needs_no_snapshot(std::string_view text) {
  constexpr std::string_view kWords[] = {
      "begin", "start", "commit", "end",   "rollback", "abort",      "savepoint", "release",
      "set",   "reset", "show",   "fetch", "move",     "deallocate", "close",     "discard"};
  std::size_t end = 0;
  while (end < text.size() &&
         ((text[end] >= 'a' && text[end] <= 'z') || (text[end] >= 'A' && text[end] <= 'Z')))
    ++end;
  return end <= 10 &&
         std::ranges::find(kWords, lower_case(text.substr(0, end))) != std::end(kWords);
}

}  // namespace

Result<PlannedStatement> SessionState::plan(const ParsedScript& script, std::size_t index,
                                            std::span<const TypeOid> parameter_types) {
  const bool light = last_view != nullptr && needs_no_snapshot(script.text(index));
  const bool reads = !block.failed() && !light;
  if (reads) {
    COPPICE_TRY(begin_statement());
  } else {
    block.open_implicit();
  }
  const std::vector<std::string>& path = settings.hot().search_path;
  PlanContext context;
  context.catalog = last_view;
  context.search_path = path;
  context.user = who.user;
  context.settings = &settings.sql();
  context.parameter_types = parameter_types;
  if (reads) {
    context.engine = services.engine;
    context.view = block.transaction()->view();
  }
  PlannedStatement planned;
  const Instant begun = services.clock.now();
  Statement statement = COPPICE_TRY(services.planner.plan(script, index, context));
  planning_took = services.clock.now() - begun;
  planned.statement = std::make_shared<const Statement>(std::move(statement));
  planned.view = last_view;
  return planned;
}

Result<PreparedRef> SessionState::prepare(std::string_view name, std::string_view text,
                                          std::span<const TypeOid> parameter_types) {
  auto made = std::make_shared<Prepared>();
  made->bytes = Reservation(*budget);
  COPPICE_TRY(made->bytes.grow(text.size() + kPreparedBytes));
  made->name = name;
  made->text = text;
  made->declared.assign(parameter_types.begin(), parameter_types.end());
  made->prepared_at = services.clock.wall_now();
  made->script = COPPICE_TRY(services.planner.parse(made->text, *budget));
  if (made->script->size() > 1) {
    return std::unexpected(sql_error(sqlstate::kSyntaxError,
                                     "cannot insert multiple commands into a prepared statement"));
  }
  made->empty = made->script->size() == 0;
  if (made->empty) return made;
  made->ends_transaction = made->script->ends_transaction(0);
  made->light = needs_no_snapshot(made->script->text(0));
  if (block.failed() && !made->ends_transaction) {
    return std::unexpected(sql_error(sqlstate::kInFailedTransaction,
                                     "current transaction is aborted, commands ignored until end "
                                     "of transaction block"));
  }
  PlannedStatement planned = COPPICE_TRY(plan(*made->script, 0, made->declared));
  Shape shape = COPPICE_TRY(shape_of(*planned.statement, *this));
  made->statement = std::move(planned.statement);
  made->catalog_version = planned.view->version();
  made->path_version = settings.path_version();
  made->parameter_types = std::move(shape.parameter_types);
  made->has_rows = shape.has_rows;
  made->columns = std::move(shape.columns);
  return made;
}

Result<CatalogViewRef> SessionState::refresh(Prepared& prepared_statement) {
  const CatalogViewRef view = COPPICE_TRY(begin_statement());
  if (prepared_statement.catalog_version == view->version() &&
      prepared_statement.path_version == settings.path_version())
    return view;
  // Parameters keep the types that the client was told.
  PlannedStatement planned =
      COPPICE_TRY(plan(*prepared_statement.script, 0, prepared_statement.parameter_types));
  Shape shape = COPPICE_TRY(shape_of(*planned.statement, *this));
  if (!same_shape(shape.columns, prepared_statement.columns)) {
    return std::unexpected(
        sql_error(sqlstate::kFeatureNotSupported, "cached plan must not change result type"));
  }
  prepared_statement.statement = std::move(planned.statement);
  prepared_statement.catalog_version = planned.view->version();
  prepared_statement.path_version = settings.path_version();
  prepared_statement.columns = std::move(shape.columns);
  return planned.view;
}

Result<bool> SessionState::lock_tables(const QueryPlan& plan) {
  block.use();
  Transaction& txn = *block.transaction();
  bool waited = false;
  for (std::size_t i = 0; i < plan.tables.size(); ++i) {
    const TableInfo& table = *plan.tables[i];
    if (table.computed != nullptr) continue;
    const RelationLock mode = i < plan.locks.size() ? plan.locks[i] : RelationLock::kAccessShare;
    const Status at_once = txn.lock_relation(table.storage, mode, LockWait::kNoWait);
    if (at_once) continue;
    if (sqlstate_of(at_once.error()) != "55P03") return std::unexpected(at_once.error().clone());
    COPPICE_TRY(txn.lock_relation(table.storage, mode, LockWait::kWait));
    waited = true;
  }
  return waited && block.isolation() == Isolation::kReadCommitted;
}

std::string_view write_command(const QueryPlan& plan) {
  switch (plan.command) {
    case QueryPlan::Command::kInsert:
      return "INSERT";
    case QueryPlan::Command::kUpdate:
      return "UPDATE";
    case QueryPlan::Command::kDelete:
      return "DELETE";
    case QueryPlan::Command::kSelect:
      break;
  }
  return {};
}

namespace {

const QueryPlan* plan_of(const Statement& statement) {
  if (const auto* query = std::get_if<std::shared_ptr<const QueryPlan>>(&statement.body))
    return query->get();
  if (const auto* copy = std::get_if<CopyStatement>(&statement.body)) return copy->query.get();
  if (const auto* explain = std::get_if<ExplainStatement>(&statement.body))
    return explain->statement == nullptr ? nullptr : plan_of(*explain->statement);
  return nullptr;
}

}  // namespace

Result<Shape> shape_of(const Statement& statement, const SessionState& state) {
  const SqlRegistry& registry = state.services.catalog.registry();
  Shape shape;
  const QueryPlan* plan = plan_of(statement);
  if (plan != nullptr) shape.parameter_types = plan->parameter_types;
  if (std::holds_alternative<ExplainStatement>(statement.body)) {
    shape.columns = text_columns({"QUERY PLAN"}, registry);
  } else if (std::holds_alternative<std::shared_ptr<const QueryPlan>>(statement.body)) {
    shape.columns = COPPICE_TRY(columns_of(*plan, registry));
    shape.has_rows = plan->command == QueryPlan::Command::kSelect;
  } else if (const auto* show = std::get_if<ShowStatement>(&statement.body)) {
    const std::string title(state.settings.spelling(show->name));
    shape.columns = show->name == "all" ? text_columns({"name", "setting", "description"}, registry)
                                        : text_columns({title}, registry);
  } else if (const auto* execute = std::get_if<ExecuteStatement>(&statement.body)) {
    const auto found = state.prepared.find(execute->name);
    if (found == state.prepared.end()) {
      return std::unexpected(
          sql_error("26000", "prepared statement \"" + execute->name + "\" does not exist"));
    }
    shape.has_rows = found->second->has_rows;
    shape.columns = found->second->columns;
  }
  shape.has_rows = shape.has_rows || !shape.columns.empty();
  return shape;
}

std::unique_ptr<StatementScope> SessionState::scope() {
  return services.metering.open_statement(TenantId{who.database.ns.value},
                                          services.limits.statement_bytes);
}

std::unique_ptr<SessionCalls> SessionState::calls(CatalogViewRef view) {
  return std::make_unique<SessionCalls>(services, who, settings, random, block.started_at(),
                                        std::move(view));
}

Result<std::unique_ptr<QueryRun>> SessionState::open(std::shared_ptr<const QueryPlan> plan,
                                                     std::vector<Value> parameters,
                                                     CatalogViewRef view) {
  COPPICE_TRY(check_may_write(write_command(*plan)));
  block.use();
  auto run = std::make_unique<QueryRun>(services, std::move(plan), scope(), calls(view),
                                        std::move(parameters), view);
  COPPICE_TRY(run->open(*block.transaction()));
  return run;
}

Status SessionState::commit() {
  if (block.failed()) {
    rollback();
    return {};
  }
  for (auto& [name, portal] : portals) {
    if (!portal.hold || portal.held) continue;
    if (Status kept = portal.run->detach(); !kept) {
      rollback();
      return kept;
    }
    portal.held = true;
  }
  end_portals();
  return block.commit();
}

void SessionState::end_portals() {
  std::erase_if(portals, [](const auto& entry) { return !entry.second.held; });
}

void SessionState::rollback() {
  end_portals();
  block.rollback();
}

void SessionState::fail() {
  end_portals();
  block.fail();
}

Status SessionState::check_may_write(std::string_view command) const {
  if (command.empty() || !block.read_only()) return {};
  return std::unexpected(
      sql_error("25006", "cannot execute " + std::string(command) + " in a read-only transaction"));
}

Status SessionState::notify(ResultSink& sink, std::string_view severity, std::string_view state,
                            std::string message) {
  constexpr std::array<std::string_view, 3> kQuiet = {"notice", "warning", "error"};
  const auto* const level = std::ranges::find(kQuiet, settings.value("client_min_messages"));
  if (severity == "NOTICE" && level != kQuiet.end() && *level != "notice") return {};
  if (severity == "WARNING" && level != kQuiet.end() && *level == "error") return {};
  // Not an error: whatever its code, a client sees severity and SQLSTATE.
  Error notice = Error(Code::kInvalidArgument, std::move(message))
                     .note(sql_field::kSqlstate, std::string(state))
                     .note(sql_field::kSeverity, std::string(severity));
  return sink.notice(notice);
}

}  // namespace coppice::session
