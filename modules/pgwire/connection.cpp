// connection.cpp — the protocol's state machine.
#include "modules/pgwire/connection.h"

#include <utility>

#include "interfaces/types/sql_error.h"
#include "kernel/base/assert.h"
#include "kernel/fiber/fiber.h"
#include "modules/pgwire/row_slices.h"

namespace coppice::pgwire {

namespace {

constexpr std::size_t kSliceBytes = 256 << 10;  // of strings that are formatted at once
constexpr std::size_t kFlushBytes = 64 << 10;   // answers are sent once there is this much

bool is_loopback(std::string_view endpoint) {
  return endpoint.starts_with("127.") || endpoint.starts_with("[::1]") ||
         endpoint.starts_with("unix:") || endpoint.starts_with("sim:");
}

std::string hex(char byte) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  const auto value = static_cast<unsigned char>(byte);
  return std::string("0x") + kDigits[value >> 4] + kDigits[value & 15];
}

class Exchange final : public AuthExchange {
 public:
  explicit Exchange(bool loopback) : loopback_(loopback) {}
  bool peer_is_loopback() const override { return loopback_; }

 private:
  bool loopback_;
};

}  // namespace

// What a statement's answers go through.
class Connection::Sink final : public ResultSink {
 public:
  // In the simple protocol columns are announced, and all is text.
  Sink(Connection& connection, bool simple, std::span<const Format> formats)
      : connection_(connection), simple_(simple), formats_(formats) {}

  void set_columns(std::vector<ResultColumn> columns) { columns_ = std::move(columns); }

  Status columns(std::span<const ResultColumn> columns) override {
    columns_.assign(columns.begin(), columns.end());
    if (simple_) connection_.out_.row_description(columns, formats_);
    return {};
  }
  Status rows(const RowBatch& batch) override {
    return send_in_slices(batch, kSliceBytes, [this](const RowBatch& slice) -> Status {
      COPPICE_TRY(connection_.out_.data_rows(slice, columns_, formats_,
                                             connection_.session_->sql_settings()));
      return send(false);
    });
  }
  Status command_complete(std::string_view tag) override {
    connection_.out_.command_complete(tag);
    return send(false);
  }
  Status empty_query() override {
    connection_.out_.bare('I');
    return {};
  }
  Status notice(const Error& notice) override {
    connection_.out_.notice(notice, "NOTICE");
    return send(false);
  }
  Status parameter_changed(std::string_view name, std::string_view value) override {
    connection_.out_.parameter_status(name, value);
    return {};
  }
  Status copy_in_begin(const CopyFormat& format) override {
    kept_input_ = connection_.input_.detach();  // the statement's text is in it
    connection_.out_.copy_response('G', format);
    return send(true);
  }
  Result<std::optional<ByteView>> copy_in_next() override;
  Status copy_out_begin(const CopyFormat& format) override {
    connection_.out_.copy_response('H', format);
    return {};
  }
  Status copy_out_data(ByteView data) override {
    connection_.out_.copy_data(data);
    return send(false);
  }
  Status copy_out_end() override {
    connection_.out_.bare('c');
    return send(false);
  }

 private:
  Status send(bool now) {
    if (!now && connection_.out_.size() < kFlushBytes) return {};
    if (!connection_.flush()) return fail(Code::kUnavailable, "the client is gone");
    return {};
  }
  Connection& connection_;
  const bool simple_;
  std::span<const Format> formats_;
  std::vector<ResultColumn> columns_;
  ByteBuffer kept_input_;
};

Result<std::optional<ByteView>> Connection::Sink::copy_in_next() {
  for (;;) {
    const Frame frame = connection_.input_.next(false);
    if (frame.kind == Frame::Kind::kNone) {
      if (!connection_.read_more())
        return fail(Code::kUnavailable, "the client is gone in the middle of COPY");
      continue;
    }
    if (frame.kind == Frame::Kind::kDropped) {
      return std::unexpected(sql_error(sqlstate::kOutOfMemory, "out of memory")
                                 .note(sql_field::kDetail, "A CopyData message is too long."));
    }
    if (frame.kind == Frame::Kind::kBad)
      return std::unexpected(protocol_error("invalid message length"));
    switch (frame.type) {
      case 'd':
        return std::optional(frame.body);
      case 'c':
        return std::optional<ByteView>();
      case 'f': {
        const std::string_view reason = COPPICE_TRY(decode_text(frame.body, "CopyFail"));
        return std::unexpected(
            sql_error(sqlstate::kQueryCanceled, "COPY from stdin failed: " + std::string(reason)));
      }
      case 'H':
      case 'S':
        break;  // allowed and ignored
      default:
        return std::unexpected(protocol_error("unexpected message type " + hex(frame.type) +
                                              " during COPY from stdin"));
    }
  }
}

