// extended_protocol_test.cpp — Parse, Bind, Execute, Sync; portals and row limits.
#include <doctest/doctest.h>

#include <functional>

#include "interfaces/types/sql_error.h"
#include "kernel/fiber/fiber.h"
#include "kernel/fiber/sim_runtime.h"
#include "tests/modules/session/session_world.h"

using namespace coppice;
using namespace coppice::testing;

namespace {

// One conversation; each step says "ok" or the error.
struct Client {
  SessionWorld& world;
  Session& session;

  template <class T>
  std::string said(const Result<T>& result) const {
    return result ? "ok" : error_text(result.error());
  }
  std::string parse(std::string_view name, std::string_view text) {
    return said(session.parse(name, text, {}));
  }
  std::string bind(std::string_view portal, std::string_view statement,
                   std::vector<BoundParameter> parameters = {}) {
    return said(session.bind(portal, statement, parameters));
  }
  std::string execute(std::string_view portal, std::uint64_t limit = 0) {
    const auto outcome = session.execute(portal, limit, world.sink);
    std::string lines = world.sink.take();
    if (!outcome) lines += (lines.empty() ? "" : "; ") + error_text(outcome.error());
    if (outcome && *outcome == ExecuteOutcome::kSuspended) lines += "; suspended";
    return lines;
  }
  std::string sync() {
    const Status done = session.sync(world.sink);
    std::string lines = world.sink.take();
    if (!done) lines += error_text(done.error());
    return lines + static_cast<char>(session.transaction_status());
  }
  // Parse, Bind, Execute of one text; no Sync.
  std::string all(std::string_view text) {
    for (std::string step : {parse("", text), bind("", "")}) {
      if (step != "ok") return step;
    }
    return execute("");
  }
};

void in_client(const std::function<void(Client&)>& body) {
  fiber::SimRuntime runtime(1);
  const Status ended = runtime.run([&] {
    SessionWorld world;
    world.start();
    const std::unique_ptr<Session> session = world.open();
    Client client{world, *session};
    body(client);
  });
  REQUIRE_MESSAGE(ended.has_value(), (ended ? "" : ended.error().to_string()));
}

BoundParameter text_parameter(std::string_view text) {
  return {.format = Format::kText, .value = as_bytes(text)};
}

}  // namespace

TEST_CASE("names of statements and portals") {
  in_client([](Client& c) {
    CHECK(c.parse("s", "ROWS 1") == "ok");
    CHECK(c.parse("s", "ROWS 1") == "ERROR 42P05 prepared statement \"s\" already exists");
    CHECK(c.sync() == "I");
    CHECK(c.parse("", "ROWS 1") == "ok");
    CHECK(c.parse("", "ROWS 2") == "ok");
    CHECK(c.bind("", "nope") == "ERROR 26000 prepared statement \"nope\" does not exist");
    CHECK(c.bind("p", "s") == "ok");
    CHECK(c.bind("p", "s") == "ERROR 42P03 cursor \"p\" already exists");
    CHECK(c.execute("nope") == "ERROR 34000 portal \"nope\" does not exist");
    CHECK(c.parse("m", "ROWS 1; ROWS 2") ==
          "ERROR 42601 cannot insert multiple commands into a prepared statement");
    CHECK(c.sync() == "I");
    CHECK(c.execute("p") ==
          "ERROR 34000 portal \"p\" does not exist");  // went with its transaction
    CHECK(c.parse("e", "") == "ok");
    CHECK(c.bind("", "e") == "ok");
    CHECK(c.execute("") == "empty");
  });
}

TEST_CASE("parameters in text and binary") {
  in_client([](Client& c) {
    CHECK(c.parse("s", "PARAM") == "ok");
    const auto described = c.session.describe_statement("s");
    REQUIRE(described);
    CHECK(described->parameter_oids == std::vector<std::uint32_t>{type_oid::kInt4});
    CHECK(described->has_rows);
    CHECK(described->columns.at(0).name == "n");
    CHECK(c.bind("", "s", {text_parameter("41")}) == "ok");
    CHECK(c.execute("") == "rows 41; SELECT 1");
    const std::byte binary[] = {std::byte{0}, std::byte{0}, std::byte{1}, std::byte{2}};
    CHECK(c.bind("", "s", {{.format = Format::kBinary, .value = ByteView(binary)}}) == "ok");
    CHECK(c.execute("") == "rows 258; SELECT 1");
    CHECK(
        c.bind("", "s") ==
        "ERROR 08P01 bind message supplies 0 parameters, but prepared statement \"s\" requires 1");
    CHECK(c.bind("", "s", {text_parameter("x")}) ==
          "ERROR 22P02 invalid input syntax for type integer: \"x\"");
    CHECK(c.sync() == "I");
  });
}

