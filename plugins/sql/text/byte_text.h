// byte_text.h — bytes as text: hex, escape, base64, and MD5.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "kernel/base/result.h"

namespace coppice::sql_text {

void encode_hex(std::string_view bytes, std::string& to);
void encode_escape(std::string_view bytes, std::string& to);  // encode(…, 'escape')
void encode_base64(std::string_view bytes, std::string& to);  // lines of 76 characters
Status decode_hex(std::string_view text, std::string& to);
Status decode_escape(std::string_view text, std::string& to);
Status decode_base64(std::string_view text, std::string& to);

// The text form of bytea.
void append_bytea(std::string& to, std::string_view bytes, bool escape);

// The hash of RFC 1321, in hex.
std::string md5_hex(std::string_view bytes);

}  // namespace coppice::sql_text
