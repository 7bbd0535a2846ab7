// like.cpp — compiling and matching LIKE patterns.
#include "plugins/sql/text/like.h"

#include "interfaces/types/sql_error.h"
#include "plugins/sql/text/find_bytes.h"
#include "plugins/sql/text/utf8.h"

namespace coppice::sql_text {
namespace {

constexpr std::size_t kNowhere = std::string_view::npos;

std::unexpected<Error> ends_with_escape() {
  return std::unexpected(sql_error("22025", "LIKE pattern must not end with escape character"));
}

bool ends_inside_escape(std::string_view pattern) {
  std::size_t slashes = 0;
  while (slashes < pattern.size() && pattern[pattern.size() - 1 - slashes] == '\\') ++slashes;
  return slashes % 2 == 1;
}

}  // namespace

LikePattern::LikePattern(std::string_view pattern, Characters characters)
    : characters_(characters) {
  if (ends_inside_escape(pattern)) {
    broken_ = pattern;
    return;
  }
  pieces_.emplace_back();
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    Piece& piece = pieces_.back();
    if (pattern[at] == '%') {
      pieces_.emplace_back();
      continue;
    }
    const bool any = pattern[at] == '_';
    if (pattern[at] == '\\') ++at;
    piece.units.push_back({pattern[at], any});
    piece.literal.push_back(pattern[at]);
    piece.is_literal &= !any;
  }
  for (Piece& piece : pieces_) piece.bytes_min = piece.units.size();
}

std::size_t LikePattern::next_character(std::string_view text, std::size_t at) const {
  ++at;
  if (characters_ == Characters::kUtf8)
    while (at < text.size() && !starts_character(text[at])) ++at;
  return at;
}

std::size_t LikePattern::match_at(const Piece& piece, std::string_view text, std::size_t at) const {
  if (piece.is_literal)
    return text.substr(at).starts_with(piece.literal) ? at + piece.literal.size() : kNowhere;
  for (const Unit unit : piece.units) {
    if (at >= text.size()) return kNowhere;
    if (unit.any) {
      at = next_character(text, at);
    } else {
      if (text[at] != unit.byte) return kNowhere;
      ++at;
    }
  }
  return at;
}

std::size_t LikePattern::find(const Piece& piece, std::string_view text, std::size_t from) const {
  if (piece.is_literal) {
    const std::size_t found = find_bytes(text, piece.literal, from);
    return found == kNowhere ? kNowhere : found + piece.literal.size();
  }
  for (std::size_t at = from; at + piece.bytes_min <= text.size(); at = next_character(text, at)) {
    const std::size_t end = match_at(piece, text, at);
    if (end != kNowhere) return end;
  }
  return kNowhere;
}

// The piece must end where the text ends: walk back as many units as it has.
std::size_t LikePattern::match_end(const Piece& piece, std::string_view text,
                                   std::size_t from) const {
  if (piece.is_literal) {
    if (text.size() - from < piece.literal.size() || !text.ends_with(piece.literal))
      return kNowhere;
    return text.size();
  }
  std::size_t at = text.size();
  for (std::size_t i = piece.units.size(); i > 0; --i) {
    if (at <= from) return kNowhere;
    --at;
    if (piece.units[i - 1].any) {
      if (characters_ == Characters::kUtf8)
        while (at > from && !starts_character(text[at])) --at;
    } else if (text[at] != piece.units[i - 1].byte) {
      return kNowhere;
    }
  }
  return text.size();
}

Result<bool> LikePattern::matches(std::string_view text) const {
  if (!broken_.empty()) return matches_broken(text);
  if (pieces_.size() == 1) return match_at(pieces_[0], text, 0) == text.size();
  std::size_t at = match_at(pieces_.front(), text, 0);
  if (at == kNowhere) return false;
  for (std::size_t i = 1; i + 1 < pieces_.size(); ++i) {
    at = find(pieces_[i], text, at);
    if (at == kNowhere) return false;
  }
  return match_end(pieces_.back(), text, at) != kNowhere;
}

// A pattern that ends with a lone escape fails only if the text leads matching up to it.
Result<bool> LikePattern::matches_broken(std::string_view text) const {
  const std::string_view pattern = broken_;
  std::size_t at = 0;
  std::size_t unit = 0;
  std::size_t star = kNowhere;  // where the pattern goes on after the last %
  std::size_t star_at = 0;
  while (at < text.size()) {
    const char c = unit < pattern.size() ? pattern[unit] : '\0';
    bool same = false;
    if (unit < pattern.size() && c == '%') {
      star = ++unit;
      star_at = at;
      continue;
    }
    if (unit < pattern.size() && c == '_') {
      at = next_character(text, at);
      ++unit;
      continue;
    }
    if (unit < pattern.size() && c == '\\') {
      if (unit + 1 == pattern.size()) return ends_with_escape();
      same = pattern[unit + 1] == text[at];
    } else {
      same = unit < pattern.size() && c == text[at];
    }
    if (same) {
      unit += c == '\\' ? 2 : 1;
      ++at;
    } else {
      if (star == kNowhere) return false;
      star_at = next_character(text, star_at);
      at = star_at;
      unit = star;
    }
  }
  if (star != kNowhere && pattern.substr(unit) == "\\" && unit == star) return ends_with_escape();
  return false;  // what is left of the pattern wants at least one more character
}

Status append_like_escape(std::string_view pattern, std::string_view escape, Characters characters,
                          std::string& to) {
  if (escape == "\\") {
    to.append(pattern);
    return {};
  }
  const std::size_t escape_bytes =
      characters == Characters::kUtf8 && !escape.empty() ? character_bytes(escape) : 1;
  if (escape.size() > escape_bytes)
    return std::unexpected(
        sql_error("22025", "invalid escape string")
            .note(sql_field::kHint, "Escape string must be empty or one character."));
  bool escaped = false;
  for (std::size_t at = 0; at < pattern.size();) {
    if (!escape.empty() && !escaped && pattern.substr(at).starts_with(escape)) {
      to.push_back('\\');
      at += escape.size();
      escaped = true;
      continue;
    }
    if (pattern[at] == '\\' && !escaped) to.push_back('\\');
    to.push_back(pattern[at++]);
    escaped = false;
  }
  return {};
}

}  // namespace coppice::sql_text
