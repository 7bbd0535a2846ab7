// text_parts.h — slices of texts, and results that must not grow without bound.
//
// Source:   PostgreSQL 15, text_substring(), stringinfo.c.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "kernel/base/result.h"

namespace coppice::sql_text {

// Characters [first, first + length) of `text`, counted from 0; first may be negative, as in
// substring(x from -1 for 3).
inline constexpr std::int64_t kToTheEnd = std::int64_t{1} << 40;
std::string_view slice_characters(std::string_view text, std::int64_t first, std::int64_t length);
std::string_view slice_bytes(std::string_view bytes, std::int64_t first, std::int64_t length);

// 22011 negative substring length not allowed
Error negative_length();

// 54000 when the result would pass kValueBytesMax.
Status append_bounded(std::string& to, std::string_view text);

}  // namespace coppice::sql_text
