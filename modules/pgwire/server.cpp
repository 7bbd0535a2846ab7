// server.cpp — accepting, serving, cancelling, stopping.
#include "modules/pgwire/server.h"

#include <utility>
#include <vector>

#include "interfaces/types/sql_error.h"

namespace coppice::pgwire {

namespace {

// Beyond the limit this many more are let in far enough to be told that there are too many.
constexpr std::uint32_t kExtraForRefusals = 16;

}  // namespace

Server::Server(const ServerOptions& options, SessionFactory& sessions, Authenticator& authenticator,
               fiber::Net& net, const Clock& clock, Rng rng, const Log& log)
    : options_(options),
      sessions_(sessions),
      authenticator_(authenticator),
      net_(net),
      clock_(clock),
      rng_(rng),
      log_(log),
      input_budget_(options.message_bytes_max) {}

Server::~Server() = default;

Status Server::start() {
  const bool local = options_.listen == "::1" || options_.listen.starts_with("127.") ||
                     options_.listen.starts_with("/");
  if (!local && !authenticator_.demands_proof()) {
    return fail(Code::kInvalidArgument,
                "[pgwire] listen: " + options_.listen +
                    " is reachable from other machines, and the configured auth lets everybody "
                    "in; listen on 127.0.0.1 or configure an auth that demands a proof");
  }
  listener_ = COPPICE_TRY(net_.listen(options_.listen, options_.port));
  log_.info("listening", "endpoint={} auth={}", listener_->local_endpoint(),
            authenticator_.demands_proof() ? "proof" : "trust, loopback only");
  fibers_.spawn({.name = "pgwire.accept", .cancel = &stopping_}, [this] { accept_loop(); });
  fibers_.spawn({.name = "pgwire.reaper", .cancel = &stopping_}, [this] { end_slow_starters(); });
  return {};
}

void Server::stop() {
  if (listener_ == nullptr) return;
  stopping_.cancel(Code::kUnavailable, "the server is stopping");
  listener_->close();
  {
    const fiber::MutexGuard guard(mutex_);
    for (auto& [process, entry] : connections_) entry.connection->end(entry.idle);
  }
  fibers_.join();
}

std::size_t Server::connection_count() const {
  const fiber::MutexGuard guard(mutex_);
  return connections_.size();
}

void Server::accept_loop() {
  while (!stopping_.cancelled()) {
    Result<std::unique_ptr<fiber::Socket>> socket = listener_->accept();
    if (socket) {
      take_in(*std::move(socket));
      continue;
    }
    if (stopping_.cancelled()) return;
    // Out of descriptors, most likely: the others go on, and some will end.
    log_.warn("cannot accept a connection", "error={}", socket.error().to_string());
    if (!fiber::sleep_for(100ms)) return;
  }
}

void Server::take_in(std::unique_ptr<fiber::Socket> socket) {
  std::uint32_t process = 0;
  {
    const fiber::MutexGuard guard(mutex_);
    if (stopping_.cancelled() ||
        connections_.size() >= options_.connections_max + kExtraForRefusals)
      return;
    do {
      process = next_process_++ & 0x7fffffff;  // clients read it as a signed number
    } while (process == 0 || connections_.contains(process));
    const auto secret = static_cast<std::uint32_t>(rng_.next());
    auto connection =
        std::make_unique<Connection>(std::move(socket), *this, input_budget_, process, secret);
    connections_.emplace(process, Entry{std::move(connection), clock_.now()});
  }
  watch(process);
}

Status Server::admit() {
  const fiber::MutexGuard guard(mutex_);
  if (connections_.size() <= options_.connections_max) return {};
  return std::unexpected(sql_error("53300", "sorry, too many clients already"));
}

// The next bytes of the connection start a fiber; until then it has none.
void Server::watch(std::uint32_t process) {
  Connection& connection = set_idle(process, true);
  connection.socket().spawn_when_readable(fibers_,
                                          {.name = "pgwire.connection", .cancel = &stopping_},
                                          [this, process] { serve(process); });
}

Connection& Server::set_idle(std::uint32_t process, bool idle) {
  const fiber::MutexGuard guard(mutex_);
  Entry& entry = connections_.at(process);
  entry.idle = idle;
  if (idle && stopping_.cancelled()) entry.connection->end(true);
  return *entry.connection;
}

void Server::serve(std::uint32_t process) {
  if (set_idle(process, false).run()) {
    watch(process);
  } else {
    forget(process);
  }
}

void Server::forget(std::uint32_t process) {
  std::unique_ptr<Connection> gone;
  const fiber::MutexGuard guard(mutex_);
  const auto found = connections_.find(process);
  gone = std::move(found->second.connection);
  connections_.erase(found);
}

void Server::cancel(std::uint32_t process, std::uint32_t secret) {
  const fiber::MutexGuard guard(mutex_);
  const auto found = connections_.find(process);
  if (found == connections_.end() || found->second.connection->secret() != secret) return;
  found->second.connection->cancel();
}

void Server::end_slow_starters() {
  while (fiber::sleep_for(std::min<Duration>(options_.startup_timeout, 1s))) {
    const fiber::MutexGuard guard(mutex_);
    for (auto& [process, entry] : connections_) {
      const bool late = clock_.now() - entry.accepted > options_.startup_timeout;
      if (late && !entry.connection->started()) entry.connection->end(entry.idle);
    }
  }
}

}  // namespace coppice::pgwire
