// lexer.h — what a character is to PostgreSQL's lexer, and how blanks and numbers are read.
//
// Role:     the part of scan.l that the shape key, the bulk VALUES reader and the memory estimate
//           share. Where these readers are not sure, they give up and the real parser is asked.
// Threads:  any.   Parks: never.   Errors: none.
// Source:   PostgreSQL 15, src/backend/parser/scan.l (rules re-told, not copied).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace coppice::planner {

enum class CharClass : std::uint8_t {
  kInvalid,     // control bytes: the real lexer knows
  kBlank,       // space, tab, newline, return, form feed
  kLetter,      // may begin an identifier: letters, underscore, bytes from 0x80
  kDigit,       // may continue one
  kDollar,      // may continue one
  kOperator,    // ~ ! @ # ^ & | ` ? + - * / % < > =
  kDot,         // .
  kColon,       // :
  kSelf,        // ( ) [ ] , ;
  kQuote,       // '
  kDoubleQuote  // "
};

namespace detail {
consteval std::array<CharClass, 256> char_classes() {
  std::array<CharClass, 256> classes{};
  for (std::size_t c = 0; c < 256; ++c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
    if (letter) classes[c] = CharClass::kLetter;
    if (c >= '0' && c <= '9') classes[c] = CharClass::kDigit;
  }
  for (const char c : std::string_view(" \t\n\r\f"))
    classes[static_cast<unsigned char>(c)] = CharClass::kBlank;
  for (const char c : std::string_view("~!@#^&|`?+-*/%<>="))
    classes[static_cast<unsigned char>(c)] = CharClass::kOperator;
  for (const char c : std::string_view("()[],;"))
    classes[static_cast<unsigned char>(c)] = CharClass::kSelf;
  classes['$'] = CharClass::kDollar;
  classes['.'] = CharClass::kDot;
  classes[':'] = CharClass::kColon;
  classes['\''] = CharClass::kQuote;
  classes['"'] = CharClass::kDoubleQuote;
  return classes;
}
inline constexpr std::array<CharClass, 256> kCharClasses = char_classes();
}  // namespace detail

inline CharClass char_class(char c) {
  return detail::kCharClasses[static_cast<unsigned char>(c)];
}
inline bool is_blank(char c) {
  return char_class(c) == CharClass::kBlank;
}
inline bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
inline bool is_identifier_part(char c) {
  const CharClass is = char_class(c);
  return is == CharClass::kLetter || is == CharClass::kDigit || is == CharClass::kDollar;
}
inline char to_lower_ascii(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

// The offset of the first character at or after `at` that is neither blank nor in a comment. An
// unterminated comment, which the real lexer refuses, ends with the text and is reported.
std::size_t skip_blanks(std::string_view text, std::size_t at, bool* unterminated = nullptr);
// Whether a comment begins at `at`.
inline bool is_comment(std::string_view text, std::size_t at) {
  if (at + 1 >= text.size()) return false;
  return (text[at] == '-' && text[at + 1] == '-') || (text[at] == '/' && text[at + 1] == '*');
}

// How PostgreSQL types a number by its text. The edges are the two integers that fit their type
// only together with a minus sign, which is a token of its own.
enum class NumberClass : std::uint8_t {
  kNone,  // not a number, or one that the real lexer must judge (junk after it)
  kInt4,
  kInt4Edge,  // 2147483648
  kInt8,
  kInt8Edge,  // 9223372036854775808
  kNumeric,
};
struct NumberToken {
  NumberClass type = NumberClass::kNone;
  std::size_t length = 0;
  std::uint64_t integer = 0;  // of all but kNumeric
};
// Reads the unsigned number at `at`, which is a digit, or a dot before a digit.
NumberToken read_number(std::string_view text, std::size_t at);

// At least the number of tokens in `text`, for the memory estimate.
std::size_t count_tokens_at_most(std::string_view text);

// PostgreSQL's scanner matches a whole run of operator characters, then gives most of it back where
// the run holds a comment's begin or ends in a sign: the square of the run's length. This is how
// many characters it may read again; runs up to kOperatorRunFree do not count.
inline constexpr std::size_t kOperatorRunFree = 256;
std::uint64_t count_rescans_at_most(std::string_view text);

}  // namespace coppice::planner
