// format_text.h — identifiers and literals as SQL writes them, and format().
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "kernel/base/result.h"

namespace coppice::sql_text {

Status append_identifier(std::string_view name, std::string& to);
Status append_literal(std::string_view text, std::string& to);

// %s %I %L %%, with position, - and width. 22023 for what is not understood.
Status append_format(std::string_view format,
                     std::span<const std::optional<std::string_view>> values, std::string& to);

}  // namespace coppice::sql_text
