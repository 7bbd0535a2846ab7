// text_length.h — varchar(n), char(n), "char": what a text becomes when it must fit.
//
// Source:   PostgreSQL 15, varchar.c, char.c.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "interfaces/sql_kernels.h"
#include "kernel/base/result.h"

namespace coppice::sql_text {

inline constexpr std::int32_t kModifierOffset = 4;  // typmod = n + 4 (VARHDRSZ)
// What a function may make of one value. PostgreSQL's is MaxAllocSize, just below 1 GiB; but values
// are made, copied and sent before anything can be reserved for them, and the process has promised
// how much memory it takes.
inline constexpr std::size_t kValueBytesMax = 64 << 20;
inline constexpr std::int64_t kLengthMax = 10485760;  // MaxAttrSize

// The bytes of `text` that varchar(n) keeps: beyond n characters only spaces may be cut, unless
// the cast is explicit. 22001.
Result<std::string_view> fit_varchar(std::string_view text, std::int32_t modifier,
                                     bool is_explicit);
// The same for char(n), with what is short padded.
Status fit_bpchar(std::string_view text, std::int32_t modifier, bool is_explicit, std::string& to);

// "char": its one byte from text, where \ooo is a byte in octal, and back. The zero byte is "".
std::string char_of_text(std::string_view text);
std::string text_of_char(std::string_view value);

constexpr std::string_view without_padding(std::string_view text) {
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

}  // namespace coppice::sql_text