Connection::Connection(std::unique_ptr<fiber::Socket> socket, Hub& hub, InputBudget& budget,
                       std::uint32_t process, std::uint32_t secret)
    : socket_(std::move(socket)), hub_(hub), process_(process), secret_(secret), input_(budget) {}

Connection::~Connection() = default;

void Connection::cancel() {
  if (Session* session = running_session_) session->cancel();
}

void Connection::end(bool idle) {
  ending_ = true;
  cancel();
  if (!idle) return;
  say_goodbye();
  // The client may be gone already, or not reading: what does not go out at once is not sent.
  for (ByteView rest = out_.view(); !rest.empty();) {
    const Result<std::size_t> sent = socket_->try_write(rest);
    if (!sent || *sent == 0) break;
    rest = rest.subspan(*sent);
  }
  socket_->shutdown();
}

void Connection::say_goodbye() {
  if (session_ == nullptr) return;
  out_.error(
      sql_error(sqlstate::kAdminShutdown, "terminating connection due to administrator command"),
      "FATAL");
}

bool Connection::run() {
  const bool going_on = read_more() && handle_input();
  if (ending_) say_goodbye();
  const bool sent = flush();
  input_.release_if_empty();
  return going_on && sent && !ending_;
}

bool Connection::read_more() {
  const Result<std::size_t> got = socket_->read(input_.space());
  if (!got || *got == 0) return false;
  input_.filled(*got);
  return true;
}

bool Connection::flush() {
  const bool sent = out_.size() == 0 || socket_->write_all(out_.view()).has_value();
  out_.clear();
  return sent;
}

bool Connection::fatal(const Error& error) {
  out_.error(error, "FATAL");
  return false;
}

bool Connection::handle_input() {
  for (;;) {
    const Frame frame = input_.next(session_ == nullptr);
    switch (frame.kind) {
      case Frame::Kind::kNone:
        return true;
      case Frame::Kind::kBad:
        return fatal(protocol_error(session_ == nullptr ? "invalid length of startup packet"
                                                        : "invalid message length"));
      case Frame::Kind::kDropped: {
        const Error error =
            sql_error(sqlstate::kOutOfMemory, "out of memory")
                .note(sql_field::kDetail,
                      "The message is longer than the server's memory for messages allows.");
        if (frame.type == 'Q') {
          session_->fail_transaction();
          out_.error(error, "ERROR");
          ready();
        } else if (!skip_to_sync_) {
          fail_extended(error);
        }
        break;
      }
      case Frame::Kind::kMessage: {
        const bool go_on = session_ == nullptr ? handle_startup(frame.body)
                                               : handle_message(frame.type, frame.body);
        if (!go_on || ending_) return false;
        break;
      }
    }
    if (out_.size() >= kFlushBytes && !flush()) return false;
  }
}

bool Connection::handle_startup(ByteView body) {
  const Result<Startup> startup = decode_startup(body);
  if (!startup) return fatal(startup.error());
  switch (startup->kind) {
    case StartupKind::kSsl:
    case StartupKind::kGssEncryption:
      out_.raw('N');
      return flush();
    case StartupKind::kCancel:
      hub_.cancel(startup->process, startup->secret);
      return false;
    case StartupKind::kStartup:
      return start_session(*startup);
  }
  unreachable();
}

bool Connection::start_session(const Startup& startup) {
  std::vector<std::string_view> unknown;
  for (const auto& [name, value] : startup.parameters) {
    if (name.starts_with("_pq_.")) unknown.push_back(name);
  }
  if (startup.minor > 0 || !unknown.empty()) out_.negotiate_version(unknown);
  Result<SessionRequest> request = session_request(startup);
  if (!request) return fatal(request.error());
  if (const Status admitted = hub_.admit(); !admitted) return fatal(admitted.error());
  request->client_address = socket_->peer_endpoint();
  request->process = process_;
  Exchange exchange(is_loopback(request->client_address));
  if (const Status who = hub_.authenticator().check(request->user, request->database, exchange);
      !who) {
    return fatal(who.error());
  }
  Result<std::unique_ptr<Session>> session = hub_.sessions().open(*request);
  if (!session) return fatal(session.error());
  session_ = *std::move(session);
  running_session_ = session_.get();
  out_.authentication_ok();
  for (const auto& [name, value] : session_->reported_parameters())
    out_.parameter_status(name, value);
  out_.backend_key(process_, secret_);
  ready();
  return true;
}

void Connection::ready() {
  skip_to_sync_ = false;
  out_.ready_for_query(session_->transaction_status());
}

