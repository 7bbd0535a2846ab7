// backend.h — what the server sends, encoded.
//
// Role:     appends backend messages of protocol 3.0 to a buffer, which the connection sends.
// Owns:     the buffer.
// Errors:   54000 when a row's message would pass 1 GiB.
// Source:   PostgreSQL 15 manual, 55.7 "Message Formats".
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "interfaces/session.h"
#include "interfaces/sql_pack.h"
#include "kernel/base/bytes.h"
#include "kernel/base/result.h"

namespace coppice::pgwire {

class MessageWriter {
 public:
  ByteView view() const { return out_; }
  std::size_t size() const { return out_.size(); }
  void clear();  // gives memory back above kKeepBytes

  void raw(char byte) { out_.push_back(static_cast<std::byte>(byte)); }  // the answer to SSLRequest

  void authentication_ok();
  void negotiate_version(std::span<const std::string_view> unknown_options);
  void parameter_status(std::string_view name, std::string_view value);
  void backend_key(std::uint32_t process, std::uint32_t secret);
  void ready_for_query(TransactionStatus status);

  void command_complete(std::string_view tag);
  void bare(char type);  // messages without a body: '1' '2' '3' 'I' 'n' 's' 'c'
  void error(const Error& error, std::string_view severity) { fields('E', error, severity); }
  void notice(const Error& notice, std::string_view severity) { fields('N', notice, severity); }

  void parameter_description(std::span<const std::uint32_t> oids);
  void row_description(std::span<const ResultColumn> columns, std::span<const Format> formats);
  // A DataRow for each selected row.
  Status data_rows(const RowBatch& batch, std::span<const ResultColumn> columns,
                   std::span<const Format> formats, const SqlSettings& settings);

  void copy_response(char type, const CopyFormat& format);  // 'G' in, 'H' out
  void copy_data(ByteView data);

 private:
  static constexpr std::size_t kKeepBytes = 16_KiB;

  class Message;
  void u8(std::uint8_t value) { out_.push_back(static_cast<std::byte>(value)); }
  void u16(std::uint16_t value);
  void u32(std::uint32_t value);
  void text(std::string_view value);  // with its zero
  void fields(char type, const Error& error, std::string_view severity);

  ByteBuffer out_;
  std::vector<FormattedColumn> scratch_;
};

// The format of column `column` by Bind's rule: none, one, or one a column.
Format format_of(std::span<const Format> formats, std::size_t column);

}  // namespace coppice::pgwire
