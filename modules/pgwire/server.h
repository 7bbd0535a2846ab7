// server.h — the listener and the connections that came in through it.
//
// Role:     accepts, numbers connections for cancel requests, keeps each alive from message to
//           message, turns away what is too many, and ends all at stop.
// Owns:     the connections.
// Threads:  start() and stop() from the boot fiber; the rest is its own fibers'.
// Parks:    start(), stop().
// Errors:   start(): what listen() gives.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "interfaces/auth.h"
#include "interfaces/session.h"
#include "kernel/base/random.h"
#include "kernel/core/log.h"
#include "kernel/fiber/cancel.h"
#include "kernel/fiber/fiber.h"
#include "kernel/fiber/net.h"
#include "kernel/fiber/sync.h"
#include "modules/pgwire/connection.h"

namespace coppice::pgwire {

struct ServerOptions {
  std::string listen;
  std::uint16_t port = 0;
  std::uint32_t connections_max = 0;
  Duration startup_timeout = 60s;
  std::uint64_t message_bytes_max = 0;
};

class Server final : public Hub {
 public:
  Server(const ServerOptions& options, SessionFactory& sessions, Authenticator& authenticator,
         fiber::Net& net, const Clock& clock, Rng rng, const Log& log);
  ~Server() override;

  Status start();
  void stop();

  std::uint16_t port() const { return listener_->port(); }
  std::size_t connection_count() const;

 private:
  struct Entry {
    std::unique_ptr<Connection> connection;
    Instant accepted;
    bool idle = true;  // no fiber is in run()
  };

  SessionFactory& sessions() override { return sessions_; }
  Authenticator& authenticator() override { return authenticator_; }
  Status admit() override;
  void cancel(std::uint32_t process, std::uint32_t secret) override;

  void accept_loop();
  void take_in(std::unique_ptr<fiber::Socket> socket);
  void watch(std::uint32_t process);
  Connection& set_idle(std::uint32_t process, bool idle);
  void serve(std::uint32_t process);
  void forget(std::uint32_t process);
  void end_slow_starters();

  const ServerOptions options_;
  SessionFactory& sessions_;
  Authenticator& authenticator_;
  fiber::Net& net_;
  const Clock& clock_;
  Rng rng_;
  const Log& log_;
  InputBudget input_budget_;

  std::unique_ptr<fiber::Listener> listener_;
  fiber::CancelToken stopping_;
  fiber::TaskGroup fibers_;
  mutable fiber::Mutex mutex_;  // guards connections_ and next_process_; never held across a park
  std::unordered_map<std::uint32_t, Entry> connections_;
  std::uint32_t next_process_ = 1;
};

}  // namespace coppice::pgwire
