// byte_text.cpp — the text formats of byte strings.
//
// Source:   PostgreSQL 15, encode.c: what is skipped and which error a bad character raises.
#include "plugins/sql/text/byte_text.h"

#include <cstdint>

#include "interfaces/sql_kernels.h"
#include "interfaces/types/sql_error.h"
#include "plugins/sql/text/utf8.h"

namespace coppice::sql_text {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";
constexpr std::string_view kBase64Digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::size_t kBase64LineChars = 76;

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  const char lower = ascii_lower(c);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

bool is_octal(char c, char max) {
  return c >= '0' && c <= max;
}

std::string first_character(std::string_view text) {
  return std::string(text.substr(0, character_bytes(text)));
}

std::unexpected<Error> bad_input(std::string message) {
  return std::unexpected(sql_error("22023", std::move(message)));
}

}  // namespace

void encode_hex(std::string_view bytes, std::string& to) {
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    to.push_back(kHexDigits[byte >> 4]);
    to.push_back(kHexDigits[byte & 15]);
  }
}

Status decode_hex(std::string_view text, std::string& to) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == ' ' || c == '\n' || c == '\t' || c == '\r') continue;
    const int high = hex_value(c);
    if (high < 0)
      return bad_input("invalid hexadecimal digit: \"" + first_character(text.substr(at)) + "\"");
    if (++at == text.size()) return bad_input("invalid hexadecimal data: odd number of digits");
    const int low = hex_value(text[at]);
    if (low < 0)
      return bad_input("invalid hexadecimal digit: \"" + first_character(text.substr(at)) + "\"");
    to.push_back(static_cast<char>(high << 4 | low));
  }
  return {};
}

namespace {

void append_octal(std::string& to, unsigned char byte) {
  to.push_back('\\');
  to.push_back(static_cast<char>('0' + (byte >> 6)));
  to.push_back(static_cast<char>('0' + (byte >> 3 & 7)));
  to.push_back(static_cast<char>('0' + (byte & 7)));
}

}  // namespace

void encode_escape(std::string_view bytes, std::string& to) {
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte == 0 || byte >= 0x80)
      append_octal(to, byte);
    else if (c == '\\')
      to.append("\\\\");
    else
      to.push_back(c);
  }
}

void append_bytea(std::string& to, std::string_view bytes, bool escape) {
  if (!escape) {
    to.append("\\x");
    return encode_hex(bytes, to);
  }
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte > 0x7E)
      append_octal(to, byte);
    else if (c == '\\')
      to.append("\\\\");
    else
      to.push_back(c);
  }
}

Status decode_escape(std::string_view text, std::string& to) {
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '\\') {
      to.push_back(text[at++]);
    } else if (at + 3 < text.size() && is_octal(text[at + 1], '3') && is_octal(text[at + 2], '7') &&
               is_octal(text[at + 3], '7')) {
      to.push_back(static_cast<char>((text[at + 1] - '0') << 6 | (text[at + 2] - '0') << 3 |
                                     (text[at + 3] - '0')));
      at += 4;
    } else if (at + 1 < text.size() && text[at + 1] == '\\') {
      to.push_back('\\');
      at += 2;
    } else {
      return std::unexpected(sql_error("22P02", "invalid input syntax for type bytea"));
    }
  }
  return {};
}

void encode_base64(std::string_view bytes, std::string& to) {
  std::size_t line = 0;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i)
      group = group << 8 | (i < count ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    for (std::size_t i = 0; i < 4; ++i)
      to.push_back(i <= count ? kBase64Digits[group >> (18 - 6 * i) & 63] : '=');
    line += 4;
    if (line >= kBase64LineChars) {
      to.push_back('\n');
      line = 0;
    }
  }
}

Status decode_base64(std::string_view text, std::string& to) {
  std::uint32_t group = 0;
  int position = 0;
  int padding = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') continue;
    std::uint32_t digit = 0;
    if (c == '=') {
      if (padding == 0) {
        if (position != 2 && position != 3)
          return bad_input("unexpected \"=\" while decoding base64 sequence");
        padding = position == 2 ? 1 : 2;  // how many bytes the last group has
      }
    } else {
      const std::size_t found = kBase64Digits.find(c);
      if (found == std::string_view::npos)
        return bad_input("invalid symbol \"" + first_character(text.substr(at)) +
                         "\" found while decoding base64 sequence");
      digit = static_cast<std::uint32_t>(found);
    }
    group = group << 6 | digit;
    if (++position == 4) {
      to.push_back(static_cast<char>(group >> 16));
      if (padding == 0 || padding > 1) to.push_back(static_cast<char>(group >> 8));
      if (padding == 0 || padding > 2) to.push_back(static_cast<char>(group));
      group = 0;
      position = 0;
    }
  }
  if (position != 0)
    return std::unexpected(sql_error("22023", "invalid base64 end sequence")
                               .note(sql_field::kHint,
                                     "Input data is missing padding, is truncated, or is otherwise "
                                     "corrupted."));
  return {};
}

}  // namespace coppice::sql_text
