// shape_key.h — the shape of a statement's text: its tokens without the literals, as a 128-bit key.
//
// Role:     first step of the shape cache: `SELECT a FROM t WHERE id = 7` and `select a from T
// where
//           id=8` have one key and a list of one literal each. Two texts with one key have the same
//           tokens, up to the values of literals of the same class, so one cached plan serves both.
// Owns:     its buffers, reused from call to call; literals() and normalized() live until the next.
// Holds:    the text is valid UTF-8 (check_utf8 first: a hit never reaches the parser's check).
// Threads:  one at a time; keep one per worker.
// Parks:    never.
// Errors:   none. read() is false for what it leaves to the parser, uncached: several statements,
//           E'' U&'' B'' X'' N'' $$, string continuation, identifiers of 64 bytes and more, control
//           bytes, anything unterminated, texts above kShapeTextMax.
// Source:   the decision in docs/internals/planner.md; PostgreSQL 15's scan.l for the rules.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "kernel/base/checksum.h"

namespace coppice::planner {

inline constexpr std::size_t kShapeTextMax = 64_KiB;

// The type class of a literal is part of the key, since PostgreSQL types numbers by their size. The
// edges are the integers that fit their type only when a minus sign stands before them.
enum class LiteralClass : std::uint8_t {
  kInt4 = 1,
  kInt4Edge,  // 2147483648
  kInt8,
  kInt8Edge,  // 9223372036854775808
  kNumeric,
  kText,       // 'abc': between the quotes is the value
  kQuotedText  // 'it''s': the quotes inside are doubled
};

struct Literal {
  std::uint32_t offset = 0;  // of the token, quotes included: the location of its ast::Constant,
                             // unless a minus sign was folded into that
  std::uint32_t length = 0;
  LiteralClass type = LiteralClass::kInt4;
};

class ShapeReader {
 public:
  // False: not sure; parse without the cache. `seed` keeps databases, roles and settings apart.
  bool read(std::string_view text, std::uint64_t seed = 0);

  Hash128 key() const { return key_; }
  std::span<const Literal> literals() const { return literals_; }
  // What was hashed: tokens as written, words folded, one byte (LiteralClass) for each literal.
  std::string_view normalized() const { return {buffer_.data(), size_}; }

 private:
  enum class Last : std::uint8_t { kOther, kWord, kSymbol, kText };
  class Pass;

  std::vector<char> buffer_;
  std::size_t size_ = 0;
  std::vector<Literal> literals_;
  Hash128 key_;
};

}  // namespace coppice::planner
