// find_bytes.h — where a byte string stands in another one, in linear time.
#pragma once

#include <string_view>

namespace coppice::sql_text {

// npos: nowhere at or after `from`. An empty `what` is found at once.
std::size_t find_bytes(std::string_view in, std::string_view what, std::size_t from = 0);

}  // namespace coppice::sql_text
