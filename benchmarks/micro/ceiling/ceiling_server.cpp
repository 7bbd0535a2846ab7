// ceiling_server.cpp — a server without a database: what wire and scheduler cost by themselves.
//
// Role:     answers pgbench's select-only script with one canned row, in the simple and the
//           extended protocol, on the real runtime. An idle connection holds no stack; each arrival
//           of bytes runs as a fresh fiber of the query lane, which may be stolen, and answers
//           directly. Its figures are the ceiling of any server built on kernel/fiber.
// Usage:    bench_ceiling_server PORT WORKERS never|always|two_waiting [pinned]
//           `pinned`: a fiber per connection instead, which stays where it began.
// Source:   PostgreSQL documentation, "Frontend/Backend Protocol", "Message Formats".
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "kernel/base/bytes.h"
#include "kernel/fiber/fiber.h"
#include "kernel/fiber/net.h"
#include "kernel/fiber/runtime.h"
#include "kernel/fiber/thread_runtime.h"

namespace coppice::fiber {
namespace {

constexpr std::int32_t kProtocol3 = 196608;
constexpr std::size_t kMessageMax = 8 * 1024;
constexpr std::int32_t kInt8Oid = 20;
constexpr std::int32_t kInt4Oid = 23;

class Answer {
 public:
  Answer& begin(char type) {
    bytes_.push_back(static_cast<std::byte>(type));
    length_at_ = bytes_.size();
    return int32(0);
  }
  Answer& end() {
    store_be(bytes_.data() + length_at_, static_cast<std::int32_t>(bytes_.size() - length_at_));
    return *this;
  }
  Answer& int16(std::int16_t value) { return integer(value); }
  Answer& int32(std::int32_t value) { return integer(value); }
  Answer& text(std::string_view value) {
    append(bytes_, as_bytes(value));
    return *this;
  }
  Answer& string(std::string_view value) {
    text(value);
    bytes_.push_back(std::byte{0});
    return *this;
  }
  Answer& empty(char type) { return begin(type).end(); }
  Answer& parameter(std::string_view name, std::string_view value) {
    return begin('S').string(name).string(value).end();
  }
  Answer& ready() { return begin('Z').text("I").end(); }
  Answer& description(std::string_view column, std::int32_t type, std::int16_t size) {
    return begin('T')
        .int16(1)
        .string(column)
        .int32(0)
        .int16(0)
        .int32(type)
        .int16(size)
        .int32(-1)
        .int16(0)
        .end();
  }
  Answer& row(std::string_view value) {
    return begin('D').int16(1).int32(static_cast<std::int32_t>(value.size())).text(value).end();
  }
  Answer& complete(std::string_view tag) { return begin('C').string(tag).end(); }
  Answer& error(std::string_view message) {
    return begin('E')
        .text("S")
        .string("ERROR")
        .text("C")
        .string("0A000")
        .text("M")
        .string(message)
        .string("")
        .end();
  }
  ByteView bytes() const { return bytes_; }
  void clear() { bytes_.clear(); }

 private:
  template <class T>
  Answer& integer(T value) {
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof value);
    store_be(bytes_.data() + at, value);
    return *this;
  }
  ByteBuffer bytes_;
  std::size_t length_at_ = 0;
};

class Connection {
 public:
  explicit Connection(std::unique_ptr<Socket> socket) : socket_(std::move(socket)) {}

  Socket& socket() { return *socket_; }

  // Reads once and answers every whole message; false: the client has gone.
  bool serve() {
    const Result<std::size_t> got = socket_->read(MutableByteView(input_).subspan(have_));
    if (!got || *got == 0) return false;
    have_ += *got;
    std::size_t used = 0;
    while (const std::size_t size = message_size(used)) {
      if (size > input_.size() || !answer(ByteView(input_).subspan(used, size))) return false;
      used += size;
    }
    std::copy(input_.begin() + static_cast<std::ptrdiff_t>(used),
              input_.begin() + static_cast<std::ptrdiff_t>(have_), input_.begin());
    have_ -= used;
    return have_ < input_.size() && flush();
  }

 private:
  // Of the message at `at`; 0 when it is not all there.
  std::size_t message_size(std::size_t at) const {
    const std::size_t type = started_ ? 1 : 0;
    if (have_ - at < type + 4) return 0;
    const auto length = load_be<std::uint32_t>(input_.data() + at + type);
    const std::size_t size = type + std::max<std::size_t>(length, 4);
    return size > kMessageMax || have_ - at >= size ? size : 0;
  }

