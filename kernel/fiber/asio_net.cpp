// asio_net.cpp — sockets. Boundary of Asio: constructing and registering a descriptor may throw.
#include "kernel/fiber/asio_net.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <cerrno>
#include <optional>
#include <utility>

#include "kernel/base/assert.h"
#include "kernel/fiber/endpoint.h"
#include "kernel/fiber/os_error.h"
#include "kernel/fiber/runtime.h"
#include "kernel/fiber/worker.h"

namespace coppice::fiber {

namespace {

using Descriptor = boost::asio::posix::stream_descriptor;
constexpr int kBacklog = 1024;
constexpr std::size_t kPartsMax = 64;  // of one sendmsg

// A fiber to be spawned when the socket becomes readable.
struct Start {
  TaskGroup* group;
  Options options;
  Entry entry;
};

// Waits for one descriptor. Everything but `fd` and `closed` belongs to the home worker's thread;
// kept alive by whatever waits, so that a Socket may be destroyed anywhere.
class Readiness : public std::enable_shared_from_this<Readiness> {
 public:
  enum Direction : unsigned { kRead, kWrite };

  Readiness(Worker& home, int fd) : fd_(fd), home_(home), descriptor_(home.io()) {}

  int fd() const { return fd_; }
  bool closed() const { return closed_.load(std::memory_order_acquire); }

  // Registers the descriptor with Asio; on the home worker or before anyone else knows of it.
  Status assign() {
    boost::system::error_code error;
    static_cast<void>(descriptor_.assign(fd_, error));  // gives `error` back
    if (error) return std::unexpected(os_error(error.value(), "registering a socket"));
    return {};
  }

  // Parks until the descriptor may be ready (or was closed); the caller tries again.
  Status wait(Direction direction, Deadline deadline) {
    const ParkTicket ticket = prepare_park();
    home_.run_here([self = shared_from_this(), direction, ticket] {
      self->ticket_[direction] = ticket;
      self->arm(direction);
    });
    return wake_status(park(ticket, deadline));
  }

  void start_when_readable(Start start) {
    home_.run_here([self = shared_from_this(), moved = std::move(start)]() mutable {
      COPPICE_ASSERT(!self->start_);
      self->start_.emplace(std::move(moved));
      self->arm(kRead);
    });
  }

  // Whoever waits returns, now and later.
  void shut(int how) { ::shutdown(fd_, how); }
  void close() {
    if (closed_.exchange(true)) return;
    ::shutdown(fd_, SHUT_RDWR);
    home_.run_here([self = shared_from_this()] {
      self->fire(kRead);
      self->fire(kWrite);
    });
  }
  // The last call: nobody uses the descriptor any more.
  void destroy() {
    close();
    home_.run_here([self = shared_from_this()] {
      boost::system::error_code ignored;
      static_cast<void>(self->descriptor_.close(ignored));
    });
  }

 private:
  void arm(Direction direction) {
    if (closed()) return fire(direction);
    if (std::exchange(armed_[direction], true)) return;  // an earlier wait that was given up
    descriptor_.async_wait(direction == kRead ? Descriptor::wait_read : Descriptor::wait_write,
                           [self = shared_from_this(), direction](boost::system::error_code) {
                             self->armed_[direction] = false;
                             self->fire(direction);
                           });
  }
  void fire(Direction direction) {
    const ParkTicket ticket = std::exchange(ticket_[direction], ParkTicket{});
    if (ticket.fiber != nullptr) unpark(ticket);
    if (direction != kRead || !start_) return;
    Start start = *std::exchange(start_, std::nullopt);
    start.group->spawn_added(start.options, std::move(start.entry));
  }

  const int fd_;
  Worker& home_;
  Descriptor descriptor_;  // owns fd_ once assigned
  std::atomic<bool> closed_ = false;
  std::array<bool, 2> armed_{};
  std::array<ParkTicket, 2> ticket_;
  std::optional<Start> start_;
};

std::unexpected<Error> closed_error() {
  return fail(Code::kUnavailable, "socket is closed");
}

bool would_block(int os_errno) {
  return os_errno == EAGAIN || os_errno == EWOULDBLOCK;
}

class AsioSocket final : public Socket {
 public:
  explicit AsioSocket(std::shared_ptr<Readiness> readiness)
      : readiness_(std::move(readiness)), peer_(Endpoint::of_peer(readiness_->fd())) {}
  ~AsioSocket() override { readiness_->destroy(); }

