// letters.h — case and class of Unicode letters, one code point at a time, whatever the machine.
#pragma once

namespace coppice::sql_text {

char32_t to_lower(char32_t code);
char32_t to_upper(char32_t code);
bool is_alphanumeric(char32_t code);

}  // namespace coppice::sql_text
