// auth.h — who may connect.
//
// Role:     asked by a protocol front after the startup message, before a session is opened.
// Parks:    check() may.
#pragma once

#include <string_view>

#include "kernel/base/result.h"

namespace coppice {

// One exchange of messages with the client, as the front frames them.
class AuthExchange {
 public:
  virtual ~AuthExchange() = default;
  virtual bool peer_is_loopback() const = 0;
};

class Authenticator {
 public:
  static constexpr std::string_view kInterfaceName = "auth";
  virtual ~Authenticator() = default;
  // Whether it asks for a proof: without one a listener beyond loopback is a boot error.
  virtual bool demands_proof() const = 0;
  // 28P01, 28000.
  virtual Status check(std::string_view user, std::string_view database,
                       AuthExchange& exchange) = 0;
};

}  // namespace coppice
