// object_names.cpp — cutting and numbering.
#include "modules/catalog/object_names.h"

#include <algorithm>

#include "kernel/base/assert.h"

namespace coppice::catalog {

namespace {

// At most `bytes` of `text`, whole characters.
std::string_view clip(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0U) == 0x80U) --bytes;
  return text.substr(0, bytes);
}

std::string joined_columns(const NewIndex& index) {
  std::string joined;
  for (const auto& [column, order] : index.columns) {
    if (!joined.empty()) joined += '_';
    joined += column;
    if (joined.size() > kIdentifierBytesMax) break;
  }
  return joined;
}

}  // namespace

std::string make_object_name(std::string_view first, std::string_view second,
                             std::string_view label) {
  std::size_t overhead = 0;
  if (!second.empty()) ++overhead;
  if (!label.empty()) overhead += label.size() + 1;
  COPPICE_ASSERT(overhead < kIdentifierBytesMax);
  const std::size_t room = kIdentifierBytesMax - overhead;
  std::size_t first_bytes = first.size(), second_bytes = second.size();
  while (first_bytes + second_bytes > room)
    --(first_bytes > second_bytes ? first_bytes : second_bytes);
  std::string name(clip(first, first_bytes));
  if (!second.empty()) name.append("_").append(clip(second, second_bytes));
  if (!label.empty()) name.append("_").append(label);
  return name;
}

std::string index_name_choice(std::string_view table, const NewIndex& index, unsigned attempt) {
  std::string label = index.primary ? "pkey" : index.constraint ? "key" : "idx";
  if (attempt > 0) label += std::to_string(attempt);
  return make_object_name(table, index.primary ? std::string() : joined_columns(index), label);
}

}  // namespace coppice::catalog
