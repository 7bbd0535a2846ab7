// session_factory_test.cpp — who gets a session, and what it reports.
#include "modules/session/session_factory.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "kernel/fiber/sim_runtime.h"
#include "tests/modules/session/session_world.h"

using namespace coppice;
using namespace coppice::testing;

TEST_CASE("users, databases, settings of the start") {
  fiber::SimRuntime runtime(1);
  const Status ended = runtime.run([&] {
    SessionWorld world;
    world.start();
    const auto refused = [&](SessionRequest request) {
      const auto opened = world.factory->open(request);
      return opened ? std::string("ok") : error_text(opened.error());
    };
    CHECK(refused({.user = "nobody",
                   .database = "coppice",
                   .settings = {},
                   .client_address = {},
                   .process = 0})
              .starts_with("ERROR 28000"));
    CHECK(refused({.user = "coppice",
                   .database = "none",
                   .settings = {},
                   .client_address = {},
                   .process = 0}) == "ERROR 3D000 database \"none\" does not exist");
    CHECK(refused({.user = "coppice",
                   .database = "",
                   .settings = {{"nonsense", "1"}},
                   .client_address = {},
                   .process = 0}) ==
          "ERROR 42704 unrecognized configuration parameter \"nonsense\"");
    const auto session = world.open({{"application_name", "psql"}, {"datestyle", "ISO"}});
    const auto reported = session->reported_parameters();
    CHECK(reported.size() == 13);
    const auto value = [&](std::string_view name) {
      const auto found = std::ranges::find(reported, name, [](const auto& p) { return p.first; });
      return found == reported.end() ? std::string("?") : found->second;
    };
    CHECK(value("application_name") == "psql");
    CHECK(value("server_version").starts_with("15."));
    CHECK(value("DateStyle") == "ISO, MDY");
    CHECK(value("session_authorization") == "coppice");
    CHECK(value("in_hot_standby") == "off");
    CHECK(value("integer_datetimes") == "on");
    CHECK(value("is_superuser") == "on");
    CHECK(value("client_encoding") == "UTF8");
    CHECK(value("standard_conforming_strings") == "on");
  });
  REQUIRE(ended);
}
