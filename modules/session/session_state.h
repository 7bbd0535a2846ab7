// session_state.h — what a session remembers between statements, and the steps all of them share.
//
// Role:     the settings, the transaction, prepared statements, portals; beginning a statement,
//           planning it, opening its query. What statements do is in statement_runner.h and the
//           files named *_commands; SqlSession speaks the protocol over it.
// Owns:     all of it, the budget first: everything else may hold a part of it.
// Threads:  one at a time.
// Parks:    where the catalog, the planner, locks and the engine do.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interfaces/session.h"
#include "modules/session/query_run.h"
#include "modules/session/services.h"
#include "modules/session/session_calls.h"
#include "modules/session/session_settings.h"
#include "modules/session/transaction_block.h"

namespace coppice::session {

// A text with one statement (or none), planned for a version of the catalog and a search path.
struct Prepared {
  std::string name;
  std::string text;
  std::unique_ptr<ParsedScript> script;  // views text
  std::size_t statement_index = 0;
  Reservation bytes;
  std::vector<TypeOid> declared;  // what the client said of the parameters
  bool empty = false;             // nothing to run
  bool ends_transaction = false;
  bool light = false;     // needs no snapshot
  bool from_sql = false;  // by PREPARE
  WallTime prepared_at;

  std::shared_ptr<const Statement> statement;
  std::uint64_t catalog_version = 0;
  std::uint64_t path_version = 0;  // of search_path
  std::vector<TypeOid> parameter_types;
  bool has_rows = false;
  std::vector<ResultColumn> columns;
};
using PreparedRef = std::shared_ptr<Prepared>;

struct Portal {
  PreparedRef prepared;
  Reservation bytes;  // of the parameters
  std::vector<Value> parameters;
  std::vector<ResultColumn> columns;  // as bound
  bool has_rows = false;
  std::unique_ptr<QueryRun> run;  // set once it was executed
  bool finished = false;
  bool hold = false;  // a cursor WITH HOLD: outlives the transaction that declared it,
  bool held = false;  // and has
};

inline constexpr std::uint64_t kPreparedBytes = 2_KiB;  // of a statement besides text and tree
inline constexpr std::size_t kPreparedMax = 100'000, kPortalsMax = 10'000;
inline constexpr unsigned kReplansMax = 16;  // of a statement that waited for locks

// Where a statement's answers go; in the extended protocol columns were described before.
struct Answer {
  ResultSink& sink;
  bool announce = true;
  Status columns(std::span<const ResultColumn> columns) const {
    return announce ? sink.columns(columns) : Status();
  }
};

struct PlannedStatement {
  std::shared_ptr<const Statement> statement;
  CatalogViewRef view;
};

class SessionState;

// For types whose text is a name, between statements too: answers by the session's last view.
class NameCalls final : public CallContext {
 public:
  explicit NameCalls(SessionState& state) : state_(state) {}
  const SqlSettings& settings() const override;
  WallTime transaction_start() const override;
  WallTime statement_start() const override;
  WallTime clock_now() const override;
  Rng& random() override;
  std::optional<std::string> ask(std::string_view question,
                                 std::span<const Datum> arguments) override;
  const SqlRegistry* registry() const override;

 private:
  SessionState& state_;
};

class SessionState {
 public:
  SessionState(const SessionServices& services, SessionIdentity who, DatabaseUse use,
               SettingTable const& table, ZoneCheck known_zone, Rng random);

  // A statement begins: suspended portals are detached, the transaction takes its snapshot.
  Result<CatalogViewRef> begin_statement();
  // In a failed block nothing may be read, and BEGIN or FETCH need not: the last view stands in.
  Result<PlannedStatement> plan(const ParsedScript& script, std::size_t index,
                                std::span<const TypeOid> parameter_types);
  // Begins a statement; plans again if names may mean something else by now. 0A000 when its columns
  // changed.
  Result<CatalogViewRef> refresh(Prepared& prepared);
  Result<PreparedRef> prepare(std::string_view name, std::string_view text,
                              std::span<const TypeOid> parameter_types);

  // True: had to wait for a lock, so what was planned may be out of date.
  Result<bool> lock_tables(const QueryPlan& plan);
  // In the statement that has begun; the tables are locked.
  Result<std::unique_ptr<QueryRun>> open(std::shared_ptr<const QueryPlan> plan,
                                         std::vector<Value> parameters, CatalogViewRef view);
  std::unique_ptr<SessionCalls> calls(CatalogViewRef view);
  std::unique_ptr<StatementScope> scope();

  // The end of the transaction ends its portals.
  Status commit();
  void rollback();
  void fail();
  void end_portals();  // all but those that outlive their transaction

  Status check_may_write(std::string_view command) const;  // 25006
  // A NOTICE, WARNING or INFO, if client_min_messages lets it through.
  Status notify(ResultSink& sink, std::string_view severity, std::string_view sqlstate,
                std::string message);

  const SessionServices& services;
  const SessionIdentity who;
  const std::shared_ptr<const void> database_hold;
  // Of the session as a whole: what is not a query's own. Parsing, planning, what is kept.
  const std::unique_ptr<StatementScope> upkeep;
  Budget* const budget;
  const std::shared_ptr<UsageSlot> usage;
  SessionSettings settings;
  Rng random;
  std::map<std::string, PreparedRef, std::less<>> prepared;
  TransactionBlock block;
  std::map<std::string, Portal, std::less<>> portals;  // end before the transaction
  CatalogViewRef last_view;
  NameCalls names{*this};
  bool several = false;                       // one of several statements of a message
  Duration planning_took = Duration::zero();  // of the last statement planned
};

// What a statement gives, before it runs.
struct Shape {
  bool has_rows = false;
  std::vector<ResultColumn> columns;
  std::vector<TypeOid> parameter_types;
};
Result<Shape> shape_of(const Statement& statement, const SessionState& state);

// "CREATE TABLE": what messages call the statement; empty where nobody asks.
std::string_view write_command(const QueryPlan& plan);

}  // namespace coppice::session
