// simple_protocol_test.cpp — texts of several statements, blocks, failures, cancelling.
#include <doctest/doctest.h>

#include <functional>

#include "kernel/fiber/fiber.h"
#include "kernel/fiber/sim_runtime.h"
#include "tests/modules/session/session_world.h"

using namespace coppice;
using namespace coppice::testing;

namespace {

void in_world(const std::function<void(SessionWorld&, Session&)>& body) {
  fiber::SimRuntime runtime(1);
  const Status ended = runtime.run([&] {
    SessionWorld world;
    world.start();
    const std::unique_ptr<Session> session = world.open();
    body(world, *session);
  });
  REQUIRE_MESSAGE(ended.has_value(), (ended ? "" : ended.error().to_string()));
}

constexpr std::string_view kAborted =
    "ERROR 25P02 current transaction is aborted, commands ignored until end of transaction block E";

}  // namespace

TEST_CASE("one statement, several, none") {
  in_world([](SessionWorld& w, Session& s) {
    CHECK(w.run(s, "ROWS 3") == "columns n; rows 1 2 3; SELECT 3 I");
    CHECK(w.run(s, "ADD 5") == "INSERT 0 5 I");
    CHECK(w.run(s, "") == "empty I");
    CHECK(w.run(s, " ; ") == "empty I");
    CHECK(w.run(s, "ADD 1; ADD 2;") == "INSERT 0 1; INSERT 0 2 I");
    CHECK(w.run(s, "ADD 1; FAIL; ADD 2") ==
          "INSERT 0 1; columns n; ERROR 22012 division by zero I");
    CHECK(w.run(s, "BAD") == "ERROR 42601 syntax error at or near \"BAD\" I");
  });
}

TEST_CASE("blocks: begin, fail, end") {
  in_world([](SessionWorld& w, Session& s) {
    CHECK(w.run(s, "BEGIN") == "BEGIN T");
    CHECK(w.run(s, "BEGIN") == "WARNING 25001 there is already a transaction in progress; BEGIN T");
    CHECK(w.run(s, "ADD 1") == "INSERT 0 1 T");
    CHECK(w.run(s, "FAIL") == "columns n; ERROR 22012 division by zero E");
    CHECK(w.run(s, "ADD 1") == kAborted);
    CHECK(w.run(s, "BAD") == "ERROR 42601 syntax error at or near \"BAD\" E");
    CHECK(w.run(s, "COMMIT") == "ROLLBACK I");
    CHECK(w.run(s, "COMMIT") == "WARNING 25P01 there is no transaction in progress; COMMIT I");
    CHECK(w.run(s, "ROLLBACK") == "WARNING 25P01 there is no transaction in progress; ROLLBACK I");
    CHECK(w.run(s, "BEGIN; ADD 1; COMMIT; ADD 2") == "BEGIN; INSERT 0 1; COMMIT; INSERT 0 2 I");
    CHECK(w.run(s, "ADD 1; BEGIN; ADD 2") == "INSERT 0 1; BEGIN; INSERT 0 2 T");
    CHECK(w.run(s, "COMMIT CHAIN") == "COMMIT T");
    CHECK(w.run(s, "ROLLBACK") == "ROLLBACK I");
    CHECK(w.run(s, "COMMIT CHAIN") ==
          "ERROR 25P01 COMMIT AND CHAIN can only be used in transaction blocks I");
    CHECK(w.run(s, "BEGIN SER") == "ERROR 0A000 SERIALIZABLE isolation is not supported I");
  });
}

TEST_CASE("savepoints bring a failed block back") {
  in_world([](SessionWorld& w, Session& s) {
    CHECK(w.run(s, "SAVEPOINT a") ==
          "ERROR 25P01 SAVEPOINT can only be used in transaction blocks I");
    CHECK(w.run(s, "BEGIN; SAVEPOINT a; TABLE t; FAIL") ==
          "BEGIN; SAVEPOINT; CREATE TABLE; columns n; ERROR 22012 division by zero E");
    CHECK(w.run(s, "RELEASE a") == kAborted);
    CHECK(w.run(s, "BACKTO nope") == "ERROR 3B001 savepoint \"nope\" does not exist E");
    CHECK(w.run(s, "BACKTO a") == "ROLLBACK T");
    CHECK(w.run(s, "READ t") == "ERROR 42P01 relation \"t\" does not exist E");
    CHECK(w.run(s, "BACKTO a; TABLE t; RELEASE a; COMMIT") ==
          "ROLLBACK; CREATE TABLE; RELEASE; COMMIT I");
    CHECK(w.run(s, "READ t") == "columns n; rows 1; SELECT 1 I");
  });
}

