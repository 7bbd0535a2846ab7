// setting_test.cpp — values, units, scopes, and their end.
#include <doctest/doctest.h>

#include <string>

#include "interfaces/types/sql_error.h"
#include "modules/session/session_settings.h"

using namespace coppice;
using namespace coppice::session;

namespace {

struct Fixture {
  SettingTable table;
  SessionSettings settings{table, [](std::string_view zone) { return zone == "Europe/Berlin"; }};

  std::string set(std::string_view name, std::optional<std::string> value,
                  SettingScope scope = SettingScope::kSession) {
    const Status done = settings.set(name, value, scope);
    if (!done) return std::string(sqlstate_of(done.error())) + " " + done.error().message();
    return settings.show(name).value();
  }
};

}  // namespace

TEST_CASE("values are read and shown as PostgreSQL does") {
  Fixture f;
  CHECK(f.set("work_mem", "8192") == "8MB");
  CHECK(f.set("work_mem", "1.5GB") == "1536MB");
  CHECK(f.set("work_mem", "65kB") == "65kB");
  CHECK(f.set("work_mem", "1kB") ==
        "22023 1 kB is outside the valid range for parameter \"work_mem\" (64 .. 2147483647)");
  CHECK(f.set("work_mem", "8XB") == "22023 invalid value for parameter \"work_mem\": \"8XB\"");
  CHECK(f.set("statement_timeout", "30s") == "30s");
  CHECK(f.set("statement_timeout", "90000") == "90s");
  CHECK(f.set("statement_timeout", "0") == "0");
  CHECK(f.set("statement_timeout", " 2 min ") == "2min");
  CHECK(f.settings.hot().statement_timeout == std::chrono::minutes(2));
  CHECK(f.set("enable_sort", "fal") == "off");
  CHECK(f.set("enable_sort", "maybe") ==
        "22023 parameter \"enable_sort\" requires a Boolean value");
  CHECK(f.set("client_min_messages", "WARNING") == "warning");
  CHECK(f.set("client_min_messages", "loud") ==
        "22023 invalid value for parameter \"client_min_messages\": \"loud\"");
  CHECK(f.set("random_page_cost", "1.1") == "1.1");
  CHECK(f.set("nope", "1") == "42704 unrecognized configuration parameter \"nope\"");
  CHECK(f.set("server_version", "16") == "55P02 parameter \"server_version\" cannot be changed");
  CHECK(f.set("max_connections", "16") ==
        "55P02 parameter \"max_connections\" cannot be changed without restarting the server");
  CHECK(f.set("datestyle", "German") == "German, DMY");
  CHECK(f.set("datestyle", "iso") == "ISO, DMY");
  CHECK(f.set("datestyle", "ISO, MDY") == "ISO, MDY");
  CHECK(f.set("DateStyle", "martian") ==
        "22023 invalid value for parameter \"DateStyle\": \"martian\"");
  CHECK(f.set("client_encoding", "'utf-8'") == "UTF8");
  CHECK(f.set("client_encoding", "UNICODE") == "UNICODE");
  CHECK(f.set("client_encoding", "latin1").starts_with("0A000"));
  CHECK(f.set("timezone", "utc") == "UTC");
  CHECK(f.set("timezone", "Europe/Berlin") == "Europe/Berlin");
  CHECK(f.set("timezone", "Moon/Base") ==
        "22023 invalid value for parameter \"TimeZone\": \"Moon/Base\"");
  CHECK(f.set("timezone", "-7") == "<-07>+07");
  CHECK(f.set("timezone", "+00:00") == "<+00>-00");
  CHECK(f.set("timezone", "+05:30") == "<+05:30>-05:30");
  CHECK(f.settings.sql().time_zone == "<+05:30>-05:30");
  CHECK(f.set("search_path", "a,,b") ==
        "22023 invalid value for parameter \"search_path\": \"a,,b\"");
}

TEST_CASE("identifier lists") {
  std::vector<std::string> names;
  CHECK(split_identifiers("\"$user\", Public,\"A\"\"b\"", names));
  CHECK(names == std::vector<std::string>{"$user", "public", "A\"b"});
  names.clear();
  CHECK(split_identifiers("  ", names));
  CHECK(names.empty());
  CHECK_FALSE(split_identifiers("\"open", names));
  CHECK_FALSE(split_identifiers("a b", names));
}

TEST_CASE("changes end with the transaction that made them") {
  Fixture f;
  SessionSettings& s = f.settings;
  f.set("application_name", "start", SettingScope::kStartup);
  s.end_transaction(true);
  CHECK(s.take_changes().size() == 1);
  f.set("application_name", "one");
  s.end_transaction(false);
  CHECK(s.value("application_name") == "start");
  CHECK(s.take_changes().empty());
  f.set("application_name", "two");
  f.set("application_name", "three", SettingScope::kLocal);
  CHECK(s.value("application_name") == "three");
  s.end_transaction(true);
  CHECK(s.value("application_name") == "two");
  CHECK(s.take_changes() ==
        std::vector<std::pair<std::string, std::string>>{{"application_name", "two"}});
  const std::size_t mark = s.mark();
  f.set("my.own", "x");
  f.set("application_name", "four", SettingScope::kLocal);
  s.undo_to(mark);
  CHECK(s.value("application_name") == "two");
  CHECK(f.set("application_name", std::nullopt) == "start");
  f.set("work_mem", "1GB");
  REQUIRE(s.reset_all());
  CHECK(s.show("work_mem").value() == "4MB");
}