bool Connection::handle_message(char type, ByteView body) {
  switch (type) {
    case 'X':
      return false;
    case 'Q':
      return handle_query(body);
    case 'S':
      return handle_sync();
    case 'H':
      return flush();
    case 'd':
    case 'c':
    case 'f':
      return true;  // left over from a COPY that failed
    case 'F':
      session_->fail_transaction();
      out_.error(sql_error(sqlstate::kFeatureNotSupported,
                           "function calls by protocol message are not supported"),
                 "ERROR");
      ready();
      return true;
    case 'P':
    case 'B':
    case 'D':
    case 'E':
    case 'C':
      return handle_extended(type, body);
    default:
      return fatal(protocol_error("invalid frontend message type " +
                                  std::to_string(static_cast<unsigned char>(type))));
  }
}

bool Connection::handle_query(ByteView body) {
  if (skip_to_sync_) return true;
  const Result<std::string_view> text = decode_text(body, "Query");
  Sink sink(*this, true, {});
  if (!text) {
    session_->fail_transaction();
    out_.error(text.error(), "ERROR");
  } else if (const Status done = session_->run(*text, sink); !done) {
    out_.error(done.error(), "ERROR");
  }
  std::erase_if(portal_formats_, [](const auto& entry) { return entry.first.empty(); });
  ready();
  return true;
}

bool Connection::handle_sync() {
  Sink sink(*this, false, {});
  if (const Status done = session_->sync(sink); !done) out_.error(done.error(), "ERROR");
  if (session_->transaction_status() == TransactionStatus::kIdle) portal_formats_.clear();
  ready();
  return flush();
}

void Connection::fail_extended(const Error& error) {
  out_.error(error, "ERROR");
  session_->fail_transaction();
  skip_to_sync_ = true;
}

bool Connection::handle_extended(char type, ByteView body) {
  if (skip_to_sync_) return true;
  Status done;
  switch (type) {
    case 'P':
      done = run_parse(body);
      break;
    case 'B':
      done = run_bind(body);
      break;
    case 'D':
      done = run_describe(body);
      break;
    case 'E':
      done = run_execute(body);
      break;
    default:
      done = run_close(body);
      break;
  }
  if (!done) fail_extended(done.error());
  return true;
}

Status Connection::run_parse(ByteView body) {
  const ParseMessage message = COPPICE_TRY(decode_parse(body));
  COPPICE_TRY(session_->parse(message.statement, message.text, message.parameter_oids));
  out_.bare('1');
  return {};
}

Status Connection::run_bind(ByteView body) {
  const BindMessage message = COPPICE_TRY(decode_bind(body));
  COPPICE_TRY(session_->bind(message.portal, message.statement, message.parameters));
  if (message.result_formats.size() > 1) {
    const StatementDescription portal = COPPICE_TRY(session_->describe_portal(message.portal));
    if (portal.columns.size() != message.result_formats.size()) {
      return std::unexpected(protocol_error(
          "bind message has " + std::to_string(message.result_formats.size()) +
          " result formats but query has " + std::to_string(portal.columns.size()) + " columns"));
    }
  }
  portal_formats_[std::string(message.portal)] = message.result_formats;
  out_.bare('2');
  return {};
}

Status Connection::run_describe(ByteView body) {
  const NameMessage message = COPPICE_TRY(decode_name(body, "Describe"));
  StatementDescription description;
  std::vector<Format> formats;
  if (message.target == Target::kStatement) {
    description = COPPICE_TRY(session_->describe_statement(message.name));
    out_.parameter_description(description.parameter_oids);
  } else {
    description = COPPICE_TRY(session_->describe_portal(message.name));
    const auto bound = portal_formats_.find(message.name);
    if (bound != portal_formats_.end()) formats = bound->second;
  }
  if (description.has_rows) {
    out_.row_description(description.columns, formats);
  } else {
    out_.bare('n');
  }
  return {};
}

Status Connection::run_execute(ByteView body) {
  const ExecuteMessage message = COPPICE_TRY(decode_execute(body));
  const auto bound = portal_formats_.find(message.portal);
  const std::vector<Format> formats =
      bound == portal_formats_.end() ? std::vector<Format>() : bound->second;
  StatementDescription portal = COPPICE_TRY(session_->describe_portal(message.portal));
  Sink sink(*this, false, formats);
  sink.set_columns(std::move(portal.columns));
  const ExecuteOutcome outcome =
      COPPICE_TRY(session_->execute(message.portal, message.row_limit, sink));
  if (outcome == ExecuteOutcome::kSuspended) out_.bare('s');
  return {};
}

Status Connection::run_close(ByteView body) {
  const NameMessage message = COPPICE_TRY(decode_name(body, "Close"));
  if (message.target == Target::kStatement) {
    session_->close_statement(message.name);
  } else {
    session_->close_portal(message.name);
    if (const auto bound = portal_formats_.find(message.name); bound != portal_formats_.end())
      portal_formats_.erase(bound);
  }
  out_.bare('3');
  return {};
}

}  // namespace coppice::pgwire
