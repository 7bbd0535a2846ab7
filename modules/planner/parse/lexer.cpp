#include "modules/planner/parse/lexer.h"

#include <algorithm>

namespace coppice::planner {

namespace {

// The offset behind the block comment at `at`; they nest.
std::size_t skip_block_comment(std::string_view text, std::size_t at, bool* unterminated) {
  std::size_t depth = 0;
  while (at < text.size()) {
    if (text.compare(at, 2, "/*") == 0) {
      ++depth;
      at += 2;
    } else if (text.compare(at, 2, "*/") == 0) {
      at += 2;
      if (--depth == 0) return at;
    } else {
      ++at;
    }
  }
  if (unterminated != nullptr) *unterminated = true;
  return at;
}

std::size_t skip_comment(std::string_view text, std::size_t at, bool* unterminated = nullptr) {
  if (text[at] == '/') return skip_block_comment(text, at, unterminated);
  return std::min(text.find_first_of("\n\r", at), text.size());
}

std::size_t skip_digits(std::string_view text, std::size_t at) {
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}

NumberClass integer_class(std::string_view digits, std::uint64_t& value) {
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  if (digits.size() > 19) return NumberClass::kNumeric;
  std::uint64_t sum = 0;  // 19 digits fit
  for (const char c : digits) sum = sum * 10 + static_cast<std::uint64_t>(c - '0');
  value = sum;
  constexpr std::uint64_t kInt4Max = INT32_MAX;
  constexpr std::uint64_t kInt8Max = INT64_MAX;
  if (sum <= kInt4Max) return NumberClass::kInt4;
  if (sum == kInt4Max + 1) return NumberClass::kInt4Edge;
  if (sum <= kInt8Max) return NumberClass::kInt8;
  return sum == kInt8Max + 1 ? NumberClass::kInt8Edge : NumberClass::kNumeric;
}

}  // namespace

std::size_t skip_blanks(std::string_view text, std::size_t at, bool* unterminated) {
  while (at < text.size()) {
    if (is_blank(text[at])) {
      ++at;
    } else if (is_comment(text, at)) {
      at = skip_comment(text, at, unterminated);
    } else {
      break;
    }
  }
  return at;
}

NumberToken read_number(std::string_view text, std::size_t at) {
  const std::size_t begin = at;
  std::size_t end = skip_digits(text, at);
  bool integer = true;
  if (end < text.size() && text[end] == '.') {
    integer = false;
    end = skip_digits(text, end + 1);
    if (end == begin + 1) return {};  // a lone dot
  }
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    std::size_t exponent = end + 1;
    if (exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-')) ++exponent;
    const std::size_t exponent_end = skip_digits(text, exponent);
    if (exponent_end == exponent) return {};
    integer = false;
    end = exponent_end;
  }
  if (end < text.size() && is_identifier_part(text[end])) return {};  // junk
  if (end < text.size() && text[end] == '.') return {};               // "1.2.3", "1..2"
  NumberToken token{.type = NumberClass::kNumeric, .length = end - begin, .integer = 0};
  if (integer) token.type = integer_class(text.substr(begin, end - begin), token.integer);
  return token;
}

namespace {

bool is_operator(char c) {
  return char_class(c) == CharClass::kOperator;
}

std::uint64_t rescans_of(std::string_view run) {
  std::uint64_t restarts = 0;
  bool line_comment = false;
  for (std::size_t i = 0; i < run.size(); ++i) {
    line_comment = line_comment || run.compare(i, 2, "--") == 0;
    const bool sign = !line_comment && (run[i] == '+' || run[i] == '-');
    if (sign || run.compare(i, 2, "/*") == 0) ++restarts;
  }
  return restarts * run.size();
}

}  // namespace

// A run that counts holds a character at some multiple of kOperatorRunFree.
std::uint64_t count_rescans_at_most(std::string_view text) {
  std::uint64_t rescans = 0;
  for (std::size_t at = kOperatorRunFree - 1; at < text.size(); at += kOperatorRunFree) {
    if (!is_operator(text[at])) continue;
    std::size_t begin = at;
    while (begin > 0 && is_operator(text[begin - 1])) --begin;
    while (at < text.size() && is_operator(text[at])) ++at;
    if (at - begin > kOperatorRunFree) rescans += rescans_of(text.substr(begin, at - begin));
  }
  return rescans;
}

// Skips only what surely is one token or none; from the first construct that could hide a quote
// (E'', U&, $tag$, a backslash) on, everything is counted.
std::size_t count_tokens_at_most(std::string_view text) {
  std::size_t count = 0;
  std::size_t at = 0;
  bool sure = true;  // three memchrs: find_first_of would take longer than the rest
  for (const char hides : {'\\', '$', '&'})
    sure = sure && text.find(hides) == std::string_view::npos;
  while (at < text.size()) {
    const char c = text[at];
    const CharClass is = char_class(c);
    if (is == CharClass::kBlank) {
      ++at;
    } else if (is == CharClass::kLetter || is == CharClass::kDigit) {
      ++count;
      // A digit and a letter may be two tokens in an error only; a dot ends the run.
      while (at < text.size() && is_identifier_part(text[at])) ++at;
    } else if (sure && (is == CharClass::kQuote || is == CharClass::kDoubleQuote)) {
      ++count;
      const std::size_t end = text.find(c, at + 1);
      at = end == std::string_view::npos ? text.size() : end + 1;
    } else if (sure && is_comment(text, at)) {
      at = skip_comment(text, at);
    } else {
      ++count;
      ++at;
    }
  }
  return count;
}

}  // namespace coppice::planner
