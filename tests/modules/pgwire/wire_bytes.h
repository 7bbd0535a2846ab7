// wire_bytes.h — protocol messages as a client writes them.
#pragma once

#include <string>

#include "kernel/base/bytes.h"

namespace coppice::testing {

inline std::string be32(std::uint32_t value) {
  std::string bytes(4, '\0');
  store_be(reinterpret_cast<std::byte*>(bytes.data()), value);
  return bytes;
}
inline std::string be16(std::uint16_t value) {
  return be32(value).substr(2);
}
// A C string, its zero included.
inline std::string zero_ended(const std::string& text) {
  return text + '\0';
}
inline std::string message(char type, const std::string& body) {
  return type + be32(static_cast<std::uint32_t>(4 + body.size())) + body;
}
inline std::string query(const std::string& text) {
  return message('Q', zero_ended(text));
}
// Before a session there are no type bytes.
inline std::string startup_packet(const std::string& body) {
  return be32(static_cast<std::uint32_t>(4 + body.size())) + body;
}

}  // namespace coppice::testing
