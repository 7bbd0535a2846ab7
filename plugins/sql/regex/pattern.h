// pattern.h — a compiled regular expression.
//
// Threads:  a Pattern may be used by several at once.
// Parks:    never. Matching is linear in the text, compiling in the pattern.
// Errors:   as translation.h; 2201B "regular expression is too complex" above kPatternMemoryMax.
#pragma once

#include <memory>
#include <string_view>

#include "kernel/base/bytes.h"
#include "kernel/base/result.h"

namespace coppice::sql_regex {

inline constexpr std::int64_t kPatternMemoryMax = 4 << 20;  // of a pattern and its automata

class Pattern {
 public:
  static Result<Pattern> compile(std::string_view pattern, bool ignore_case);
  Pattern(Pattern&&) noexcept;
  Pattern& operator=(Pattern&&) noexcept;
  ~Pattern();

  bool matches(std::string_view text) const;  // anywhere in it

 private:
  struct Compiled;
  explicit Pattern(std::unique_ptr<Compiled> compiled);
  std::unique_ptr<Compiled> compiled_;
};

}  // namespace coppice::sql_regex
