// find_bytes.cpp — memmem(), whose two-way search never takes quadratic time.
#include "plugins/sql/text/find_bytes.h"

#include <cstring>

namespace coppice::sql_text {

std::size_t find_bytes(std::string_view in, std::string_view what, std::size_t from) {
  if (from > in.size()) return std::string_view::npos;
  if (what.empty()) return from;
  if (in.empty()) return std::string_view::npos;  // its data() may be null, which memmem() refuses
  const void* const found = ::memmem(in.data() + from, in.size() - from, what.data(), what.size());
  if (found == nullptr) return std::string_view::npos;
  return static_cast<std::size_t>(static_cast<const char*>(found) - in.data());
}

}  // namespace coppice::sql_text
