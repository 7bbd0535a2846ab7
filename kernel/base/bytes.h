// bytes.h — byte ranges, size literals, and little-endian loads and stores.
//
// Role:     the vocabulary of everything that is written to disk or to a socket.
// Threads:  any.   Parks: never.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace coppice {

using ByteView = std::span<const std::byte>;
using MutableByteView = std::span<std::byte>;
using ByteBuffer = std::vector<std::byte>;

inline ByteView as_bytes(std::string_view text) {
  return std::as_bytes(std::span<const char>(text.data(), text.size()));
}
inline std::string_view as_text(ByteView bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

inline void append(ByteBuffer& to, ByteView bytes) {
  to.insert(to.end(), bytes.begin(), bytes.end());
}

constexpr std::uint64_t operator""_KiB(unsigned long long n) {
  return n << 10;
}
constexpr std::uint64_t operator""_MiB(unsigned long long n) {
  return n << 20;
}
constexpr std::uint64_t operator""_GiB(unsigned long long n) {
  return n << 30;
}
constexpr std::uint64_t operator""_TiB(unsigned long long n) {
  return n << 40;
}

// `alignment` is a power of two.
constexpr std::uint64_t align_up(std::uint64_t n, std::uint64_t alignment) {
  return (n + alignment - 1) & ~(alignment - 1);
}
constexpr std::uint64_t align_down(std::uint64_t n, std::uint64_t alignment) {
  return n & ~(alignment - 1);
}

static_assert(std::endian::native == std::endian::little,
              "formats are little-endian; port load/store first");

// Unaligned little-endian access; `from` and `to` must have sizeof(T) bytes.
template <std::integral T>
T load_le(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}
template <std::integral T>
void store_le(std::byte* to, T value) {
  std::memcpy(to, &value, sizeof value);
}
// Big-endian: order-preserving keys and the wire protocol.
template <std::integral T>
T load_be(const std::byte* from) {
  T value = load_le<T>(from);
  if constexpr (sizeof(T) == 2)
    return static_cast<T>(__builtin_bswap16(static_cast<std::uint16_t>(value)));
  if constexpr (sizeof(T) == 4)
    return static_cast<T>(__builtin_bswap32(static_cast<std::uint32_t>(value)));
  if constexpr (sizeof(T) == 8)
    return static_cast<T>(__builtin_bswap64(static_cast<std::uint64_t>(value)));
  return value;
}
template <std::integral T>
void store_be(std::byte* to, T value) {
  store_le(to, load_be<T>(reinterpret_cast<const std::byte*>(&value)));
}

}  // namespace coppice
