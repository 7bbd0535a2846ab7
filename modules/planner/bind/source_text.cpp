// source_text.cpp — tokens by their ends only.
#include "modules/planner/bind/source_text.h"

#include <algorithm>
#include <array>
#include <string>

#include "modules/planner/parse/lexer.h"

namespace coppice::planner {

namespace {

struct Token {
  std::size_t begin = 0, end = 0;
  bool word = false;  // an identifier or a keyword, unquoted
};

// The offset behind a quoted part that opens at `at`.
std::size_t skip_quoted(std::string_view text, std::size_t at, bool escapes) {
  const char quote = text[at++];
  while (at < text.size()) {
    const char c = text[at++];
    if (c == '\\' && escapes) {
      ++at;
    } else if (c == quote) {
      if (at >= text.size() || text[at] != quote) return at;
      ++at;
    }
  }
  return text.size();
}

// $tag$…$tag$, or `at` where there is none.
std::size_t skip_dollar_quoted(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && is_identifier_part(text[end]) && text[end] != '$') ++end;
  if (end >= text.size() || text[end] != '$' || is_digit(text[at + 1])) return at;
  const std::string_view tag = text.substr(at, end + 1 - at);
  const std::size_t close = text.find(tag, end + 1);
  return close == std::string_view::npos ? text.size() : close + tag.size();
}

class Tokens {
 public:
  Tokens(std::string_view text, std::size_t at) : text_(text), at_(at) {}

  // False at the end.
  bool next(Token& token) {
    at_ = skip_blanks(text_, at_);
    if (at_ >= text_.size()) return false;
    token.begin = at_;
    token.word = false;
    const CharClass is = char_class(text_[at_]);
    if (is == CharClass::kQuote || is == CharClass::kDoubleQuote) {
      at_ = skip_quoted(text_, at_, false);
    } else if (is == CharClass::kLetter) {
      while (at_ < text_.size() && is_identifier_part(text_[at_])) ++at_;
      const bool escape_string = at_ == token.begin + 1 &&
                                 to_lower_ascii(text_[token.begin]) == 'e' && at_ < text_.size() &&
                                 text_[at_] == '\'';
      if (escape_string)
        at_ = skip_quoted(text_, at_, true);
      else
        token.word = true;
    } else if (is == CharClass::kDigit) {
      while (at_ < text_.size() && (is_identifier_part(text_[at_]) || text_[at_] == '.')) ++at_;
    } else if (is == CharClass::kDollar) {
      const std::size_t end = skip_dollar_quoted(text_, at_);
      at_ = end == at_ ? at_ + 1 : end;
    } else {
      ++at_;
    }
    token.end = at_ = std::min(at_, text_.size());
    return true;
  }

  std::string word(const Token& token) const {
    std::string folded(text_.substr(token.begin, token.end - token.begin));
    std::ranges::transform(folded, folded.begin(), to_lower_ascii);
    return folded;
  }
  char first(const Token& token) const { return text_[token.begin]; }

 private:
  std::string_view text_;
  std::size_t at_;
};

// Where the next part of a column's definition begins.
constexpr std::array<std::string_view, 11> kConstraintWords = {
    "check",     "collate", "constraint", "default",    "deferrable", "generated",
    "initially", "not",     "primary",    "references", "unique"};

// a IS NOT NULL, and operators, want an operand: what follows is none of ours.
bool wants_operand(const Tokens& tokens, const Token& token, const std::string& word) {
  if (token.word) return word == "is" || word == "from" || word == "not";
  const CharClass is = char_class(tokens.first(token));
  return is == CharClass::kOperator || is == CharClass::kDot || is == CharClass::kColon;
}

}  // namespace

std::string_view default_text(std::string_view text, ast::Location at) {
  if (at < 0) return {};
  Tokens tokens(text, static_cast<std::size_t>(at));
  Token token;
  tokens.next(token);  // DEFAULT
  std::size_t begin = text.size(), end = text.size();
  int depth = 0;
  bool operand_due = true;
  while (tokens.next(token)) {
    const std::string word = token.word ? tokens.word(token) : std::string();
    const char c = tokens.first(token);
    if (depth == 0 && (c == ',' || c == ')' || c == ';')) break;
    const bool begins_constraint =
        word == "null" || std::ranges::find(kConstraintWords, word) != kConstraintWords.end();
    if (depth == 0 && !operand_due && begins_constraint) break;
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    operand_due = wants_operand(tokens, token, word);
    if (begin == text.size()) begin = token.begin;
    end = token.end;
  }
  return begin == text.size() ? std::string_view() : text.substr(begin, end - begin);
}

std::string_view text_after_as(std::string_view text) {
  Tokens tokens(text, 0);
  Token token;
  int depth = 0;
  while (tokens.next(token)) {
    if (tokens.first(token) == '(') ++depth;
    if (tokens.first(token) == ')') --depth;
    if (depth == 0 && token.word && tokens.word(token) == "as")
      return text.substr(skip_blanks(text, token.end));
  }
  return {};
}

}  // namespace coppice::planner
