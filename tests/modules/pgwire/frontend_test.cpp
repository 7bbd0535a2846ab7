// frontend_test.cpp — messages as clients send them, and as nobody should.
#include "modules/pgwire/frontend.h"

#include <doctest/doctest.h>

#include <string>

#include "interfaces/types/sql_error.h"
#include "tests/modules/pgwire/wire_bytes.h"

using namespace coppice;
using namespace coppice::pgwire;
using namespace coppice::testing;
using namespace std::string_literals;

TEST_CASE("startup packets: parameters, cancel, TLS, versions") {
  const std::string startup = be32(0x30000) + "user\0ann\0database\0shop\0DateStyle\0ISO\0\0"s;
  const auto decoded = decode_startup(as_bytes(startup));
  REQUIRE(decoded);
  CHECK(decoded->kind == StartupKind::kStartup);
  CHECK(decoded->parameters.size() == 3);
  const auto request = session_request(*decoded);
  REQUIRE(request);
  CHECK(request->user == "ann");
  CHECK(request->database == "shop");
  REQUIRE(request->settings.size() == 1);
  CHECK(request->settings[0].second == "ISO");

  CHECK(decode_startup(as_bytes(be32(80877103)))->kind == StartupKind::kSsl);
  CHECK(decode_startup(as_bytes(be32(80877104)))->kind == StartupKind::kGssEncryption);
  const std::string cancel = be32(80877102) + be32(7) + be32(9);
  CHECK(decode_startup(as_bytes(cancel))->process == 7);
  CHECK(decode_startup(as_bytes(cancel))->secret == 9);
  CHECK(decode_startup(as_bytes(be32(0x30002) + "\0"s))->minor == 2);
  CHECK(sqlstate_of(decode_startup(as_bytes(be32(0x20000) + "\0"s)).error()) == "0A000");
  for (const std::string& bad :
       {be32(0x30000), be32(0x30000) + "user\0ann"s, be32(0x30000) + "user\0ann\0\0x"s,
        be32(80877102) + be32(7), "ab"s, ""s}) {
    CHECK_FALSE(decode_startup(as_bytes(bad)));
  }
}

TEST_CASE("the options parameter is taken apart as a command line") {
  Startup startup;
  startup.parameters = {{"user", "ann"}, {"options", "-c geqo=off  --search-path=a\\ b -cjit=on"}};
  const auto request = session_request(startup);
  REQUIRE(request);
  CHECK(request->database == "ann");
  REQUIRE(request->settings.size() == 3);
  CHECK(request->settings[0] == std::pair<std::string, std::string>("geqo", "off"));
  CHECK(request->settings[1] == std::pair<std::string, std::string>("search_path", "a b"));
  CHECK(request->settings[2] == std::pair<std::string, std::string>("jit", "on"));
  for (const char* bad : {"-c geqo", "rubbish", "-c"}) {
    startup.parameters[1].second = bad;
    CHECK_FALSE(session_request(startup));
  }
  startup.parameters = {{"database", "shop"}};
  CHECK(sqlstate_of(session_request(startup).error()) == "28000");
}

TEST_CASE("Bind: formats none, one, all; nulls; and counts that lie") {
  const std::string bind = "p\0s\0"s + be16(2) + be16(0) + be16(1) + be16(2) + be32(0xffffffff) +
                           be32(3) + "abc" + be16(1) + be16(1);
  const auto decoded = decode_bind(as_bytes(bind));
  REQUIRE(decoded);
  CHECK(decoded->portal == "p");
  CHECK(decoded->statement == "s");
  REQUIRE(decoded->parameters.size() == 2);
  CHECK_FALSE(decoded->parameters[0].value.has_value());
  CHECK(as_text(*decoded->parameters[1].value) == "abc");
  CHECK(decoded->parameters[1].format == Format::kBinary);
  CHECK(decoded->result_formats == std::vector<Format>{Format::kBinary});
  for (std::size_t cut = 0; cut < bind.size(); ++cut) {
    CHECK_FALSE(decode_bind(as_bytes(std::string_view(bind).substr(0, cut))));
  }
  for (const std::string& bad : {bind + "x", "\0\0"s + be16(0) + be16(0xffff),
                                 "\0\0"s + be16(1) + be16(7) + be16(0) + be16(0),
                                 "\0\0"s + be16(2) + be16(0) + be16(0) + be16(0) + be16(0)}) {
    CHECK_FALSE(decode_bind(as_bytes(bad)));
  }
}

TEST_CASE("Parse, Describe, Execute, Query") {
  const std::string parse_body = "s\0select $1\0"s + be16(1) + be32(23);
  const auto parse = decode_parse(as_bytes(parse_body));
  REQUIRE(parse);
  CHECK(parse->text == "select $1");
  CHECK(parse->parameter_oids == std::vector<std::uint32_t>{23});
  CHECK_FALSE(decode_parse(as_bytes("s\0select $1\0"s + be16(2) + be32(23))));
  CHECK(decode_name(as_bytes("Pc\0"s), "Describe")->target == Target::kPortal);
  CHECK_FALSE(decode_name(as_bytes("Xc\0"s), "Describe"));
  CHECK(decode_execute(as_bytes("c\0"s + be32(5)))->row_limit == 5);
  CHECK(decode_execute(as_bytes("c\0"s + be32(0xffffffff)))->row_limit == 0);
  const std::string query_body = zero_ended("select 1");
  CHECK(decode_text(as_bytes(query_body), "Query").value() == "select 1");
  CHECK_FALSE(decode_text(as_bytes("select 1"s), "Query"));
  CHECK_FALSE(decode_text(as_bytes("a\0b\0"s), "Query"));
}
