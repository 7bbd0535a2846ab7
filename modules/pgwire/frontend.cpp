// frontend.cpp — bounded decoding of the frontend messages.
#include "modules/pgwire/frontend.h"

#include <algorithm>

#include "interfaces/types/sql_error.h"

namespace coppice::pgwire {

namespace {

constexpr std::uint32_t kCancelCode = 80877102, kSslCode = 80877103, kGssCode = 80877104;

// Reads network order; past the end it gives zero and fails for good.
class WireReader {
 public:
  explicit WireReader(ByteView from) : from_(from) {}

  std::uint8_t u8() { return fixed<std::uint8_t>(); }
  std::uint16_t u16() { return fixed<std::uint16_t>(); }
  std::uint32_t u32() { return fixed<std::uint32_t>(); }
  ByteView bytes(std::size_t count) {
    if (count > from_.size()) {
      fail();
      return {};
    }
    const ByteView taken = from_.first(count);
    from_ = from_.subspan(count);
    return taken;
  }
  std::string_view text() {  // zero-terminated
    const std::string_view rest = as_text(from_);
    const std::size_t end = rest.find('\0');
    if (end == std::string_view::npos) {
      fail();
      return {};
    }
    from_ = from_.subspan(end + 1);
    return rest.substr(0, end);
  }
  std::size_t remaining() const { return from_.size(); }
  bool ok() const { return ok_; }
  bool done() const { return ok_ && from_.empty(); }

 private:
  template <class T>
  T fixed() {
    const ByteView raw = bytes(sizeof(T));
    return raw.empty() ? T{0} : load_be<T>(raw.data());
  }
  void fail() {
    ok_ = false;
    from_ = {};
  }
  ByteView from_;
  bool ok_ = true;
};

Error bad_message(std::string_view message) {
  return protocol_error("invalid message format").note(sql_field::kDetail, std::string(message));
}

Result<std::vector<Format>> read_formats(WireReader& reader) {
  const std::size_t count = reader.u16();
  if (count * 2 > reader.remaining()) return std::unexpected(bad_message("Bind"));
  std::vector<Format> formats(count);
  for (Format& format : formats) {
    const std::uint16_t code = reader.u16();
    if (code > 1) {
      return std::unexpected(
          sql_error("22023", "unsupported format code: " + std::to_string(code)));
    }
    format = static_cast<Format>(code);
  }
  return formats;
}

}  // namespace

Error protocol_error(std::string message) {
  return sql_error(sqlstate::kProtocolViolation, std::move(message));
}

Result<Startup> decode_startup(ByteView body) {
  WireReader reader(body);
  Startup startup;
  const std::uint32_t code = reader.u32();
  if (code == kSslCode || code == kGssCode) {
    startup.kind = code == kSslCode ? StartupKind::kSsl : StartupKind::kGssEncryption;
    return startup;
  }
  if (code == kCancelCode) {
    startup.kind = StartupKind::kCancel;
    startup.process = reader.u32();
    startup.secret = reader.u32();
    if (!reader.done()) return std::unexpected(protocol_error("invalid length of startup packet"));
    return startup;
  }
  const std::uint32_t major = code >> 16;
  startup.minor = static_cast<std::uint16_t>(code & 0xffff);
  if (major != 3) {
    return std::unexpected(sql_error(sqlstate::kFeatureNotSupported,
                                     "unsupported frontend protocol " + std::to_string(major) +
                                         "." + std::to_string(startup.minor) +
                                         ": server supports 3.0 to 3.0"));
  }
  for (;;) {
    const std::string_view name = reader.text();
    if (name.empty()) break;
    startup.parameters.emplace_back(name, reader.text());
  }
  if (!reader.done()) {
    return std::unexpected(
        protocol_error("invalid startup packet layout: expected terminator as last byte"));
  }
  return startup;
}

namespace {

// Splits "options" as PostgreSQL's pg_split_opts: blanks separate, a backslash takes the next byte
// as it is.
std::vector<std::string> split_options(std::string_view text) {
  std::vector<std::string> words;
  bool in_word = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool blank = text[i] == ' ' || (text[i] >= '\t' && text[i] <= '\r');
    if (blank) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    words.back().push_back(text[i]);
  }
  return words;
}

Status take_options(std::string_view text, SessionRequest& request) {
  const std::vector<std::string> words = split_options(text);
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string_view setting = words[i];
    if (setting == "-c" && i + 1 < words.size()) {
      setting = words[++i];
    } else if (setting.starts_with("-c") || setting.starts_with("--")) {
      setting.remove_prefix(2);
    } else {
      return std::unexpected(
          sql_error("42601", "invalid command-line argument for server process: " + words[i]));
    }
    const std::size_t equals = setting.find('=');
    if (equals == std::string_view::npos) {
      return std::unexpected(
          sql_error("42601", "-c " + std::string(setting) + " requires a value"));
    }
    std::string name(setting.substr(0, equals));
    std::replace(name.begin(), name.end(), '-', '_');
    request.settings.emplace_back(std::move(name), setting.substr(equals + 1));
  }
  return {};
}

}  // namespace

