// utf8.h — is a client's text what PostgreSQL would take as UTF-8.
//
// Source:   RFC 3629; PostgreSQL's pg_utf8_islegal: no overlong forms, no surrogates, at most
//           U+10FFFF, and no NUL.
#pragma once

#include <cstddef>
#include <string_view>

#include "kernel/base/result.h"

namespace coppice::planner {

// The first byte of the first wrong sequence, or the text's size when there is none. NUL is wrong.
std::size_t find_invalid_utf8(std::string_view text);

// 22021 with PostgreSQL's words, for what find_invalid_utf8 found.
Status check_utf8(std::string_view text);

}  // namespace coppice::planner