  Result<std::size_t> read(MutableByteView into, Deadline deadline) override {
    COPPICE_ASSERT(!into.empty());
    for (;;) {
      if (readiness_->closed()) return closed_error();
      const ssize_t got = ::recv(readiness_->fd(), into.data(), into.size(), MSG_DONTWAIT);
      const int os_errno = errno;
      if (got >= 0) return static_cast<std::size_t>(got);
      if (would_block(os_errno)) {
        COPPICE_TRY(readiness_->wait(Readiness::kRead, deadline));
      } else if (os_errno != EINTR) {
        return std::unexpected(os_error(os_errno, "reading from a socket"));
      }
    }
  }

  Status write_all(std::span<const ByteView> parts, Deadline deadline) override {
    std::size_t part = 0;  // the first that is not sent wholly
    std::size_t skip = 0;  // bytes of it that are sent
    for (;;) {
      std::array<iovec, kPartsMax> vectors;
      std::size_t count = 0;
      for (std::size_t i = part; i < parts.size() && count < kPartsMax; ++i) {
        const ByteView rest = parts[i].subspan(i == part ? skip : 0);
        if (rest.empty()) continue;
        vectors[count++] = {const_cast<std::byte*>(rest.data()), rest.size()};
      }
      if (count == 0) return {};
      std::size_t sent = COPPICE_TRY(send(vectors.data(), count));
      if (sent == 0) {
        COPPICE_TRY(readiness_->wait(Readiness::kWrite, deadline));
        continue;
      }
      while (sent > 0) {
        const std::size_t rest = parts[part].size() - skip;
        if (sent < rest) {
          skip += sent;
          break;
        }
        sent -= rest;
        skip = 0;
        ++part;
      }
    }
  }

  Result<std::size_t> try_write(ByteView bytes) override {
    if (bytes.empty()) return std::size_t{0};
    iovec vector{const_cast<std::byte*>(bytes.data()), bytes.size()};
    return send(&vector, 1);
  }

  void spawn_when_readable(TaskGroup& group, Options options, Entry entry) override {
    group.add();
    readiness_->start_when_readable({&group, options, std::move(entry)});
  }

  void shutdown_write() override { readiness_->shut(SHUT_WR); }
  void shutdown() override { readiness_->shut(SHUT_RDWR); }
  void close() override { readiness_->close(); }
  std::string local_endpoint() const override {
    return Endpoint::of_local(readiness_->fd()).to_string();
  }
  std::string peer_endpoint() const override { return peer_.to_string(); }

 private:
  // Bytes sent; 0 when the socket is full.
  Result<std::size_t> send(iovec* vectors, std::size_t count) {
    if (readiness_->closed()) return closed_error();
    msghdr message{};
    message.msg_iov = vectors;
    message.msg_iovlen = count;
    for (;;) {
      const ssize_t sent = ::sendmsg(readiness_->fd(), &message, MSG_DONTWAIT | MSG_NOSIGNAL);
      const int os_errno = errno;
      if (sent >= 0) return static_cast<std::size_t>(sent);
      if (would_block(os_errno)) return std::size_t{0};
      if (os_errno != EINTR) return std::unexpected(os_error(os_errno, "writing to a socket"));
    }
  }

  const std::shared_ptr<Readiness> readiness_;
  const Endpoint peer_;  // noted now: one that has gone cannot be asked
};

// Takes over `fd`. On failure it is closed.
Result<std::shared_ptr<Readiness>> adopt(WorkerGroup& group, int fd) {
  Worker& home = group.next_worker(Priority::kQuery);
  auto readiness = std::make_shared<Readiness>(home, fd);
  if (Status assigned = readiness->assign(); !assigned) {
    ::close(fd);
    return std::unexpected(std::move(assigned).error());
  }
  return readiness;
}

Result<std::unique_ptr<Socket>> adopt_stream(WorkerGroup& group, int fd, int family) {
  const int on = 1;
  if (family != AF_UNIX) ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  auto readiness = COPPICE_TRY(adopt(group, fd));
  return std::make_unique<AsioSocket>(std::move(readiness));
}

class AsioListener final : public Listener {
 public:
  AsioListener(WorkerGroup& group, std::shared_ptr<Readiness> readiness)
      : group_(group), readiness_(std::move(readiness)) {}
  ~AsioListener() override { readiness_->destroy(); }