Result<SessionRequest> session_request(const Startup& startup) {
  SessionRequest request;
  for (const auto& [name, value] : startup.parameters) {
    if (name == "user") {
      request.user = value;
    } else if (name == "database") {
      request.database = value;
    } else if (name == "options") {
      COPPICE_TRY(take_options(value, request));
    } else if (name == "replication") {
      const bool off = value == "false" || value == "off" || value == "0" || value == "no";
      if (!off)
        return std::unexpected(
            sql_error(sqlstate::kFeatureNotSupported, "replication connections are not supported"));
    } else if (!name.starts_with("_pq_.")) {
      request.settings.emplace_back(name, value);
    }
  }
  if (request.user.empty()) {
    return std::unexpected(
        sql_error("28000", "no PostgreSQL user name specified in startup packet"));
  }
  if (request.database.empty()) request.database = request.user;
  return request;
}

Result<ParseMessage> decode_parse(ByteView body) {
  WireReader reader(body);
  ParseMessage message;
  message.statement = reader.text();
  message.text = reader.text();
  const std::size_t count = reader.u16();
  if (count * 4 != reader.remaining()) return std::unexpected(bad_message("Parse"));
  message.parameter_oids.resize(count);
  for (std::uint32_t& oid : message.parameter_oids) oid = reader.u32();
  if (!reader.done()) return std::unexpected(bad_message("Parse"));
  return message;
}

Result<BindMessage> decode_bind(ByteView body) {
  WireReader reader(body);
  BindMessage message;
  message.portal = reader.text();
  message.statement = reader.text();
  const std::vector<Format> formats = COPPICE_TRY(read_formats(reader));
  const std::size_t count = reader.u16();
  if (count * 4 > reader.remaining()) return std::unexpected(bad_message("Bind"));
  if (formats.size() > 1 && formats.size() != count) {
    return std::unexpected(protocol_error("bind message has " + std::to_string(formats.size()) +
                                          " parameter formats but " + std::to_string(count) +
                                          " parameters"));
  }
  message.parameters.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    BoundParameter& parameter = message.parameters[i];
    if (!formats.empty()) parameter.format = formats.size() == 1 ? formats[0] : formats[i];
    const std::uint32_t length = reader.u32();
    if (length != 0xffffffff) parameter.value = reader.bytes(length);
  }
  message.result_formats = COPPICE_TRY(read_formats(reader));
  if (!reader.done()) return std::unexpected(bad_message("Bind"));
  return message;
}

Result<NameMessage> decode_name(ByteView body, std::string_view message) {
  WireReader reader(body);
  const auto target = static_cast<char>(reader.u8());
  const std::string_view name = reader.text();
  if (!reader.done()) return std::unexpected(bad_message(message));
  if (target != 'S' && target != 'P') {
    return std::unexpected(protocol_error("invalid " + std::string(message) + " message subtype " +
                                          std::to_string(static_cast<unsigned char>(target))));
  }
  return NameMessage{static_cast<Target>(target), name};
}

Result<ExecuteMessage> decode_execute(ByteView body) {
  WireReader reader(body);
  ExecuteMessage message;
  message.portal = reader.text();
  message.row_limit = reader.u32();
  if (!reader.done()) return std::unexpected(bad_message("Execute"));
  if (message.row_limit > INT32_MAX) message.row_limit = 0;  // PostgreSQL: negative means all
  return message;
}

Result<std::string_view> decode_text(ByteView body, std::string_view message) {
  WireReader reader(body);
  const std::string_view text = reader.text();
  if (!reader.done()) return std::unexpected(bad_message(message));
  return text;
}

}  // namespace coppice::pgwire
