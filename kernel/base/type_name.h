// type_name.h — a type's name without RTTI, for service names and boot errors.
#pragma once

#include <string_view>

namespace coppice {

// "Vfs" for coppice::Vfs: the last component of the qualified name.
template <class T>
constexpr std::string_view type_name() {
  constexpr std::string_view pretty = __PRETTY_FUNCTION__;  // "... [with T = coppice::Vfs; ...]"
  constexpr std::size_t from = pretty.find("T = ") + 4;
  constexpr std::size_t to = pretty.find_first_of(";]", from);
  constexpr std::string_view full = pretty.substr(from, to - from);
  constexpr std::size_t colon = full.rfind("::");
  return colon == std::string_view::npos ? full : full.substr(colon + 2);
}

// One address per type: an identity that needs no RTTI.
using TypeId = const void*;
template <class T>
inline constexpr char kTypeIdAnchor = 0;
template <class T>
constexpr TypeId type_id() {
  return &kTypeIdAnchor<T>;
}

}  // namespace coppice
