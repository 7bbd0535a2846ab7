// connection.h — one client: frames messages, keeps the protocol's state, answers.
//
// Role:     between a Socket and a Session. Reads what has arrived, handles every complete message,
//           sends the answers, and gives up its fiber until there is more: an idle connection is
//           this object and its session, without a stack or a buffer.
// Owns:     the socket, the session, the input received so far.
// Threads:  one fiber at a time (run()); cancel() and end() by any.
// Parks:    run(), while the socket is full, in COPY FROM STDIN, and in the session.
// Holds:    answers leave in the order of the messages; after an error in the extended protocol
//           everything up to Sync is skipped.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "interfaces/auth.h"
#include "interfaces/session.h"
#include "kernel/fiber/cancel.h"
#include "kernel/fiber/net.h"
#include "modules/pgwire/backend.h"
#include "modules/pgwire/frontend.h"
#include "modules/pgwire/input.h"

namespace coppice::pgwire {

// What connections share: who may come in, whom a cancel request means.
class Hub {
 public:
  virtual ~Hub() = default;
  virtual SessionFactory& sessions() = 0;
  virtual Authenticator& authenticator() = 0;
  virtual Status admit() = 0;  // 53300, 57P03
  virtual void cancel(std::uint32_t process, std::uint32_t secret) = 0;
};

class Connection {
 public:
  Connection(std::unique_ptr<fiber::Socket> socket, Hub& hub, InputBudget& budget,
             std::uint32_t process, std::uint32_t secret);
  ~Connection();

  // Handles what has arrived. True: idle, call again when the socket is readable. False: over.
  bool run();

  // The running statement ends with 57014; nothing happens when there is none.
  void cancel();
  // The server stops or lost patience. Call with `idle` when run() is not under way and cannot
  // begin meanwhile: says goodbye and closes; else run() does so as soon as its statement lets it.
  void end(bool idle);

  fiber::Socket& socket() { return *socket_; }
  bool started() const { return running_session_ != nullptr; }
  std::uint32_t process() const { return process_; }
  std::uint32_t secret() const { return secret_; }

 private:
  class Sink;

  // All give false when the connection is over.
  bool read_more();
  bool handle_input();
  bool handle_startup(ByteView body);
  bool start_session(const Startup& startup);
  bool handle_message(char type, ByteView body);
  bool handle_query(ByteView body);
  bool handle_extended(char type, ByteView body);
  bool handle_sync();
  bool flush();
  bool fatal(const Error& error);
  void say_goodbye();

  Status run_parse(ByteView body);
  Status run_bind(ByteView body);
  Status run_describe(ByteView body);
  Status run_execute(ByteView body);
  Status run_close(ByteView body);
  void fail_extended(const Error& error);
  void ready();

  std::unique_ptr<fiber::Socket> socket_;
  Hub& hub_;
  const std::uint32_t process_, secret_;
  Input input_;
  MessageWriter out_;
  std::unique_ptr<Session> session_;
  std::atomic<Session*> running_session_ = nullptr;  // session_, for other fibers
  std::map<std::string, std::vector<Format>, std::less<>> portal_formats_;
  bool skip_to_sync_ = false;
  std::atomic<bool> ending_ = false;
};

}  // namespace coppice::pgwire
