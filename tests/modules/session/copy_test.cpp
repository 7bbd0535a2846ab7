// copy_test.cpp — COPY through a session: columns, defaults, headers, contexts of errors.
#include <doctest/doctest.h>

#include <functional>

#include "interfaces/types/sql_error.h"
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
    CHECK(world.run(*session, "TABLE2 t") == "CREATE TABLE I");
    body(world, *session);
  });
  REQUIRE_MESSAGE(ended.has_value(), (ended ? "" : ended.error().to_string()));
}

std::string context_of(SessionWorld& w, Session& s, std::string_view text) {
  const Status done = s.run(text, w.sink);
  w.sink.take();
  REQUIRE_FALSE(done);
  const std::string* where = done.error().find_note(sql_field::kWhere);
  return error_text(done.error()) + " @ " + (where == nullptr ? "" : *where);
}

}  // namespace

TEST_CASE("rows come in, defaults are filled in") {
  in_world([](SessionWorld& w, Session& s) {
    w.sink.input = {"1\tx\n2\t", "\\N\n3\ta\\tb\n\\.\nrest that is not", " read"};
    CHECK(w.run(s, "COPY IN t") == "copy in 2; COPY 3 I");
    CHECK(w.executor->inserted == std::vector<std::string>{"1|x", "2|NULL", "3|a\tb"});
    w.executor->inserted.clear();
    w.sink.input = {"7\n\\N\n"};
    CHECK(w.run(s, "COPY IN t a") == "copy in 1; COPY 2 I");
    CHECK(w.executor->inserted == std::vector<std::string>{"7|DEFAULTED", "NULL|DEFAULTED"});
    w.executor->inserted.clear();
    w.sink.input = {"y\t8\n"};
    CHECK(w.run(s, "COPY IN t b a") == "copy in 2; COPY 1 I");
    CHECK(w.executor->inserted == std::vector<std::string>{"8|y"});
    w.sink.input = {};
    CHECK(w.run(s, "COPY IN t") == "copy in 2; COPY 0 I");
  });
}

TEST_CASE("more rows than a batch") {
  in_world([](SessionWorld& w, Session& s) {
    std::string data;
    for (int i = 0; i < 2500; ++i) data += std::to_string(i) + "\tv\n";
    w.sink.input = {data};
    CHECK(w.run(s, "COPY IN t") == "copy in 2; COPY 2500 I");
    REQUIRE(w.executor->inserted.size() == 2500);
    CHECK(w.executor->inserted.back() == "2499|v");
  });
}

TEST_CASE("what is wrong, and where") {
  in_world([](SessionWorld& w, Session& s) {
    w.sink.input = {"1\tx\n2\n"};
    CHECK(context_of(w, s, "COPY IN t") ==
          "ERROR 22P04 missing data for column \"b\" @ COPY t, line 2: \"2\"");
    w.sink.input = {"1\tx\ty\n"};
    CHECK(context_of(w, s, "COPY IN t") ==
          "ERROR 22P04 extra data after last expected column @ COPY t, line 1: \"1\tx\ty\"");
    w.sink.input = {"1\tx\nq\tx\n"};
    CHECK(context_of(w, s, "COPY IN t") ==
          "ERROR 22P02 invalid input syntax for type integer: \"q\" @ COPY t, line 2, column a: "
          "\"q\"");
    CHECK(context_of(w, s, "COPY IN t nope") ==
          "ERROR 42703 column \"nope\" of relation \"t\" does not exist @ ");
    CHECK(context_of(w, s, "COPY IN t a a") ==
          "ERROR 42701 column \"a\" specified more than once @ ");
    CHECK(context_of(w, s, "COPY IN nope") == "ERROR 42P01 relation \"nope\" does not exist @ ");
    CHECK(context_of(w, s, "BEGIN RO; COPY IN t") ==
          "ERROR 25006 cannot execute COPY FROM in a read-only transaction @ ");
  });
}

TEST_CASE("rows go out, one message each") {
  in_world([](SessionWorld& w, Session& s) {
    CHECK(w.run(s, "COPYQ 2") == "copy out 1; n\n; 1\n; 2\n; copy end; COPY 2 I");
    CHECK(w.run(s, "COPY OUT t") == "copy out 1; 1\n; 2\n; copy end; COPY 2 I");
    CHECK(w.run(s, "COPY OUT nope") == "ERROR 42P01 relation \"nope\" does not exist I");
  });
}
