// net_test.cpp — both networks keep the contract of net.h; what only the real one can do, apart.
#include "kernel/fiber/net.h"

#include <sys/socket.h>

#include <array>
#include <atomic>
#include <string>
#include <vector>

#include "kernel/base/random.h"
#include "kernel/fiber/cancel.h"
#include "kernel/fiber/sync.h"
#include "tests/kernel/fiber/runtimes.h"

namespace coppice::fiber {

namespace {

struct Pair {
  std::unique_ptr<Socket> client;
  std::unique_ptr<Socket> server;
};

Pair make_pair(std::string_view address = "127.0.0.1") {
  auto listener = runtime().net().listen(address, 0);
  REQUIRE(listener.has_value());
  Pair pair;
  Task acceptor = spawn({.name = "acceptor"}, [&] {
    auto socket = (*listener)->accept();
    REQUIRE(socket.has_value());
    pair.server = *std::move(socket);
  });
  auto socket = runtime().net().connect(address, (*listener)->port());
  REQUIRE(socket.has_value());
  pair.client = *std::move(socket);
  acceptor.join();
  return pair;
}

std::string read_exactly(Socket& socket, std::size_t size) {
  std::string text(size, '\0');
  std::size_t have = 0;
  while (have < size) {
    const auto got = socket.read(std::as_writable_bytes(std::span(text)).subspan(have));
    if (!got || *got == 0) return text.substr(0, have);
    have += *got;
  }
  return text;
}

bool at_end(Socket& socket) {
  std::array<std::byte, 1> byte{};
  const auto got = socket.read(byte);
  return got.has_value() && *got == 0;
}

void echo(Socket& socket) {
  std::array<std::byte, 4096> bytes{};
  for (;;) {
    const auto got = socket.read(bytes);
    if (!got || *got == 0) break;
    if (!socket.write_all(ByteView(bytes).first(*got))) break;
  }
  socket.shutdown_write();
}

}  // namespace

TEST_CASE("an echo comes back, then the end of the stream") {
  everywhere([] {
    Pair pair = make_pair();
    Task server = spawn({.name = "echo"}, [&] { echo(*pair.server); });
    CHECK(pair.client->write_all(as_bytes("hello")).has_value());
    CHECK(read_exactly(*pair.client, 5) == "hello");
    const std::array<ByteView, 3> parts = {as_bytes("a"), as_bytes(""), as_bytes("bc")};
    CHECK(pair.client->write_all(parts).has_value());
    CHECK(read_exactly(*pair.client, 3) == "abc");
    pair.client->shutdown_write();  // half closed: the other direction still works
    CHECK(at_end(*pair.client));
    server.join();
    CHECK(pair.client->peer_endpoint() == pair.server->local_endpoint());
  });
}

TEST_CASE("more than a socket holds goes through while the peer reads") {
  const auto transfer = [](std::size_t size) {
    Pair pair = make_pair();
    Rng rng(7);
    ByteBuffer sent(size);
    for (std::byte& byte : sent) byte = static_cast<std::byte>(rng.next());
    Task writer = spawn({.name = "writer"}, [&] {
      CHECK(pair.client->write_all(sent).has_value());
      pair.client->shutdown_write();
    });
    ByteBuffer received(size + 1);
    std::size_t have = 0;
    for (;;) {
      const auto got = pair.server->read(MutableByteView(received).subspan(have));
      REQUIRE(got.has_value());
      if (*got == 0) break;
      have += *got;
    }
    writer.join();
    received.resize(have);
    CHECK(received == sent);
  };
  on_threads([&] { transfer(8 << 20); });
  on_seeds([&] { transfer(200'000); }, 50);
}

TEST_CASE("try_write stops when the socket is full") {
  const auto fill = [] {
    Pair pair = make_pair();
    const ByteBuffer chunk(64 * 1024);
    std::size_t sent = 0;
    for (;;) {
      const auto count = pair.client->try_write(chunk);
      REQUIRE(count.has_value());
      if (*count == 0) break;
      sent += *count;
    }
    CHECK(sent > 0);
    const Status full = pair.client->write_all(chunk, clock().now() + 1ms);
    REQUIRE_FALSE(full.has_value());
    CHECK(full.error().code() == Code::kDeadlineExceeded);
  };
  on_threads(fill);
  on_seeds(fill, 100);
}

TEST_CASE("reads and accepts end at their deadline and when cancelled") {
  everywhere([] {
    Pair pair = make_pair();
    std::array<std::byte, 16> bytes{};
    for (int i = 0; i < 3; ++i) {  // an abandoned wait does not disturb the next one
      const auto late = pair.client->read(bytes, clock().now() + 100us);
      REQUIRE_FALSE(late.has_value());
      CHECK(late.error().code() == Code::kDeadlineExceeded);
    }
    CancelToken token;
    Task reader = spawn({.name = "reader", .cancel = &token}, [&] {
      const auto cancelled = pair.client->read(bytes);
      REQUIRE_FALSE(cancelled.has_value());
      CHECK(cancelled.error().code() == Code::kCancelled);
    });
    yield();
    token.cancel();
    reader.join();
    auto listener = runtime().net().listen("127.0.0.1", 0);
    REQUIRE(listener.has_value());
    CHECK_FALSE((*listener)->accept(clock().now() + 100us).has_value());
    CHECK(pair.server->write_all(as_bytes("still there")).has_value());
    CHECK(read_exactly(*pair.client, 11) == "still there");
  });
}

TEST_CASE("close and shutdown wake whoever is parked in read or accept") {
  everywhere([] {
    Pair pair = make_pair();
    auto listener = runtime().net().listen("127.0.0.1", 0);
    REQUIRE(listener.has_value());
    Task reader = spawn({.name = "reader"}, [&] {
      std::array<std::byte, 1> byte{};
      const auto got = pair.client->read(byte);
      CHECK((!got.has_value() || *got == 0));
    });
    Task acceptor = spawn({.name = "acceptor"}, [&] {
      const auto socket = (*listener)->accept();
      REQUIRE_FALSE(socket.has_value());
      CHECK(socket.error().code() == Code::kUnavailable);
    });
    CHECK(sleep_for(1ms).has_value());
    pair.client->shutdown();
    (*listener)->close();
    reader.join();
    acceptor.join();
    CHECK(at_end(*pair.server));
    CHECK_FALSE((*listener)->accept().has_value());
    pair.server->close();
    std::array<std::byte, 1> byte{};
    CHECK_FALSE(pair.server->read(byte).has_value());
    CHECK_FALSE(pair.server->write_all(as_bytes("x")).has_value());
  });
}

TEST_CASE("a fiber starts when its socket becomes readable, and not before") {
  everywhere([] {
    Pair pair = make_pair();
    TaskGroup group;
    std::string got;
    bool started = false;
    pair.server->spawn_when_readable(group, {.name = "reader"}, [&] {
      started = true;
      got = read_exactly(*pair.server, 4);
    });
    CHECK(group.size() == 1);
    CHECK(sleep_for(1ms).has_value());
    CHECK_FALSE(started);
    CHECK(pair.client->write_all(as_bytes("ping")).has_value());
    group.join();
    CHECK(got == "ping");
    // The end of the stream and a close count, too.
    bool ended = false;
    pair.server->spawn_when_readable(group, {.name = "end"}, [&] { ended = at_end(*pair.server); });
    pair.client->shutdown_write();
    group.join();
    CHECK(ended);
    bool closed = false;
    pair.client->spawn_when_readable(group, {.name = "closed"}, [&] { closed = true; });
    yield();
    pair.client->close();
    group.join();
    CHECK(closed);
  });
}

TEST_CASE("nobody listens: refused") {
  everywhere([] {
    std::uint16_t port = 0;
    {
      auto listener = runtime().net().listen("127.0.0.1", 0);
      REQUIRE(listener.has_value());
      port = (*listener)->port();
    }
    yield();
    const auto socket = runtime().net().connect("127.0.0.1", port, clock().now() + 1s);
    REQUIRE_FALSE(socket.has_value());
    CHECK(socket.error().code() == Code::kUnavailable);
  });
}

TEST_CASE("a connection that the simulator resets fails on both sides, and only fails") {
  std::size_t resets = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    SimRuntime simulator(SimOptions{.seed = seed, .net_reset_chance = 0.05});
    CHECK(simulator
              .run([&] {
                Pair pair = make_pair();
                Task server = spawn({.name = "echo"}, [&] { echo(*pair.server); });
                for (int i = 0; i < 10; ++i) {
                  const std::string text = "message " + std::to_string(i);
                  if (!pair.client->write_all(as_bytes(text))) break;
                  if (read_exactly(*pair.client, text.size()) != text) break;
                }
                std::array<std::byte, 1> byte{};
                if (!pair.client->read(byte, clock().now())) {
                  const auto again = pair.client->read(byte, clock().now());
                  if (again.error().code() == Code::kUnavailable) ++resets;
                }
                pair.client->close();
                server.join();
              })
              .has_value());
  }
  CHECK(resets > kSeeds / 4);
  CHECK(resets < kSeeds);
}

TEST_CASE("a peer that resets the connection is an error, not a signal") {
  on_threads([] {
    Pair pair = make_pair();
    CHECK(pair.client->write_all(as_bytes("unread")).has_value());
    CHECK(sleep_for(1ms).has_value());
    pair.server.reset();  // closing with unread bytes sends a reset
    const ByteBuffer chunk(1 << 20);
    Status status;
    for (int i = 0; i < 100 && status; ++i) status = pair.client->write_all(chunk);
    REQUIRE_FALSE(status.has_value());
    CHECK(status.error().code() == Code::kUnavailable);
  });
}

TEST_CASE("Unix sockets, names, and addresses that are none") {
  on_threads([] {
    const std::string path = "/tmp/coppice-net-test-" + std::to_string(::getpid());
    {
      Pair pair = make_pair(path);
      CHECK(pair.server->local_endpoint() == "unix:" + path);
      CHECK(pair.client->write_all(as_bytes("x")).has_value());
      CHECK(read_exactly(*pair.server, 1) == "x");
    }
    ::unlink(path.c_str());
    auto listener = runtime().net().listen("127.0.0.1", 0);
    REQUIRE(listener.has_value());
    CHECK(runtime().net().connect("localhost", (*listener)->port()).has_value());
    const auto nowhere = runtime().net().listen("not an address", 0);
    REQUIRE_FALSE(nowhere.has_value());
    CHECK(nowhere.error().code() == Code::kInvalidArgument);
    const auto taken = runtime().net().listen("127.0.0.1", (*listener)->port());
    REQUIRE_FALSE(taken.has_value());
    CHECK(taken.error().code() == Code::kUnavailable);
  });
}

TEST_CASE("a thousand idle connections hold no stack and all answer") {
  ThreadRuntime threads({.workers = 2});
  CHECK(threads
            .run([&] {
              constexpr std::size_t kConnections = 1000;
              auto listener = threads.net().listen("127.0.0.1", 0);
              REQUIRE(listener.has_value());
              std::vector<std::unique_ptr<Socket>> servers(kConnections);
              std::vector<std::unique_ptr<Socket>> clients(kConnections);
              TaskGroup group;
              std::atomic<std::size_t> answered = 0;
              for (std::size_t i = 0; i < kConnections; ++i) {
                auto client = threads.net().connect("127.0.0.1", (*listener)->port());
                auto server = (*listener)->accept();
                REQUIRE(client.has_value());
                REQUIRE(server.has_value());
                clients[i] = *std::move(client);
                servers[i] = *std::move(server);
                servers[i]->spawn_when_readable(group, {.name = "statement"}, [&, i] {
                  if (read_exactly(*servers[i], 1) == "?") ++answered;
                });
              }
              CHECK(threads.metrics().stacks_mapped - threads.metrics().stacks_idle < 64);
              for (const auto& client : clients)
                CHECK(client->write_all(as_bytes("?")).has_value());
              group.join();
              CHECK(answered == kConnections);
            })
            .has_value());
}

}  // namespace coppice::fiber