  bool answer(ByteView message) {
    if (!started_) return start(message);
    const std::string_view body = as_text(message.subspan(5));
    switch (static_cast<char>(message[0])) {
      case 'Q':
        query(body);
        return true;
      case 'P':
        output_.empty('1');
        return true;
      case 'B':
        output_.empty('2');
        return true;
      case 'C':
        output_.empty('3');
        return true;
      case 'D':
        output_.description("abalance", kInt4Oid, 4);
        return true;
      case 'E':
        output_.row("0").complete("SELECT 1");
        return true;
      case 'S':
        output_.ready();
        return true;
      case 'H':
        return true;
      default:
        return false;  // 'X', or what nobody asked for
    }
  }

  bool start(ByteView message) {
    if (message.size() < 8) return false;
    if (load_be<std::int32_t>(message.data() + 4) != kProtocol3) {
      output_.text("N");  // no TLS, no GSS encryption
      return true;
    }
    started_ = true;
    output_.begin('R').int32(0).end();
    output_.parameter("server_version", "15.0").parameter("client_encoding", "UTF8");
    output_.parameter("standard_conforming_strings", "on").parameter("integer_datetimes", "on");
    output_.begin('K').int32(1).int32(2).end().ready();
    return true;
  }

  void query(std::string_view text) {
    if (text.starts_with("SELECT abalance")) {
      output_.description("abalance", kInt4Oid, 4).row("0").complete("SELECT 1");
    } else if (text.starts_with("select count(*)")) {  // pgbench asks how large the data is
      output_.description("count", kInt8Oid, 8).row("10").complete("SELECT 1");
    } else {
      output_.error("there is no database behind this server");
    }
    output_.ready();
  }

  bool flush() {
    const ByteView bytes = output_.bytes();
    const bool sent = bytes.empty() || socket_->write_all(bytes).has_value();
    output_.clear();
    return sent;
  }

  const std::unique_ptr<Socket> socket_;
  std::array<std::byte, kMessageMax> input_;
  std::size_t have_ = 0;
  bool started_ = false;
  Answer output_;
};

void serve_next(TaskGroup& group, std::shared_ptr<Connection> connection) {
  Socket& socket = connection->socket();
  socket.spawn_when_readable(group, {.name = "statement"},
                             [&group, moved = std::move(connection)]() mutable {
                               if (moved->serve()) serve_next(group, std::move(moved));
                             });
}

Status serve(std::uint16_t port, bool pinned) {
  const auto listener = COPPICE_TRY(runtime().net().listen("127.0.0.1", port));
  std::printf("listening on %s\n", listener->local_endpoint().c_str());
  std::fflush(stdout);
  TaskGroup group;
  for (;;) {
    std::unique_ptr<Socket> socket = COPPICE_TRY(listener->accept());
    auto connection = std::make_shared<Connection>(std::move(socket));
    if (pinned) {
      group.spawn({.name = "connection"}, [connection] {
        while (connection->serve()) {
        }
      });
    } else {
      serve_next(group, std::move(connection));
    }
  }
}

}  // namespace
}  // namespace coppice::fiber

int main(int argc, char** argv) {
  using coppice::fiber::Stealing;
  if (argc < 4) {
    std::fprintf(stderr, "usage: %s PORT WORKERS never|always|two_waiting [pinned]\n", argv[0]);
    return 2;
  }
  const std::string_view rule = argv[3];
  coppice::fiber::ThreadRuntime threads({.workers = static_cast<unsigned>(std::atoi(argv[2])),
                                         .stealing = rule == "never"    ? Stealing::kNever
                                                     : rule == "always" ? Stealing::kAlways
                                                                        : Stealing::kTwoWaiting});
  coppice::Status served;
  const coppice::Status ran = threads.run([&] {
    served = coppice::fiber::serve(static_cast<std::uint16_t>(std::atoi(argv[1])), argc > 4);
  });
  for (const coppice::Status* status : {&ran, static_cast<const coppice::Status*>(&served)})
    if (!*status) std::fprintf(stderr, "%s\n", status->error().to_string().c_str());
  return ran && served ? 0 : 1;
}
