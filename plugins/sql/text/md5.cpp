// md5.cpp — RFC 1321; a checksum that SQL programs expect, no protection.
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "kernel/base/bytes.h"
#include "plugins/sql/text/byte_text.h"

namespace coppice::sql_text {
namespace {

constexpr std::array<std::array<int, 4>, 4> kShifts = {
    {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}}};

using State = std::array<std::uint32_t, 4>;

void mix(State& state, const std::byte* block, const std::array<std::uint32_t, 64>& sines) {
  auto [a, b, c, d] = state;
  for (std::size_t i = 0; i < 64; ++i) {
    std::uint32_t f = 0;
    std::size_t word = 0;
    switch (i / 16) {
      case 0:
        f = (b & c) | (~b & d);
        word = i;
        break;
      case 1:
        f = (d & b) | (~d & c);
        word = (5 * i + 1) % 16;
        break;
      case 2:
        f = b ^ c ^ d;
        word = (3 * i + 5) % 16;
        break;
      default:
        f = c ^ (b | ~d);
        word = (7 * i) % 16;
        break;
    }
    const std::uint32_t sum = a + f + sines[i] + load_le<std::uint32_t>(block + 4 * word);
    a = d;
    d = c;
    c = b;
    b += std::rotl(sum, kShifts[i / 16][i % 4]);
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
}

}  // namespace

std::string md5_hex(std::string_view bytes) {
  std::array<std::uint32_t, 64> sines;
  for (std::size_t i = 0; i < 64; ++i)
    sines[i] = static_cast<std::uint32_t>(std::fabs(std::sin(static_cast<double>(i + 1))) * 0x1p32);
  State state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  const ByteView all = as_bytes(bytes);
  const std::size_t whole = all.size() / 64 * 64;
  for (std::size_t at = 0; at < whole; at += 64) mix(state, all.data() + at, sines);

  std::array<std::byte, 128> tail{};
  const std::size_t rest = all.size() - whole;
  if (rest != 0) std::memcpy(tail.data(), all.data() + whole, rest);
  tail[rest] = std::byte{0x80};
  const std::size_t tail_bytes = rest < 56 ? 64 : 128;
  store_le(tail.data() + tail_bytes - 8, std::uint64_t{all.size()} * 8);
  for (std::size_t at = 0; at < tail_bytes; at += 64) mix(state, tail.data() + at, sines);

  std::array<std::byte, 16> digest;
  for (std::size_t i = 0; i < 4; ++i) store_le(digest.data() + 4 * i, state[i]);
  std::string hex;
  encode_hex(as_text(digest), hex);
  return hex;
}

}  // namespace coppice::sql_text
