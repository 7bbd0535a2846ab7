// interface_name.h — the word by which TOML and error texts call an interface.
#pragma once

#include <array>
#include <string_view>

#include "kernel/base/type_name.h"

namespace coppice {

namespace detail {
template <class Interface>
struct SnakeName {  // "BlockCache" becomes "block_cache"
  static constexpr std::string_view kFrom = type_name<Interface>();
  static constexpr auto kBuffer = [] {
    std::array<char, 2 * kFrom.size()> out{};
    std::size_t at = 0;
    for (std::size_t i = 0; i < kFrom.size(); ++i) {
      const char c = kFrom[i];
      const bool upper = c >= 'A' && c <= 'Z';
      if (upper && i != 0) out[at++] = '_';
      out[at++] = upper ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return out;
  }();
  static constexpr std::size_t length() {
    std::size_t n = 0;
    while (n < kBuffer.size() && kBuffer[n] != '\0') ++n;
    return n;
  }
};
}  // namespace detail

// "vfs" for Vfs, "block_cache" for BlockCache; an interface with another word in TOML says so by
// `static constexpr std::string_view kInterfaceName = "sql";`.
template <class Interface>
constexpr std::string_view interface_name() {
  if constexpr (requires { Interface::kInterfaceName; }) {
    return Interface::kInterfaceName;
  } else {
    using Name = detail::SnakeName<Interface>;
    return {Name::kBuffer.data(), Name::length()};
  }
}

// An interface as a value: identity and word.
struct InterfaceRef {
  TypeId type = nullptr;
  std::string_view name;
  friend bool operator==(InterfaceRef a, InterfaceRef b) { return a.type == b.type; }
};
template <class Interface>
constexpr InterfaceRef interface_ref() {
  return {type_id<Interface>(), interface_name<Interface>()};
}

}  // namespace coppice
