// net.h — the network as fibers see it: listen, accept, connect, read, write.
//
// Role:     one of the four sources of what is not deterministic; Asio is one implementation
//           (asio_net.h), the simulator the other (sim_net.h).
// Threads:  a socket may be used from any worker, but by one reader and one writer at a time;
//           shutdown() and close() by anyone at any moment.
// Parks:    accept, connect, read, write_all. try_write and spawn_when_readable never.
// Errors:   kDeadlineExceeded, kCancelled (the fiber's token), kUnavailable (closed here, or reset
//           or refused by the peer), kInvalidArgument (an address), kLimitExceeded (descriptors).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "kernel/base/bytes.h"
#include "kernel/base/result.h"
#include "kernel/base/time.h"
#include "kernel/fiber/fiber.h"

namespace coppice::fiber {

class Socket {
 public:
  virtual ~Socket() = default;  // closes; nobody may be inside a call

  // Some bytes, at least one; 0 is the end of the stream. `into` must not be empty.
  virtual Result<std::size_t> read(MutableByteView into, Deadline deadline = Deadline::never()) = 0;

  // All bytes of all parts, in one system call when the socket takes them; parks while it is full.
  // After an error an unknown part was sent: close.
  virtual Status write_all(std::span<const ByteView> parts,
                           Deadline deadline = Deadline::never()) = 0;
  Status write_all(ByteView bytes, Deadline deadline = Deadline::never()) {
    return write_all(std::span(&bytes, 1), deadline);
  }

  // As many bytes as the socket takes right now, perhaps 0. Callable from any worker.
  virtual Result<std::size_t> try_write(ByteView bytes) = 0;

  // Spawns the fiber as a member of `group` once a read would not park: bytes, the end of the
  // stream, an error, or shutdown()/close(). Exactly once for each call; until then no stack is
  // held. At most one of these, or one read(), at a time.
  virtual void spawn_when_readable(TaskGroup& group, Options options, Entry entry) = 0;

  virtual void shutdown_write() = 0;  // the peer reads the end of the stream
  virtual void shutdown() = 0;        // both directions; whoever is parked on it returns
  virtual void close() = 0;           // as shutdown(), and gives the descriptor back

  virtual std::string local_endpoint() const = 0;  // "127.0.0.1:5432", "[::1]:5432", "unix:/path"
  virtual std::string peer_endpoint() const = 0;
};

class Listener {
 public:
  virtual ~Listener() = default;  // closes; nobody may be inside accept()
  virtual Result<std::unique_ptr<Socket>> accept(Deadline deadline = Deadline::never()) = 0;
  virtual void close() = 0;  // accept() returns kUnavailable, now and later
  virtual std::uint16_t port() const = 0;
  virtual std::string local_endpoint() const = 0;
};

class Net {
 public:
  virtual ~Net() = default;
  // `address` is numeric, or "/path" of a Unix socket (then `port` is ignored); port 0: any free.
  virtual Result<std::unique_ptr<Listener>> listen(std::string_view address,
                                                   std::uint16_t port) = 0;
  // `address` may also be a host name, which is resolved on a helper thread.
  virtual Result<std::unique_ptr<Socket>> connect(std::string_view address, std::uint16_t port,
                                                  Deadline deadline = Deadline::never()) = 0;
};

}  // namespace coppice::fiber
