// utf8.h — characters in UTF-8 text: counting, cutting, checking, encoding.
//
// Holds:    text inside the database is valid; counting and cutting read no bytes past its end
//           even when it is not.
#pragma once

#include <string>
#include <string_view>

#include "kernel/base/result.h"

namespace coppice::sql_text {

constexpr bool starts_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
}

std::size_t count_characters(std::string_view text);
// Bytes of the first `characters` characters, or of all of them.
std::size_t prefix_bytes(std::string_view text, std::size_t characters);
// Bytes of the first character; text is not empty.
std::size_t character_bytes(std::string_view text);
// The longest prefix of whole characters within `bytes`.
std::string_view clip_bytes(std::string_view text, std::size_t bytes);

// 22021 invalid byte sequence for encoding "UTF8": 0xff; also for a zero byte.
Status check_utf8(std::string_view text);

// The first code point of valid text, which is not empty.
char32_t code_point(std::string_view text);
void append_code_point(std::string& to, char32_t code);

}  // namespace coppice::sql_text
