// arena.cpp — chunks of the bump allocator.
#include "modules/planner/parse/arena.h"

#include <algorithm>
#include <cstring>

namespace coppice::planner {

std::string_view Arena::copy(std::string_view text) {
  if (text.empty()) return {};
  char* to = static_cast<char*>(allocate(text.size(), 1));
  std::memcpy(to, text.data(), text.size());
  return {to, text.size()};
}

void* Arena::allocate_chunk(std::size_t bytes, std::size_t alignment) {
  const std::size_t grown = std::clamp(reserved_, kChunkMin, kChunkMax);
  const std::size_t size = std::max(grown, bytes + alignment);
  chunks_.push_back(std::make_unique_for_overwrite<std::byte[]>(size));
  reserved_ += size;
  next_ = reinterpret_cast<std::uintptr_t>(chunks_.back().get());
  end_ = next_ + size;
  const auto at = (next_ + alignment - 1) & ~(alignment - 1);
  next_ = at + bytes;
  return reinterpret_cast<void*>(at);
}

}  // namespace coppice::planner
