// utf8.cpp — characters in UTF-8 text.
#include "plugins/sql/text/utf8.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "interfaces/types/sql_error.h"

namespace coppice::sql_text {
namespace {

// Length by the first byte; 0 for a byte that starts nothing.
std::size_t length_by_first(unsigned char first) {
  if (first < 0x80) return 1;
  if (first < 0xC2) return 0;
  if (first < 0xE0) return 2;
  if (first < 0xF0) return 3;
  return first < 0xF5 ? 4 : 0;
}

bool is_valid_character(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  for (std::size_t i = 1; i < character.size(); ++i)
    if (starts_character(character[i])) return false;
  switch (byte(0)) {
    case 0xE0:
      return byte(1) >= 0xA0;  // overlong
    case 0xED:
      return byte(1) <= 0x9F;  // surrogates
    case 0xF0:
      return byte(1) >= 0x90;
    case 0xF4:
      return byte(1) <= 0x8F;
    default:
      return true;
  }
}

Status invalid_sequence(std::string_view rest) {
  // As report_invalid_encoding(): as many bytes as the first one announces, if they are there.
  const auto first = static_cast<unsigned char>(rest[0]);
  std::size_t length = 1;
  if ((first & 0xE0) == 0xC0) length = 2;
  if ((first & 0xF0) == 0xE0) length = 3;
  if ((first & 0xF8) == 0xF0) length = 4;
  length = std::min(length, rest.size());
  std::string message = "invalid byte sequence for encoding \"UTF8\": ";
  static constexpr std::string_view kHex = "0123456789abcdef";
  for (std::size_t i = 0; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(rest[i]);
    message += i == 0 ? "0x" : " 0x";
    message.push_back(kHex[byte >> 4]);
    message.push_back(kHex[byte & 15]);
  }
  return std::unexpected(sql_error("22021", std::move(message)));
}

}  // namespace

std::size_t count_characters(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, starts_character));
}

std::size_t prefix_bytes(std::string_view text, std::size_t characters) {
  if (characters >= text.size()) return text.size();
  std::size_t at = 0;
  for (; at < text.size(); ++at)
    if (starts_character(text[at]) && characters-- == 0) break;
  return at;
}

std::size_t character_bytes(std::string_view text) {
  std::size_t bytes = 1;
  while (bytes < text.size() && !starts_character(text[bytes])) ++bytes;
  return bytes;
}

std::string_view clip_bytes(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && !starts_character(text[bytes])) --bytes;
  return text.substr(0, bytes);
}

Status check_utf8(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    while (text.size() - at >= 8) {  // eight bytes of ASCII without a zero at once
      std::uint64_t word;
      std::memcpy(&word, text.data() + at, 8);
      const std::uint64_t zero = (word - 0x0101010101010101ULL) & ~word;
      if (((word | zero) & 0x8080808080808080ULL) != 0) break;
      at += 8;
    }
    if (at == text.size()) break;
    const auto first = static_cast<unsigned char>(text[at]);
    const std::size_t length = first == 0 ? 0 : length_by_first(first);
    if (length == 0 || length > text.size() - at || !is_valid_character(text.substr(at, length)))
      return invalid_sequence(text.substr(at));
    at += length;
  }
  return {};
}

char32_t code_point(std::string_view text) {
  const auto byte = [&](std::size_t i) -> char32_t {
    return i < text.size() ? static_cast<unsigned char>(text[i]) & 0x3FU : 0;
  };
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return first;
  if (first < 0xE0) return (first & 0x1FU) << 6 | byte(1);
  if (first < 0xF0) return (first & 0x0FU) << 12 | byte(1) << 6 | byte(2);
  return (first & 0x07U) << 18 | byte(1) << 12 | byte(2) << 6 | byte(3);
}

void append_code_point(std::string& to, char32_t code) {
  const auto push = [&](char32_t byte) { to.push_back(static_cast<char>(byte)); };
  if (code < 0x80) return push(code);
  if (code < 0x800) {
    push(0xC0 | code >> 6);
  } else if (code < 0x10000) {
    push(0xE0 | code >> 12);
    push(0x80 | (code >> 6 & 0x3F));
  } else {
    push(0xF0 | code >> 18);
    push(0x80 | (code >> 12 & 0x3F));
    push(0x80 | (code >> 6 & 0x3F));
  }
  push(0x80 | (code & 0x3F));
}

}  // namespace coppice::sql_text
