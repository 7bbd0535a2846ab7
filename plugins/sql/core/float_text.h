// float_text.h — floating point as text, the way PostgreSQL reads and writes it.
#pragma once

#include <string_view>

#include "kernel/base/bytes.h"
#include "kernel/base/result.h"

namespace coppice::sql_core {

// 22P02 for what is no number, 22003 for what T cannot hold (subnormals are held).
template <class T>
Result<T> float_of(std::string_view text);

// Shortest exact text for extra_float_digits > 0, else %.*g with 6 or 15 digits plus it.
template <class T>
void append_float(ByteBuffer& to, T value, int extra_float_digits);

}  // namespace coppice::sql_core
