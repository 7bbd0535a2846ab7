// names.h — the nearest known name, for "did you mean" in errors.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace coppice {

// The candidate with the smallest edit distance to `name` (insert, delete, replace, swap
// neighbours), if that distance is at most a third of its length and at least within 1; else empty.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> candidates);

// "a, b, c"
std::string join_names(std::span<const std::string_view> names);

}  // namespace coppice
