// pattern.cpp — the only file that sees RE2.
#include "plugins/sql/regex/pattern.h"

#include <re2/re2.h>

#include <utility>

#include "plugins/sql/regex/translation.h"

namespace coppice::sql_regex {

struct Pattern::Compiled {
  Compiled(std::string_view pattern, const RE2::Options& options)
      : expression(re2::StringPiece(pattern.data(), pattern.size()), options) {}
  RE2 expression;
};

namespace {

std::string_view reason(RE2::ErrorCode code) {
  switch (code) {
    case RE2::ErrorBadEscape:
    case RE2::ErrorTrailingBackslash:
      return "invalid escape \\ sequence";
    case RE2::ErrorBadCharClass:
      return "invalid character class";
    case RE2::ErrorBadCharRange:
      return "invalid character range";
    case RE2::ErrorMissingBracket:
      return "brackets [] not balanced";
    case RE2::ErrorMissingParen:
    case RE2::ErrorUnexpectedParen:
      return "parentheses () not balanced";
    case RE2::ErrorRepeatArgument:
    case RE2::ErrorRepeatOp:
    case RE2::ErrorBadPerlOp:
      return "quantifier operand invalid";
    default:
      return "regular expression is too complex";
  }
}

}  // namespace

Pattern::Pattern(std::unique_ptr<Compiled> compiled) : compiled_(std::move(compiled)) {}
Pattern::Pattern(Pattern&&) noexcept = default;
Pattern& Pattern::operator=(Pattern&&) noexcept = default;
Pattern::~Pattern() = default;

Result<Pattern> Pattern::compile(std::string_view pattern, bool ignore_case) {
  Translation translation = COPPICE_TRY(translate(pattern, ignore_case));
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kPatternMemoryMax);
  options.set_case_sensitive(!translation.ignore_case);
  options.set_literal(translation.literal);
  options.set_dot_nl(!translation.newline_matters);
  if (translation.newline_matters && !translation.literal) translation.pattern.insert(0, "(?m)");
  auto compiled = std::make_unique<Compiled>(translation.pattern, options);
  if (!compiled->expression.ok())
    return std::unexpected(invalid_regex(reason(compiled->expression.error_code())));
  return Pattern(std::move(compiled));
}

bool Pattern::matches(std::string_view text) const {
  return compiled_->expression.Match(re2::StringPiece(text.data(), text.size()), 0, text.size(),
                                     RE2::UNANCHORED, nullptr, 0);
}

}  // namespace coppice::sql_regex
