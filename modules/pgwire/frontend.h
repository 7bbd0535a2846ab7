// frontend.h — what clients send, decoded.
//
// Role:     pure decoders of the frontend messages of protocol 3.0; every view points into the
//           message.
// Errors:   08P01 (kInvalidArgument) for a message that is not what its type says.
// Source:   PostgreSQL 15 manual, 55.7 "Message Formats".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interfaces/session.h"
#include "kernel/base/bytes.h"
#include "kernel/base/result.h"

namespace coppice::pgwire {

inline constexpr std::size_t kHeaderBytes = 5;                 // type, length
inline constexpr std::uint32_t kMessageBytesMax = 0x3fffffff;  // PostgreSQL's MaxAllocSize
inline constexpr std::uint32_t kStartupBytesMax = 10'000;  // PostgreSQL's MAX_STARTUP_PACKET_LENGTH

enum class StartupKind : std::uint8_t { kStartup, kCancel, kSsl, kGssEncryption };

struct Startup {
  StartupKind kind = StartupKind::kStartup;
  std::uint16_t minor = 0;
  std::vector<std::pair<std::string, std::string>> parameters;  // as sent
  std::uint32_t process = 0, secret = 0;                        // kCancel
};
// `body` is what follows the length word.
Result<Startup> decode_startup(ByteView body);

// What a StartupMessage asks for, its "options" taken apart ("-c a=b", "--a=b").
Result<SessionRequest> session_request(const Startup& startup);

struct ParseMessage {
  std::string_view statement, text;
  std::vector<std::uint32_t> parameter_oids;
};
Result<ParseMessage> decode_parse(ByteView body);

struct BindMessage {
  std::string_view portal, statement;
  std::vector<BoundParameter> parameters;
  std::vector<Format> result_formats;  // none: all text; one: for all; else one a column
};
Result<BindMessage> decode_bind(ByteView body);

enum class Target : char { kStatement = 'S', kPortal = 'P' };
struct NameMessage {  // Describe, Close
  Target target = Target::kStatement;
  std::string_view name;
};
Result<NameMessage> decode_name(ByteView body, std::string_view message);

struct ExecuteMessage {
  std::string_view portal;
  std::uint32_t row_limit = 0;
};
Result<ExecuteMessage> decode_execute(ByteView body);

// Query, CopyFail: one string.
Result<std::string_view> decode_text(ByteView body, std::string_view message);

Error protocol_error(std::string message);

}  // namespace coppice::pgwire
