// endpoint.h — socket addresses of the operating system: from text, and as text.
#pragma once

#include <sys/socket.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "kernel/base/result.h"

namespace coppice::fiber {

struct Endpoint {
  sockaddr_storage address{};
  socklen_t size = 0;

  int family() const { return address.ss_family; }
  sockaddr* get() { return reinterpret_cast<sockaddr*>(&address); }
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address); }
  std::uint16_t port() const;     // 0 for Unix sockets
  std::string to_string() const;  // "127.0.0.1:5432", "[::1]:5432", "unix:/path"

  // Numeric IPv4 or IPv6, or "/path"; kInvalidArgument for anything else.
  static Result<Endpoint> parse(std::string_view address, std::uint16_t port);
  // Asks the resolver. Blocks the thread: for helper threads.
  static Result<Endpoint> resolve(const std::string& host, std::uint16_t port);
  static Endpoint of_local(int fd);
  static Endpoint of_peer(int fd);
};

}  // namespace coppice::fiber