TEST_CASE("a message's statements are one transaction, and what failed is undone") {
  in_world([](SessionWorld& w, Session& s) {
    CHECK(w.run(s, "TABLE t; FAIL") == "CREATE TABLE; columns n; ERROR 22012 division by zero I");
    CHECK(w.run(s, "READ t") == "ERROR 42P01 relation \"t\" does not exist I");
    CHECK(w.run(s, "TABLE t; READ t") == "CREATE TABLE; columns n; rows 1; SELECT 1 I");
    CHECK(w.run(s, "TABLE u; ROLLBACK") ==
          "CREATE TABLE; WARNING 25P01 there is no transaction in progress; ROLLBACK I");
    CHECK(w.run(s, "READ u") == "ERROR 42P01 relation \"u\" does not exist I");
  });
}

TEST_CASE("read-only transactions refuse changes") {
  in_world([](SessionWorld& w, Session& s) {
    CHECK(w.run(s, "BEGIN RO") == "BEGIN T");
    CHECK(w.run(s, "SHOW transaction_read_only") ==
          "columns transaction_read_only; rows on; SHOW T");
    CHECK(w.run(s, "ADD 1") == "ERROR 25006 cannot execute INSERT in a read-only transaction E");
    CHECK(w.run(s, "ROLLBACK; TABLE t") == "ROLLBACK; CREATE TABLE I");
    CHECK(w.run(s, "SET default_transaction_read_only on") ==
          "SET; default_transaction_read_only=on I");
    CHECK(w.run(s, "TABLE u") ==
          "ERROR 25006 cannot execute CREATE TABLE in a read-only transaction I");
  });
}

TEST_CASE("the isolation level is chosen before the first query") {
  in_world([](SessionWorld& w, Session& s) {
    CHECK(
        w.run(s, "BEGIN; SET transaction_isolation repeatable read; SHOW transaction_isolation") ==
        "BEGIN; SET; columns transaction_isolation; rows repeatable read; SHOW T");
    CHECK(w.run(s, "ROWS 1; SET transaction_isolation read committed") ==
          "columns n; rows 1; SELECT 1; ERROR 25001 SET TRANSACTION ISOLATION LEVEL must be called "
          "before any query E");
    CHECK(w.run(s, "ROLLBACK") == "ROLLBACK I");
    CHECK(w.run(s, "SET transaction_isolation repeatable read") ==
          "WARNING 25P01 SET TRANSACTION can only be used in transaction blocks; SET I");
  });
}

TEST_CASE("settings follow their transaction") {
  in_world([](SessionWorld& w, Session& s) {
    CHECK(w.run(s, "SET application_name x") == "SET; application_name=x I");
    CHECK(w.run(s, "BEGIN; SET application_name y") == "BEGIN; SET; application_name=y T");
    CHECK(w.run(s, "ROLLBACK") == "ROLLBACK; application_name=x I");
    CHECK(
        w.run(s, "BEGIN; SET LOCAL work_mem 8MB; SHOW work_mem; COMMIT; SHOW work_mem") ==
        "BEGIN; SET; columns work_mem; rows 8MB; SHOW; COMMIT; columns work_mem; rows 4MB; SHOW I");
    CHECK(w.run(s, "SET LOCAL work_mem 8MB") ==
          "WARNING 25P01 SET LOCAL can only be used in transaction blocks; SET I");
    CHECK(w.run(s, "SHOW timezone") == "columns TimeZone; rows UTC; SHOW I");
    CHECK(w.run(s, "SET nope 1") == "ERROR 42704 unrecognized configuration parameter \"nope\" I");
    CHECK(w.run(s, "SET client_min_messages error; COMMIT") == "SET; COMMIT I");
    CHECK(w.run(s, "RESET client_min_messages") == "RESET I");
    w.sink.show_rows = false;
    CHECK(w.run(s, "SHOW all") == "columns name setting description; SHOW I");
  });
}

