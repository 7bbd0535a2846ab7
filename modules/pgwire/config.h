// config.h — [pgwire]
#pragma once

#include "interfaces/auth.h"
#include "kernel/base/bytes.h"
#include "kernel/core/config.h"

namespace coppice::pgwire {

struct PgwireConfig {
  std::string listen = "127.0.0.1";
  std::uint32_t port = 3210;
  std::string auth;
  std::uint32_t connections_max = 20'000;
  Duration startup_timeout = 60s;
  Size message_bytes_max = 0;

  static void describe(Fields<PgwireConfig>& f) {
    f.value("listen", &PgwireConfig::listen,
            "Address to listen on. Beyond loopback it wants an auth instance that demands a proof.")
        .flag("listen");
    f.value("port", &PgwireConfig::port, "TCP port; 0: any free one.").range(0, 65535).flag("port");
    f.instance<Authenticator>("auth", &PgwireConfig::auth, "Who may connect.");
    f.value("connections_max", &PgwireConfig::connections_max,
            "Connections at a time; one more is refused (53300).")
        .range(1, 1'000'000);
    f.value("startup_timeout", &PgwireConfig::startup_timeout,
            "A connection that has not started a session by then is closed.")
        .range(1s, 1h);
    f.value(
         "message_bytes_max", &PgwireConfig::message_bytes_max,
         "Bytes of messages being received, of all connections together; a longer one is refused "
         "(53200). 0: an eighth of memory.total.")
        .sim(64_KiB, 4_MiB);
  }
};

}  // namespace coppice::pgwire