TEST_CASE("row limits suspend, and what follows does not disturb the rest") {
  in_client([](Client& c) {
    CHECK(c.all("BEGIN") == "BEGIN");
    CHECK(c.parse("s", "ROWS 5") == "ok");
    CHECK(c.bind("p", "s") == "ok");
    CHECK(c.execute("p", 2) == "rows 1 2; suspended");
    CHECK(c.sync() == "T");
    CHECK(c.execute("p", 1) == "rows 3; suspended");
    CHECK(c.all("ADD 1") == "INSERT 0 1");
    CHECK(c.sync() == "T");
    CHECK(c.execute("p", 1) == "rows 4; suspended");
    CHECK(c.execute("p", 1) == "rows 5; suspended");
    CHECK(c.execute("p", 1) == "SELECT 0");
    CHECK(c.execute("p") == "SELECT 0");
    CHECK(c.all("COMMIT") == "COMMIT");
    CHECK(c.sync() == "I");
    c.world.sink.show_rows = false;
    CHECK(c.parse("t", "ROWS 1000") == "ok");
    CHECK(c.bind("q", "t") == "ok");
    CHECK(c.execute("q", 300) == "; suspended");
    CHECK(c.all("ADD 1") == "INSERT 0 1");
    CHECK(c.execute("q", 300) == "; suspended");
    CHECK(c.execute("q") == "SELECT 400");
    CHECK(c.sync() == "I");
  });
}

TEST_CASE("everything up to Sync is one transaction") {
  in_client([](Client& c) {
    CHECK(c.all("TABLE t") == "CREATE TABLE");
    CHECK(c.all("FAIL") == "ERROR 22012 division by zero");
    c.session.fail_transaction();
    CHECK(c.sync() == "I");
    CHECK(c.all("READ t") == "ERROR 42P01 relation \"t\" does not exist");
    CHECK(c.sync() == "I");
    CHECK(c.all("TABLE t") == "CREATE TABLE");
    CHECK(c.sync() == "I");
    CHECK(c.all("BEGIN") == "BEGIN");
    CHECK(c.sync() == "T");
    CHECK(c.all("FAIL") == "ERROR 22012 division by zero");
    CHECK(c.sync() == "E");
    CHECK(c.all("ROWS 1").starts_with("ERROR 25P02"));
    CHECK(c.sync() == "E");
    CHECK(c.all("ROLLBACK") == "ROLLBACK");
    CHECK(c.sync() == "I");
    CHECK(c.all("SET application_name z") == "SET");
    CHECK(c.sync() == "application_name=zI");
  });
}

TEST_CASE("a statement is planned again when names may mean something else") {
  in_client([](Client& c) {
    CHECK(c.all("TABLE t") == "CREATE TABLE");
    CHECK(c.sync() == "I");
    CHECK(c.parse("s", "READ t") == "ok");
    CHECK(c.sync() == "I");
    const int before = c.world.planner->planned;
    CHECK(c.bind("", "s") == "ok");
    CHECK(c.execute("") == "rows 1; SELECT 1");
    CHECK(c.sync() == "I");
    CHECK(c.world.planner->planned == before);
    CHECK(c.all("TABLE other") == "CREATE TABLE");
    CHECK(c.sync() == "I");
    const int after = c.world.planner->planned;
    CHECK(c.bind("", "s") == "ok");
    CHECK(c.execute("") == "rows 1; SELECT 1");
    CHECK(c.world.planner->planned == after + 1);
    CHECK(c.sync() == "I");
    CHECK(c.all("DROP t") == "DROP TABLE");
    CHECK(c.sync() == "I");
    CHECK(c.all("TABLE2 t") == "CREATE TABLE");
    CHECK(c.sync() == "I");
    CHECK(c.bind("", "s") == "ok");
    CHECK(c.execute("") == "ERROR 0A000 cached plan must not change result type");
    CHECK(c.sync() == "I");
  });
}