TEST_CASE("PREPARE, EXECUTE, DEALLOCATE, DISCARD") {
  in_world([](SessionWorld& w, Session& s) {
    CHECK(w.run(s, "PREPARE p ROWS 2") == "PREPARE I");
    CHECK(w.run(s, "PREPARE p ROWS 2") == "ERROR 42P05 prepared statement \"p\" already exists I");
    CHECK(w.run(s, "EXEC p") == "columns n; rows 1 2; SELECT 2 I");
    CHECK(w.run(s, "DEALLOCATE p") == "DEALLOCATE I");
    CHECK(w.run(s, "EXEC p") == "ERROR 26000 prepared statement \"p\" does not exist I");
    CHECK(w.run(s, "PREPARE p ROWS 2; DEALLOCATE ALL") == "PREPARE; DEALLOCATE ALL I");
    CHECK(w.run(s, "BEGIN; DISCARD ALL") ==
          "BEGIN; ERROR 25001 DISCARD ALL cannot run inside a transaction block E");
    CHECK(w.run(s, "ROLLBACK") == "ROLLBACK I");
    CHECK(w.run(s, "DISCARD ALL") == "DISCARD ALL I");
  });
}

TEST_CASE("DDL: notices, errors, what cannot be in a block") {
  in_world([](SessionWorld& w, Session& s) {
    CHECK(w.run(s, "TABLE t") == "CREATE TABLE I");
    CHECK(w.run(s, "TABLE t") == "ERROR 42P07 relation \"t\" already exists I");
    CHECK(w.run(s, "TABLE? t") ==
          "NOTICE 42P07 relation \"t\" already exists, skipping; CREATE TABLE I");
    CHECK(w.run(s, "TABLE nowhere.t") == "ERROR 3F000 schema \"nowhere\" does not exist I");
    CHECK(w.run(s, "DROP? u") == "NOTICE 00000 table \"u\" does not exist, skipping; DROP TABLE I");
    CHECK(w.run(s, "DROP u") == "ERROR 42P01 table \"u\" does not exist I");
    CHECK(w.run(s, "DROPINDEX t") == "ERROR 42809 \"t\" is not an index I");
    CHECK(w.run(s, "INDEX t t_a") == "CREATE INDEX I");
    CHECK(w.executor->built == std::vector<std::string>{"t_a"});
    CHECK(w.run(s, "BEGIN; TABLE v; INDEX v v_a; COMMIT") ==
          "BEGIN; CREATE TABLE; CREATE INDEX; COMMIT I");
    CHECK(w.run(s, "DROPINDEX v_a") == "DROP INDEX I");
    CHECK(w.run(s, "DATABASE d") == "CREATE DATABASE I");
    CHECK(w.run(s, "DATABASE d") == "ERROR 42P04 database \"d\" already exists I");
    CHECK(w.run(s, "BEGIN; DATABASE e") ==
          "BEGIN; ERROR 25001 CREATE DATABASE cannot run inside a transaction block E");
    CHECK(w.run(s, "ROLLBACK") == "ROLLBACK I");
    CHECK(w.run(s, "ADD 1; VACUUM") ==
          "INSERT 0 1; ERROR 25001 VACUUM cannot run inside a transaction block I");
    CHECK(w.run(s, "LOCK t") == "ERROR 25P01 LOCK TABLE can only be used in transaction blocks I");
    CHECK(w.run(s, "BEGIN; LOCK t; COMMIT") == "BEGIN; LOCK TABLE; COMMIT I");
    CHECK(w.run(s, "DROP t") == "DROP TABLE I");
  });
}

TEST_CASE("what failed after a savepoint leaves what came before it") {
  in_world([](SessionWorld& w, Session& s) {
    CHECK(w.run(s, "BEGIN; TABLE t; SAVEPOINT a") == "BEGIN; CREATE TABLE; SAVEPOINT T");
    CHECK(w.run(s, "SET nope 1") == "ERROR 42704 unrecognized configuration parameter \"nope\" E");
    CHECK(w.run(s, "BACKTO a; READ t") == "ROLLBACK; columns n; rows 1; SELECT 1 T");
    s.fail_transaction();
    CHECK(w.run(s, "BACKTO a; READ t; COMMIT") ==
          "ROLLBACK; columns n; rows 1; SELECT 1; COMMIT I");
  });
}

