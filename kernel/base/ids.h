// ids.h — integers that cannot be mixed up.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace coppice {

template <class Tag, class Rep = std::uint64_t>
struct StrongId {
  Rep value = 0;
  friend auto operator<=>(StrongId, StrongId) = default;
};

using TenantId = StrongId<struct TenantTag, std::uint32_t>;  // a database
using QueryId = StrongId<struct QueryTag>;                   // one statement of one session

}  // namespace coppice

template <class Tag, class Rep>
struct std::hash<coppice::StrongId<Tag, Rep>> {
  std::size_t operator()(coppice::StrongId<Tag, Rep> id) const noexcept {
    return std::hash<Rep>{}(id.value);
  }
};
