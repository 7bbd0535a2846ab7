// like.h — LIKE: a pattern of literals, % and _, compiled once and matched in one pass.
//
// Role:     the operators ~~ and its relatives. The pattern is cut at its % into pieces; each piece
//           is found at its leftmost place, which is where it leaves most room for the rest, so
//           nothing is ever tried twice. Pieces without _ are found in linear time.
// Errors:   22025 when matching reaches an escape character that ends the pattern.
// Source:   PostgreSQL 15, like_match.c.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernel/base/result.h"

namespace coppice::sql_text {

enum class Characters : bool { kBytes, kUtf8 };  // what _ stands for

class LikePattern {
 public:
  // \ escapes. `pattern` is not kept.
  LikePattern(std::string_view pattern, Characters characters);

  Result<bool> matches(std::string_view text) const;

 private:
  struct Unit {  // what one character of the text must be
    char byte;   // if not any
    bool any;
  };
  struct Piece {  // between two %
    std::vector<Unit> units;
    std::string literal;  // the same when no unit is any
    bool is_literal = true;
    std::size_t bytes_min = 0;
  };
  // Where the piece ends if it stands at `at`; npos: it does not.
  std::size_t match_at(const Piece& piece, std::string_view text, std::size_t at) const;
  std::size_t match_end(const Piece& piece, std::string_view text, std::size_t from) const;
  std::size_t find(const Piece& piece, std::string_view text, std::size_t from) const;
  Result<bool> matches_broken(std::string_view text) const;
  std::size_t next_character(std::string_view text, std::size_t at) const;

  std::vector<Piece> pieces_;  // one more than there are %
  Characters characters_;
  std::string broken_;  // the pattern, if it ends with an escape character
};

// The pattern with `escape` in place of the backslash: 22025 when escape is longer than one
// character.
Status append_like_escape(std::string_view pattern, std::string_view escape, Characters characters,
                          std::string& to);

}  // namespace coppice::sql_text