TEST_CASE("EXPLAIN and EXPLAIN (ANALYZE, METER)") {
  in_world([](SessionWorld& w, Session& s) {
    CHECK(w.run(s, "EXPLAIN") == "columns QUERY PLAN; rows Rows 7; EXPLAIN I");
    const std::string analyzed = w.run(s, "ANALYZE");
    CHECK(analyzed.starts_with("columns QUERY PLAN; rows Rows 7 actual 7 Meter:"));
    CHECK(analyzed.find("rows_returned: 7") != std::string::npos);
    CHECK(analyzed.find("Execution Time: ") != std::string::npos);
  });
}

TEST_CASE("what statements use is seen, and rolls up to the database") {
  in_world([](SessionWorld& w, Session& s) {
    const std::unique_ptr<Session> other = w.open();
    CHECK(w.run(s, "ROWS 3") == "columns n; rows 1 2 3; SELECT 3 I");
    const DatabaseInfo database = w.catalog->database("coppice").value();
    const TenantId tenant{database.ns.value};
    const std::string rows = w.usage.rows(tenant, fiber::clock().wall_now());
    CHECK(rows.find("1\tcoppice\tsim:1\tidle\tROWS 3\t") == 0);
    CHECK(rows.find("\n2\tcoppice\tsim:1\tidle\t\t0\t0\t0\t") != std::string::npos);
    CHECK(w.usage.rows(TenantId{1}, {}).empty());
    CHECK(w.metering.tenant(tenant).used(Resource::kRowsReturned) == 3);
    CHECK(w.metering.tenant(tenant).used(Resource::kCpuTicks) > 0);
    CHECK(session::tenant_rows(w.metering, tenant, "d").starts_with("d\t"));
  });
}

TEST_CASE("cancelling and statement_timeout") {
  in_world([](SessionWorld& w, Session& s) {
    fiber::Task canceller = fiber::spawn({.name = "canceller"}, [&] {
      CHECK(fiber::sleep_for(1s).has_value());
      s.cancel();
    });
    CHECK(w.run(s, "SLEEP") == "columns n; ERROR 57014 canceling statement due to user request I");
    canceller.join();
    fiber::Task other = fiber::spawn({.name = "other"}, [&] {
      CHECK(fiber::sleep_for(1s).has_value());
      const DatabaseInfo database = w.catalog->database("coppice").value();
      CHECK_FALSE(w.usage.cancel(TenantId{1}, 1));
      CHECK(w.usage.cancel(TenantId{database.ns.value}, 1));
    });
    CHECK(w.run(s, "SLEEP") == "columns n; ERROR 57014 canceling statement due to user request I");
    other.join();
    CHECK(w.run(s, "PARAM") == "ERROR 42P02 there is no parameter $1 I");
    s.cancel();  // nothing runs: nothing happens
    CHECK(w.run(s, "SET statement_timeout 100ms") == "SET I");
    CHECK(w.run(s, "ROWS 1; SLEEP") ==
          "columns n; rows 1; SELECT 1; columns n; ERROR 57014 canceling statement due to "
          "statement timeout I");
  });
}

TEST_CASE("who waited for a lock looks again at what it names") {
  in_world([](SessionWorld& w, Session& s) {
    const std::unique_ptr<Session> other = w.open();
    CHECK(w.run(s, "TABLE t") == "CREATE TABLE I");
    CHECK(w.run(s, "BEGIN; DROP t; TABLE2 t") == "BEGIN; DROP TABLE; CREATE TABLE T");
    std::string seen;
    RecordingSink sink;
    fiber::Task reader = fiber::spawn({.name = "reader"}, [&] {
      CHECK(other->run("READ t", sink).has_value());
      seen = sink.take();
    });
    for (int i = 0; i < 20; ++i) fiber::yield();
    CHECK(seen.empty());
    CHECK(w.run(s, "COMMIT") == "COMMIT I");
    reader.join();
    CHECK(seen == "columns wide; rows 1; SELECT 1");
  });
}
