// lexer.h — C++ source as tokens: enough for the lint, far from a compiler.
//
// Role:     rules look for token sequences, so that no comment, string or line break fools them.
// Owns:     nothing; tokens and includes view the text that was given.
// Errors:   none: text that is not C++ gives tokens that mean nothing.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace coppice::tidy {

enum class TokenKind : std::uint8_t { kWord, kNumber, kText, kPunctuation };

struct Token {
  TokenKind kind;
  std::string_view text;  // of a string or character literal: with its quotes
  int line;
  bool directive;  // stands in a preprocessor line other than #include
};

struct Include {
  std::string_view path;
  bool angled;
  int line;
};

struct Source {
  std::vector<Token> tokens;  // comments left out; `::`, `->` and `...` are one token each
  std::vector<Include> includes;
  bool pragma_once = false;
};

Source lex(std::string_view text);

}  // namespace coppice::tidy
