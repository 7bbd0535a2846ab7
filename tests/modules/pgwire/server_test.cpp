// server_test.cpp — clients' conversations with the server, in the simulator.
#include "modules/pgwire/server.h"

#include <doctest/doctest.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "interfaces/sql_pack.h"
#include "interfaces/types/sql_error.h"
#include "kernel/fiber/sim_runtime.h"
#include "tests/modules/pgwire/wire_bytes.h"
#include "tests/support/capture_log.h"

using namespace coppice;
using namespace coppice::pgwire;
using namespace coppice::testing;
using namespace std::string_literals;

namespace {

std::string start(const std::string& parameters = "user\0ann\0\0"s) {
  return startup_packet(be32(0x30000) + parameters);
}

// Understands "wait" (until cancelled), "copy" and "fail"; everything else is its own tag.
class ScriptedSession final : public Session {
 public:
  Status run(std::string_view text, ResultSink& sink) override {
    if (text == "fail") return std::unexpected(sql_error("22012", "division by zero"));
    if (text == "wait") {
      COPPICE_TRY(cancelled_.wait());
      return std::unexpected(sql_error("57014", "canceling statement due to user request"));
    }
    if (text == "copy") {
      COPPICE_TRY(sink.copy_in_begin({.columns = 1}));
      std::size_t bytes = 0;
      for (;;) {
        const auto piece = COPPICE_TRY(sink.copy_in_next());
        if (!piece) break;
        bytes += piece->size();
      }
      CHECK(text == "copy");  // still readable after all that input
      return sink.command_complete("COPY " + std::to_string(bytes));
    }
    return text.empty() ? sink.empty_query() : sink.command_complete(text);
  }
  Status parse(std::string_view, std::string_view text, std::span<const std::uint32_t>) override {
    if (text == "fail") return std::unexpected(sql_error("42601", "syntax error"));
    text_ = text;
    return {};
  }
  Result<StatementDescription> describe_statement(std::string_view) override {
    return StatementDescription{};
  }
  Status bind(std::string_view, std::string_view, std::span<const BoundParameter>) override {
    return {};
  }
  Result<StatementDescription> describe_portal(std::string_view) override {
    return StatementDescription{};
  }
  Result<ExecuteOutcome> execute(std::string_view, std::uint64_t, ResultSink& sink) override {
    COPPICE_TRY(run(text_, sink));
    return ExecuteOutcome::kComplete;
  }
  void close_statement(std::string_view) override {}
  void close_portal(std::string_view) override {}
  Status sync(ResultSink&) override { return {}; }
  void fail_transaction() override {}
  TransactionStatus transaction_status() const override { return TransactionStatus::kIdle; }
  const SqlSettings& sql_settings() const override { return settings_; }
  std::vector<std::pair<std::string, std::string>> reported_parameters() const override {
    return {{"server_version", "15.15"}};
  }
  void cancel() override { cancelled_.set(); }

 private:
  std::string text_;
  SqlSettings settings_;
  fiber::Event cancelled_;
};

class ScriptedFactory final : public SessionFactory {
 public:
  Result<std::unique_ptr<Session>> open(const SessionRequest& request) override {
    if (request.database != "nowhere") return std::make_unique<ScriptedSession>();
    return std::unexpected(sql_error("3D000", "database \"nowhere\" does not exist"));
  }
};

class OpenDoor final : public Authenticator {
 public:
  bool demands_proof() const override { return false; }
  Status check(std::string_view, std::string_view, AuthExchange&) override { return {}; }
};

class Client {
 public:
  Client(fiber::Net& net, std::uint16_t port) : socket_(net.connect("127.0.0.1", port).value()) {}

