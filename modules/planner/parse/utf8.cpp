#include "modules/planner/parse/utf8.h"

#include <immintrin.h>

#include <algorithm>

#include "interfaces/types/sql_error.h"

namespace coppice::planner {

namespace {

// Whether sixteen bytes are all ASCII and none is NUL: as signed bytes, greater than zero.
bool is_plain(const unsigned char* at) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
  return _mm_movemask_epi8(_mm_cmpgt_epi8(bytes, _mm_setzero_si128())) == 0xFFFF;
}

bool is_continuation(unsigned char byte) {
  return (byte & 0xC0) == 0x80;
}

// The length of the sequence that `first` begins; 0 when it begins none.
std::size_t sequence_length(unsigned char first) {
  if (first < 0x80) return 1;
  if (first < 0xC2) return 0;
  if (first < 0xE0) return 2;
  if (first < 0xF0) return 3;
  return first < 0xF5 ? 4 : 0;
}

bool is_legal(const unsigned char* at, std::size_t length) {
  for (std::size_t i = 1; i < length; ++i)
    if (!is_continuation(at[i])) return false;
  switch (at[0]) {
    case 0xE0:
      return at[1] >= 0xA0;
    case 0xED:
      return at[1] < 0xA0;
    case 0xF0:
      return at[1] >= 0x90;
    case 0xF4:
      return at[1] < 0x90;
    default:
      return true;
  }
}

}  // namespace

std::size_t find_invalid_utf8(std::string_view text) {
  const auto* begin = reinterpret_cast<const unsigned char*>(text.data());
  std::size_t i = 0;
  while (i < text.size()) {
    while (text.size() - i >= 16 && is_plain(begin + i)) i += 16;
    if (i == text.size()) break;
    const std::size_t length = begin[i] == 0 ? 0 : sequence_length(begin[i]);
    if (length == 0 || length > text.size() - i || !is_legal(begin + i, length)) return i;
    i += length;
  }
  return i;
}

Status check_utf8(std::string_view text) {
  const std::size_t at = find_invalid_utf8(text);
  if (at == text.size()) return {};
  const auto first = static_cast<unsigned char>(text[at]);
  // PostgreSQL prints as many bytes as the first one announces.
  const std::size_t announced = first < 0xC0   ? 1
                                : first < 0xE0 ? 2
                                : first < 0xF0 ? 3
                                : first < 0xF8 ? 4
                                               : 1;
  const std::size_t end = std::min(text.size(), at + announced);
  std::string message = "invalid byte sequence for encoding \"UTF8\":";
  for (std::size_t i = at; i < end; ++i) {
    constexpr std::string_view kHex = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(text[i]);
    message += " 0x";
    message += kHex[byte >> 4];
    message += kHex[byte & 15];
  }
  return std::unexpected(sql_error("22021", std::move(message)));
}

}  // namespace coppice::planner
