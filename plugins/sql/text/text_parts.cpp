// text_parts.cpp — cutting and growing texts.
#include "plugins/sql/text/text_parts.h"

#include <algorithm>

#include "interfaces/types/sql_error.h"
#include "plugins/sql/text/text_length.h"
#include "plugins/sql/text/utf8.h"

namespace coppice::sql_text {

std::string_view slice_characters(std::string_view text, std::int64_t first, std::int64_t length) {
  const std::int64_t end = std::max<std::int64_t>(first + length, 0);
  const std::int64_t begin = std::max<std::int64_t>(first, 0);
  if (end <= begin) return {};
  const std::string_view rest = text.substr(prefix_bytes(text, static_cast<std::size_t>(begin)));
  return rest.substr(0, prefix_bytes(rest, static_cast<std::size_t>(end - begin)));
}

std::string_view slice_bytes(std::string_view bytes, std::int64_t first, std::int64_t length) {
  const auto size = static_cast<std::int64_t>(bytes.size());
  const std::int64_t end = std::clamp<std::int64_t>(first + length, 0, size);
  const std::int64_t begin = std::clamp<std::int64_t>(first, 0, size);
  if (end <= begin) return {};
  return bytes.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
}

Error negative_length() {
  return sql_error("22011", "negative substring length not allowed");
}

Status append_bounded(std::string& to, std::string_view text) {
  if (to.size() + text.size() > kValueBytesMax)
    return std::unexpected(
        sql_error(sqlstate::kProgramLimitExceeded, "out of memory")
            .note(sql_field::kDetail, "Cannot enlarge string buffer containing " +
                                          std::to_string(to.size()) + " bytes by " +
                                          std::to_string(text.size()) + " more bytes."));
  to.append(text);
  return {};
}

}  // namespace coppice::sql_text
