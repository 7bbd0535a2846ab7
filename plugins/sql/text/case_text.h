// case_text.h — texts in another case.
#pragma once

#include <string>
#include <string_view>

namespace coppice::sql_text {

void append_lower(std::string_view text, std::string& to);
void append_upper(std::string_view text, std::string& to);
void append_initcap(std::string_view text, std::string& to);

}  // namespace coppice::sql_text