  Result<std::unique_ptr<Socket>> accept(Deadline deadline) override {
    for (;;) {
      if (readiness_->closed()) return closed_error();
      const int fd = ::accept4(readiness_->fd(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
      const int os_errno = errno;
      if (fd >= 0) return adopt_stream(group_, fd, Endpoint::of_local(fd).family());
      if (would_block(os_errno)) {
        COPPICE_TRY(readiness_->wait(Readiness::kRead, deadline));
      } else if (os_errno != EINTR && os_errno != ECONNABORTED && !readiness_->closed()) {
        return std::unexpected(os_error(os_errno, "accepting a connection"));
      }
    }
  }
  void close() override { readiness_->close(); }
  std::uint16_t port() const override { return Endpoint::of_local(readiness_->fd()).port(); }
  std::string local_endpoint() const override {
    return Endpoint::of_local(readiness_->fd()).to_string();
  }

 private:
  WorkerGroup& group_;
  const std::shared_ptr<Readiness> readiness_;
};

int open_socket(int family) {
  return ::socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

std::unexpected<Error> close_with(int fd, int os_errno, std::string_view doing) {
  ::close(fd);
  return std::unexpected(os_error(os_errno, doing));
}

}  // namespace

Result<std::unique_ptr<Listener>> AsioNet::listen(std::string_view address, std::uint16_t port) {
  const Endpoint endpoint = COPPICE_TRY(Endpoint::parse(address, port));
  const int fd = open_socket(endpoint.family());
  if (fd < 0) return std::unexpected(os_error(errno, "opening a socket"));
  const int on = 1;
  if (endpoint.family() == AF_UNIX) {
    ::unlink(std::string(address).c_str());  // left by a process that was killed
  } else {
    ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  }
  if (::bind(fd, endpoint.get(), endpoint.size) != 0)
    return close_with(fd, errno, "binding " + endpoint.to_string());
  if (::listen(fd, kBacklog) != 0)
    return close_with(fd, errno, "listening on " + endpoint.to_string());
  auto readiness = COPPICE_TRY(adopt(group_, fd));
  return std::make_unique<AsioListener>(group_, std::move(readiness));
}

Result<std::unique_ptr<Socket>> AsioNet::connect(std::string_view address, std::uint16_t port,
                                                 Deadline deadline) {
  Result<Endpoint> endpoint = Endpoint::parse(address, port);
  if (!endpoint)
    endpoint = run_blocking([&] { return Endpoint::resolve(std::string(address), port); });
  if (!endpoint) return std::unexpected(std::move(endpoint).error());
  const int fd = open_socket(endpoint->family());
  if (fd < 0) return std::unexpected(os_error(errno, "opening a socket"));
  const int result = ::connect(fd, endpoint->get(), endpoint->size);
  const int os_errno = errno;
  if (result != 0 && os_errno != EINPROGRESS)
    return close_with(fd, os_errno, "connecting to " + endpoint->to_string());
  const int on = 1;
  if (endpoint->family() != AF_UNIX) ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  auto readiness = COPPICE_TRY(adopt(group_, fd));
  if (result != 0) {
    Status connected = readiness->wait(Readiness::kWrite, deadline);
    int failed = 0;
    socklen_t size = sizeof failed;
    ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &failed, &size);
    if (connected && failed != 0)
      connected = std::unexpected(os_error(failed, "connecting to " + endpoint->to_string()));
    if (!connected) {
      readiness->destroy();
      return std::unexpected(std::move(connected).error());
    }
  }
  return std::make_unique<AsioSocket>(std::move(readiness));
}

}  // namespace coppice::fiber
