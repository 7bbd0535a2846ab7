// session.h — what a protocol front (pgwire, later console) talks to: one Session per connection.
//
// Role:     settings, prepared statements, portals and the statement loop live behind it; the front
//           frames messages, converts formats and owns the socket.
// Owns:     a Session owns its transaction; destroying it rolls back.
// Threads:  one call at a time, each from a fiber; cancel() from any fiber at any time.
// Parks:    everything except cancel() and the getters.
// Errors:   as returned; each carries what ErrorResponse needs (types/sql_error.h). After an error
// the
//           session is usable; transaction_status() says in which state.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernel/base/bytes.h"
#include "kernel/base/result.h"

namespace coppice {

struct RowBatch;     // interfaces/types/row_batch.h
class SqlType;       // interfaces/sql_pack.h
struct SqlSettings;  // interfaces/sql_pack.h

enum class Format : std::uint8_t { kText = 0, kBinary = 1 };

struct ResultColumn {
  std::string name;
  std::uint32_t table_oid = 0;  // 0: not a plain column of a table
  std::int16_t attribute = 0;
  std::uint32_t type_oid = 0;
  std::int16_t type_size = -1;  // pg_type.typlen
  std::int32_t type_modifier = -1;
  const SqlType* type = nullptr;  // how to write its values; outlives the session
};

// 'I', 'T' and 'E' of ReadyForQuery.
enum class TransactionStatus : char { kIdle = 'I', kInBlock = 'T', kFailed = 'E' };

struct CopyFormat {
  bool binary = false;
  std::size_t columns = 0;
};

// Where a statement's answer goes. Implemented by the front. Methods may park (a full socket); an
// error from one means that the client is gone, and ends the statement.
class ResultSink {
 public:
  virtual ~ResultSink() = default;
  virtual Status columns(std::span<const ResultColumn> columns) = 0;  // a result set begins
  virtual Status rows(const RowBatch& batch) = 0;                     // selected rows, in order
  virtual Status command_complete(std::string_view tag) = 0;  // "SELECT 3"; ends one statement
  virtual Status empty_query() = 0;                           // instead of command_complete
  virtual Status notice(const Error& notice) = 0;             // severity in note 'S'
  virtual Status parameter_changed(std::string_view name, std::string_view value) = 0;

  // COPY FROM STDIN: announces it, then gives the client's data piece by piece (views valid until
  // the next call); an empty optional is the end. CopyFail is an error, 57014.
  virtual Status copy_in_begin(const CopyFormat& format) = 0;
  virtual Result<std::optional<ByteView>> copy_in_next() = 0;
  // COPY TO STDOUT: announces it, then one call per CopyData message.
  virtual Status copy_out_begin(const CopyFormat& format) = 0;
  virtual Status copy_out_data(ByteView data) = 0;
  virtual Status copy_out_end() = 0;
};

struct StatementDescription {
  std::vector<std::uint32_t> parameter_oids;
  bool has_rows = false;  // else NoData
  std::vector<ResultColumn> columns;
};

// A Bind message's parameter; nullopt is NULL. Views the message: valid during bind() only.
struct BoundParameter {
  Format format = Format::kText;
  std::optional<ByteView> value;
};

enum class ExecuteOutcome : std::uint8_t { kComplete, kSuspended };

class Session {
 public:
  virtual ~Session() = default;

  // Simple query protocol: runs all statements of `text` in order, the answers into `sink`. At the
  // first error the rest is not run. No session state refers to `text` afterwards.
  virtual Status run(std::string_view text, ResultSink& sink) = 0;

  // Extended protocol. Names are the client's; the empty name is the unnamed statement or portal.
  virtual Status parse(std::string_view statement, std::string_view text,
                       std::span<const std::uint32_t> parameter_oids) = 0;
  virtual Result<StatementDescription> describe_statement(std::string_view statement) = 0;
  virtual Status bind(std::string_view portal, std::string_view statement,
                      std::span<const BoundParameter> parameters) = 0;
  virtual Result<StatementDescription> describe_portal(std::string_view portal) = 0;
  // `row_limit` 0 means all. Sends rows and, when the portal is done, command_complete or
  // empty_query; never columns().
  virtual Result<ExecuteOutcome> execute(std::string_view portal, std::uint64_t row_limit,
                                         ResultSink& sink) = 0;
  virtual void close_statement(std::string_view statement) = 0;
  virtual void close_portal(std::string_view portal) = 0;
  // Sync: ends the implicit transaction. An error is what COMMIT would have said.
  virtual Status sync(ResultSink& sink) = 0;
  // The front met an error between messages (a bad Bind, say): the implicit transaction is undone.
  virtual void fail_transaction() = 0;

  virtual TransactionStatus transaction_status() const = 0;
  // What values are written by (time zone, date style); changes with SET.
  virtual const SqlSettings& sql_settings() const = 0;
  // What ParameterStatus must report at start: name, value.
  virtual std::vector<std::pair<std::string, std::string>> reported_parameters() const = 0;

  // The running statement, if any, ends with 57014. Never parks.
  virtual void cancel() = 0;
};

struct SessionRequest {
  std::string user;
  std::string database;  // empty: the user's name
  std::vector<std::pair<std::string, std::string>>
      settings;  // of StartupMessage, "options" taken apart
  std::string client_address;
  std::uint32_t process = 0;  // as BackendKeyData says it: pg_backend_pid()
};

// Offered by module session.
class SessionFactory {
 public:
  virtual ~SessionFactory() = default;
  // 3D000, 28000, 42704 (unknown setting), 53300 (too many).
  virtual Result<std::unique_ptr<Session>> open(const SessionRequest& request) = 0;
};

}  // namespace coppice