  void send(const std::string& bytes) { REQUIRE(socket_->write_all(as_bytes(bytes))); }
  void log_in() {
    send(start());
    REQUIRE(answers() == "RSKZ");
  }
  // The types of the messages up to ReadyForQuery or CopyInResponse, or the end of the stream
  // ('.').
  std::string answers() {
    std::string types;
    for (;;) {
      const std::string header = read(5);
      if (header.size() < 5) return types + ".";
      types += header[0];
      const auto* length = reinterpret_cast<const std::byte*>(header.data() + 1);
      last_[header[0]] = read(load_be<std::uint32_t>(length) - 4);
      if (header[0] == 'Z' || header[0] == 'G') return types;
    }
  }
  std::string read(std::size_t count) {
    std::string bytes(count, '\0');
    std::size_t got = 0;
    while (got < count) {
      const MutableByteView all(reinterpret_cast<std::byte*>(bytes.data()), count);
      const auto part = socket_->read(all.subspan(got));
      if (!part || *part == 0) break;
      got += *part;
    }
    bytes.resize(got);
    return bytes;
  }
  const std::string& last(char type) { return last_[type]; }
  bool last_error_is(const std::string& state) {
    return last_['E'].find("C" + state) != std::string::npos;
  }

 private:
  std::unique_ptr<fiber::Socket> socket_;
  std::map<char, std::string> last_;
};

void with_server(std::uint32_t connections_max,
                 const std::function<void(Server&, fiber::Net&)>& use) {
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    CAPTURE(seed);
    fiber::SimRuntime runtime(seed);
    LogHub logs(runtime.clock(), std::make_unique<CaptureSink>(), LogLevel::kInfo);
    const Log log(logs, "pgwire");
    ScriptedFactory factory;
    OpenDoor door;
    const Status ended = runtime.run([&] {
      Server server({.listen = "127.0.0.1",
                     .port = 0,
                     .connections_max = connections_max,
                     .startup_timeout = 5s,
                     .message_bytes_max = 200'000},
                    factory, door, runtime.net(), runtime.clock(), Rng(seed), log);
      REQUIRE(server.start());
      use(server, runtime.net());
      server.stop();
      CHECK(server.connection_count() == 0);
    });
    REQUIRE_MESSAGE(ended.has_value(), (ended ? "" : ended.error().to_string()));
  }
}

}  // namespace

TEST_CASE("startup, TLS and GSS refused, a query, an error, an empty query, goodbye") {
  with_server(10, [](Server& server, fiber::Net& net) {
    Client client(net, server.port());
    client.send(startup_packet(be32(80877103)));
    CHECK(client.read(1) == "N");
    client.send(startup_packet(be32(80877104)));
    CHECK(client.read(1) == "N");
    client.log_in();
    client.send(query("hello"));
    CHECK(client.answers() == "CZ");
    CHECK(client.last('C') == zero_ended("hello"));
    client.send(query("fail"));
    CHECK(client.answers() == "EZ");
    CHECK(client.last_error_is("22012"));
    client.send(query(""));
    CHECK(client.answers() == "IZ");
    client.send(message('X', ""));
    CHECK(client.answers() == ".");
    Client lost(net, server.port());
    lost.send(start("user\0ann\0database\0nowhere\0\0"s));
    CHECK(lost.answers() == "E.");
    CHECK(lost.last_error_is("3D000"));
  });
}

TEST_CASE("a newer minor version and unknown protocol options are negotiated down") {
  with_server(10, [](Server& server, fiber::Net& net) {
    Client client(net, server.port());
    client.send(startup_packet(be32(0x30002) + "user\0ann\0_pq_.x\0on\0\0"s));
    CHECK(client.answers() == "vRSKZ");
    CHECK(client.last('v') == be32(0x30000) + be32(1) + zero_ended("_pq_.x"));
  });
}

TEST_CASE("extended protocol: pipelines answer in order and skip to Sync after an error") {
  with_server(10, [](Server& server, fiber::Net& net) {
    Client client(net, server.port());
    client.log_in();
    const std::string sync = message('S', "");
    const std::string good = message('P', "\0ok\0"s + be16(0)) +
                             message('B', "\0\0"s + be16(0) + be16(0) + be16(0)) +
                             message('D', "P\0"s) + message('E', "\0"s + be32(0));
    client.send(good + sync);
    CHECK(client.answers() == "12nCZ");
    client.send(message('P', "\0fail\0"s + be16(0)) + good + query("x") + sync + good + sync);
    CHECK(client.answers() == "EZ");
    CHECK(client.answers() == "12nCZ");
    client.send(message('B', "garbage") + sync);
    CHECK(client.answers() == "EZ");
    CHECK(client.last_error_is("08P01"));
  });
}

