// lexer.cpp — one pass over the characters.
#include "tests/tidy/lexer.h"

#include <cctype>
#include <string>

namespace coppice::tidy {
namespace {

bool is_word_start(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_word(char c) {
  return is_word_start(c) || is_digit(c);
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Source run() {
    while (at_ < text_.size()) step();
    return std::move(source_);
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool sees(std::string_view what) const { return text_.substr(at_).starts_with(what); }
  void skip(std::size_t count) {
    for (; count > 0 && at_ < text_.size(); --count) {
      if (text_[at_++] == '\n') ++line_;
    }
  }
  void skip_past(std::string_view what) {
    const std::size_t found = text_.find(what, at_);
    skip(found == std::string_view::npos ? text_.size() - at_ : found + what.size() - at_);
  }

  void step() {
    const char c = peek();
    if (c == '\n') {
      skip(1);
      line_is_empty_ = true;
      directive_ = false;
    } else if (sees("\\\n")) {  // a directive goes on
      skip(2);
    } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      skip(1);
    } else if (sees("//")) {
      skip(text_.substr(at_).find('\n') == std::string_view::npos ? text_.size() - at_
                                                                  : text_.find('\n', at_) - at_);
    } else if (sees("/*")) {
      skip(2);
      skip_past("*/");
    } else if (c == '#' && line_is_empty_) {
      directive();
    } else {
      line_is_empty_ = false;
      token();
    }
  }

  void directive() {
    line_is_empty_ = false;
    skip(1);
    while (peek() == ' ') skip(1);
    if (sees("include")) {
      skip(7);
      while (peek() == ' ') skip(1);
      const bool angled = peek() == '<';
      skip(1);
      const std::size_t from = at_;
      while (at_ < text_.size() && peek() != (angled ? '>' : '"') && peek() != '\n') skip(1);
      source_.includes.push_back({text_.substr(from, at_ - from), angled, line_});
      if (peek() != '\n') skip(1);
      return;
    }
    if (sees("pragma once")) source_.pragma_once = true;
    directive_ = true;
  }

  void token() {
    const char c = peek();
    const std::size_t from = at_;
    const int line = line_;
    TokenKind kind = TokenKind::kPunctuation;
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
      kind = TokenKind::kNumber;
      while (is_word(peek()) || peek() == '.' || (peek() == '\'' && is_word(peek(1)))) skip(1);
    } else if (is_word_start(c)) {
      kind = TokenKind::kWord;
      while (is_word(peek())) skip(1);
      if (peek() == '"' && text_.substr(from, at_ - from).ends_with('R')) {
        kind = TokenKind::kText;
        raw_string();
      }
    } else if (c == '"' || c == '\'') {
      kind = TokenKind::kText;
      quoted(c);
    } else if (sees("...")) {
      skip(3);
    } else if (sees("::") || sees("->")) {
      skip(2);
    } else {
      skip(1);
    }
    source_.tokens.push_back({kind, text_.substr(from, at_ - from), line, directive_});
  }

  void quoted(char quote) {
    skip(1);
    while (at_ < text_.size() && peek() != quote && peek() != '\n') skip(peek() == '\\' ? 2 : 1);
    if (peek() == quote) skip(1);
  }

  void raw_string() {
    skip(1);
    const std::size_t open = text_.find('(', at_);
    if (open == std::string_view::npos) return;
    const std::string close = ")" + std::string(text_.substr(at_, open - at_)) + "\"";
    skip_past(close);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
  bool line_is_empty_ = true;  // so far; a `#` then starts a directive
  bool directive_ = false;
  Source source_;
};

}  // namespace

Source lex(std::string_view text) {
  return Lexer(text).run();
}

}  // namespace coppice::tidy
