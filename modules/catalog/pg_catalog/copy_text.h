// copy_text.h — reads the lines and fields of COPY's text format.
//
// Role:     the format of the built-in data, and in which a session tells its settings.
// Source:   PostgreSQL 15, COPY, "Text Format".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coppice::catalog {

// Takes the first line off `text`; nothing at its end.
std::optional<std::string_view> take_line(std::string_view& text);

// A line's fields; \N is nothing. Escapes are resolved as far as COPY TO writes them.
std::vector<std::optional<std::string>> copy_fields(std::string_view line);

}  // namespace coppice::catalog
