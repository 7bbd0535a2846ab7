// endpoint.cpp — sockaddr and text.
#include "kernel/fiber/endpoint.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/un.h>

#include <array>
#include <cstring>

namespace coppice::fiber {

namespace {

template <class Address>
Address address_as(const sockaddr_storage& storage) {
  Address address{};
  std::memcpy(&address, &storage, sizeof address);
  return address;
}

template <class Address>
Endpoint endpoint_from(const Address& address) {
  Endpoint endpoint;
  static_assert(sizeof address <= sizeof endpoint.address);
  std::memcpy(&endpoint.address, &address, sizeof address);
  endpoint.size = sizeof address;
  return endpoint;
}

std::unexpected<Error> bad_address(std::string_view address) {
  return fail(Code::kInvalidArgument, "not a network address: \"" + std::string(address) + "\"");
}

}  // namespace

std::uint16_t Endpoint::port() const {
  if (family() == AF_INET) return ntohs(address_as<sockaddr_in>(address).sin_port);
  if (family() == AF_INET6) return ntohs(address_as<sockaddr_in6>(address).sin6_port);
  return 0;
}

std::string Endpoint::to_string() const {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (family() == AF_INET) {
    const auto in = address_as<sockaddr_in>(address);
    ::inet_ntop(AF_INET, &in.sin_addr, text.data(), text.size());
    return std::string(text.data()) + ":" + std::to_string(port());
  }
  if (family() == AF_INET6) {
    const auto in6 = address_as<sockaddr_in6>(address);
    ::inet_ntop(AF_INET6, &in6.sin6_addr, text.data(), text.size());
    return "[" + std::string(text.data()) + "]:" + std::to_string(port());
  }
  if (family() == AF_UNIX) {
    const auto un = address_as<sockaddr_un>(address);
    return "unix:" + std::string(un.sun_path, ::strnlen(un.sun_path, sizeof un.sun_path));
  }
  return "unknown";
}

Result<Endpoint> Endpoint::parse(std::string_view address, std::uint16_t port) {
  const std::string text(address);
  if (text.starts_with('/')) {
    sockaddr_un un{};
    un.sun_family = AF_UNIX;
    if (text.size() >= sizeof un.sun_path) return bad_address(address);
    std::memcpy(un.sun_path, text.data(), text.size());
    return endpoint_from(un);
  }
  sockaddr_in in{};
  in.sin_family = AF_INET;
  in.sin_port = htons(port);
  if (::inet_pton(AF_INET, text.c_str(), &in.sin_addr) == 1) return endpoint_from(in);
  sockaddr_in6 in6{};
  in6.sin6_family = AF_INET6;
  in6.sin6_port = htons(port);
  if (::inet_pton(AF_INET6, text.c_str(), &in6.sin6_addr) == 1) return endpoint_from(in6);
  return bad_address(address);
}

Result<Endpoint> Endpoint::resolve(const std::string& host, std::uint16_t port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int result = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (result != 0)
    return fail(Code::kUnavailable, "resolving " + host + ": " + ::gai_strerror(result));
  Endpoint endpoint;
  std::memcpy(&endpoint.address, found->ai_addr, found->ai_addrlen);
  endpoint.size = found->ai_addrlen;
  ::freeaddrinfo(found);
  return endpoint;
}

Endpoint Endpoint::of_local(int fd) {
  Endpoint endpoint;
  endpoint.size = sizeof endpoint.address;
  ::getsockname(fd, endpoint.get(), &endpoint.size);
  return endpoint;
}

Endpoint Endpoint::of_peer(int fd) {
  Endpoint endpoint;
  endpoint.size = sizeof endpoint.address;
  ::getpeername(fd, endpoint.get(), &endpoint.size);
  return endpoint;
}

}  // namespace coppice::fiber