TEST_CASE("COPY FROM STDIN takes data in any pieces, and CopyFail fails it") {
  with_server(10, [](Server& server, fiber::Net& net) {
    Client client(net, server.port());
    client.log_in();
    client.send(query("copy"));
    CHECK(client.answers() == "G");
    for (int i = 0; i < 50; ++i) client.send(message('d', std::string(5000, 'x')));
    client.send(message('c', ""));
    CHECK(client.answers() == "CZ");
    CHECK(client.last('C') == zero_ended("COPY 250000"));
    client.send(query("copy"));
    client.answers();
    client.send(message('d', "abc") + message('f', zero_ended("no")) + message('d', "late") +
                message('c', ""));
    CHECK(client.answers() == "EZ");
    CHECK(client.last_error_is("57014"));
    client.send(query("after"));
    CHECK(client.answers() == "CZ");
  });
}

TEST_CASE("a cancel request with the right secret ends the statement, with a wrong one nothing") {
  with_server(10, [](Server& server, fiber::Net& net) {
    Client client(net, server.port());
    client.log_in();
    const std::string key = client.last('K');
    client.send(query("wait"));
    Client wrong(net, server.port());
    wrong.send(startup_packet(be32(80877102) + key.substr(0, 4) + be32(0)));
    CHECK(wrong.answers() == ".");
    Client right(net, server.port());
    right.send(startup_packet(be32(80877102) + key));
    CHECK(right.answers() == ".");
    CHECK(client.answers() == "EZ");
    CHECK(client.last_error_is("57014"));
  });
}

TEST_CASE("hostile streams end their own connection and no other") {
  with_server(10, [](Server& server, fiber::Net& net) {
    Client good(net, server.port());
    good.log_in();
    for (const std::string& bad :
         {be32(3), be32(0xffffffff), startup_packet(be32(0x20000)), startup_packet("")}) {
      Client client(net, server.port());
      client.send(bad);
      CHECK(client.answers() == "E.");
    }
    Client lying(net, server.port());
    lying.log_in();
    lying.send("Q" + be32(0x7fffffff));
    CHECK(lying.answers() == "E.");
    Client typo(net, server.port());
    typo.send(start() + message('?', "what"));
    CHECK(typo.answers() == "RSKZ");
    CHECK(typo.answers() == "E.");
    Client long_one(net, server.port());
    long_one.log_in();
    long_one.send(query(std::string(1'000'000, 'x')));
    CHECK(long_one.answers() == "EZ");
    CHECK(long_one.last_error_is("53200"));
    long_one.send(query("still here"));
    CHECK(long_one.answers() == "CZ");
    good.send(query("unmoved"));
    CHECK(good.answers() == "CZ");
  });
}

TEST_CASE("too many connections are told so; the silent ones are closed after a while") {
  with_server(2, [](Server& server, fiber::Net& net) {
    Client first(net, server.port());
    first.log_in();
    Client second(net, server.port());
    second.log_in();
    Client third(net, server.port());
    third.send(start());
    CHECK(third.answers() == "E.");
    CHECK(third.last_error_is("53300"));
    Client silent(net, server.port());
    CHECK(silent.answers() == ".");
    first.send(query("hello"));
    CHECK(first.answers() == "CZ");
  });
}

TEST_CASE("stopping says goodbye to the idle and ends the running") {
  with_server(10, [](Server& server, fiber::Net& net) {
    Client idle(net, server.port());
    idle.log_in();
    Client busy(net, server.port());
    busy.log_in();
    busy.send(query("wait"));
    REQUIRE(fiber::sleep_for(50ms));
    server.stop();
    CHECK(idle.answers() == "E.");
    CHECK(idle.last_error_is("57P01"));
    CHECK(busy.answers() == "EZ");
    CHECK(busy.answers() == "E.");
    CHECK(busy.last_error_is("57P01"));
  });
}
