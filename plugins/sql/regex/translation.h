// translation.h — PostgreSQL's advanced regular expressions in the words of RE2.
//
// Threads:  any. Parks: never.
// Errors:   2201B as PostgreSQL words it; 0A000 for what RE2 has no word for.
// Source:   PostgreSQL 15, "POSIX Regular Expressions" and regc_lex.c; RE2's syntax page.
#pragma once

#include <string>
#include <string_view>

#include "kernel/base/result.h"

namespace coppice::sql_regex {

struct Translation {
  std::string pattern;
  bool ignore_case = false;
  bool literal = false;          // ***=, (?q): no regular expression at all
  bool newline_matters = false;  // (?n): . and [^a] stop at a newline, ^ and $ stand beside one
};

Result<Translation> translate(std::string_view pattern, bool ignore_case);

// 2201B invalid regular expression: …
Error invalid_regex(std::string_view why);

}  // namespace coppice::sql_regex
