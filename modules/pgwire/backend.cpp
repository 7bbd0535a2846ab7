// backend.cpp — encoding of the backend messages.
#include "modules/pgwire/backend.h"

#include <string>

#include "interfaces/types/sql_error.h"
#include "kernel/base/assert.h"
#include "modules/pgwire/frontend.h"

namespace coppice::pgwire {

// A message under construction: writes its length when it ends.
class MessageWriter::Message {
 public:
  Message(MessageWriter& writer, char type) : writer_(writer) {
    writer_.raw(type);
    at_ = writer_.out_.size();
    writer_.u32(0);
  }
  Message(const Message&) = delete;
  Message& operator=(const Message&) = delete;
  ~Message() {
    const std::size_t length = writer_.out_.size() - at_;
    COPPICE_ASSERT(length <= kMessageBytesMax);
    store_be<std::uint32_t>(writer_.out_.data() + at_, static_cast<std::uint32_t>(length));
  }

 private:
  MessageWriter& writer_;
  std::size_t at_ = 0;
};

void MessageWriter::clear() {
  if (out_.capacity() > kKeepBytes) {
    ByteBuffer().swap(out_);
  } else {
    out_.clear();
  }
}

void MessageWriter::u16(std::uint16_t value) {
  const std::size_t at = out_.size();
  out_.resize(at + 2);
  store_be(out_.data() + at, value);
}

void MessageWriter::u32(std::uint32_t value) {
  const std::size_t at = out_.size();
  out_.resize(at + 4);
  store_be(out_.data() + at, value);
}

void MessageWriter::text(std::string_view value) {
  append(out_, as_bytes(value.substr(0, value.find('\0'))));  // a zero inside would end it early
  u8(0);
}

void MessageWriter::authentication_ok() {
  const Message message(*this, 'R');
  u32(0);
}

void MessageWriter::negotiate_version(std::span<const std::string_view> unknown_options) {
  const Message message(*this, 'v');
  u32(0x00030000);
  u32(static_cast<std::uint32_t>(unknown_options.size()));
  for (const std::string_view option : unknown_options) text(option);
}

void MessageWriter::parameter_status(std::string_view name, std::string_view value) {
  const Message message(*this, 'S');
  text(name);
  text(value);
}

void MessageWriter::backend_key(std::uint32_t process, std::uint32_t secret) {
  const Message message(*this, 'K');
  u32(process);
  u32(secret);
}

void MessageWriter::ready_for_query(TransactionStatus status) {
  const Message message(*this, 'Z');
  raw(static_cast<char>(status));
}

void MessageWriter::command_complete(std::string_view tag) {
  const Message message(*this, 'C');
  text(tag);
}

void MessageWriter::bare(char type) {
  const Message message(*this, type);
}

void MessageWriter::fields(char type, const Error& error, std::string_view severity) {
  const Message message(*this, type);
  const auto field = [this](char key, std::string_view value) {
    raw(key);
    text(value);
  };
  if (const std::string* own = error.find_note(sql_field::kSeverity)) severity = *own;
  field('S', severity);
  field('V', severity);
  field('C', sqlstate_of(error));
  // Contexts are for the log; a client reads what PostgreSQL would say, unless that was not thought
  // of.
  field('M',
        error.find_note(sql_field::kSqlstate) != nullptr ? error.message() : error.to_string());
  for (const char key : {'D', 'H', 'P', 'W', 's', 't', 'c', 'd', 'n'}) {
    if (const std::string* value = error.find_note(key)) field(key, *value);
  }
  u8(0);
}

void MessageWriter::parameter_description(std::span<const std::uint32_t> oids) {
  const Message message(*this, 't');
  u16(static_cast<std::uint16_t>(oids.size()));
  for (const std::uint32_t oid : oids) u32(oid);
}

Format format_of(std::span<const Format> formats, std::size_t column) {
  if (formats.empty()) return Format::kText;
  return formats.size() == 1 ? formats[0] : formats[column];
}

void MessageWriter::row_description(std::span<const ResultColumn> columns,
                                    std::span<const Format> formats) {
  const Message message(*this, 'T');
  u16(static_cast<std::uint16_t>(columns.size()));
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const ResultColumn& column = columns[i];
    text(column.name);
    u32(column.table_oid);
    u16(static_cast<std::uint16_t>(column.attribute));
    u32(column.type_oid);
    u16(static_cast<std::uint16_t>(column.type_size));
    u32(static_cast<std::uint32_t>(column.type_modifier));
    u16(static_cast<std::uint16_t>(format_of(formats, i)));
  }
}

// Columns are formatted one by one, then woven into rows.
Status MessageWriter::data_rows(const RowBatch& batch, std::span<const ResultColumn> columns,
                                std::span<const Format> formats, const SqlSettings& settings) {
  COPPICE_ASSERT(batch.columns.size() >= columns.size());
  scratch_.resize(columns.size());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    scratch_[c].clear();
    const WireForm form =
        format_of(formats, c) == Format::kText ? WireForm::kText : WireForm::kBinary;
    COPPICE_TRY(
        columns[c].type->format(form, batch.columns[c], batch.selection, settings, scratch_[c]));
  }
  const std::size_t rows = batch.selection.count();
  for (std::size_t r = 0; r < rows; ++r) {
    std::size_t length = 4 + 2;
    const auto start_of = [this, r](std::size_t c) {
      const std::int64_t end = r == 0 ? 0 : scratch_[c].ends[r - 1];
      return static_cast<std::size_t>(end < 0 ? -1 - end : end);
    };
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::int64_t end = scratch_[c].ends[r];
      length += 4 + (end < 0 ? 0 : static_cast<std::size_t>(end) - start_of(c));
    }
    if (length > kMessageBytesMax) {
      return std::unexpected(
          sql_error(sqlstate::kProgramLimitExceeded, "row is too large to be sent"));
    }
    std::size_t at = out_.size();
    out_.resize(at + 1 + length);
    std::byte* to = out_.data() + at;
    *to++ = static_cast<std::byte>('D');
    store_be<std::uint32_t>(to, static_cast<std::uint32_t>(length));
    store_be<std::uint16_t>(to + 4, static_cast<std::uint16_t>(columns.size()));
    to += 6;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::int64_t end = scratch_[c].ends[r];
      const std::size_t start = start_of(c);
      const std::size_t size = end < 0 ? 0 : static_cast<std::size_t>(end) - start;
      store_be<std::uint32_t>(to, end < 0 ? 0xffffffffU : static_cast<std::uint32_t>(size));
      if (size != 0) std::memcpy(to + 4, scratch_[c].bytes.data() + start, size);
      to += 4 + size;
    }
  }
  return {};
}

void MessageWriter::copy_response(char type, const CopyFormat& format) {
  const Message message(*this, type);
  u8(format.binary ? 1 : 0);
  u16(static_cast<std::uint16_t>(format.columns));
  for (std::size_t i = 0; i < format.columns; ++i) u16(format.binary ? 1 : 0);
}

void MessageWriter::copy_data(ByteView data) {
  const Message message(*this, 'd');
  append(out_, data);
}

}  // namespace coppice::pgwire
