// values_reader.h — reads the tuples of a large INSERT … VALUES straight into columns.
//
// Role:     find_bulk_insert() splits the text into header with first tuple, further tuples, and
//           tail; ValuesReader reads the further tuples, literals only. The skeleton (header, first
//           tuple, tail) goes through parser and planner like any statement.
// Owns:     nothing; reads the caller's text in place.
// Threads:  one at a time.
// Parks:    never; read() stops after about `bytes_max`, so that the caller can yield.
// Errors:   none. kFallBack: something that is not a plain literal; the sink's rows are void, and
//           the whole text goes to the parser, which also words the error if there is one.
// Holds:    the text is valid UTF-8 (check_utf8 first). What was read, the parser would have read
//           the same way (tests, fuzz).
// Source:   the decision in docs/internals/planner.md; PostgreSQL 15's scan.l for the rules.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "modules/planner/parse/ast.h"
#include "modules/planner/parse/lexer.h"

namespace coppice::planner {

struct BulkInsert {
  std::size_t first_tuple = 0;  // the offset of its '('
  std::size_t first_end = 0;    // behind its ')'
  std::size_t second_tuple = 0;
  std::size_t columns = 0;  // of the first tuple
};

// Nothing, unless the text surely is INSERT INTO … VALUES with at least two tuples.
std::optional<BulkInsert> find_bulk_insert(std::string_view text);

// The statement with its first tuple only; `tail` is ValuesReader::offset() at the end. If it does
// not parse, parse the whole text for the error's position.
std::string bulk_insert_skeleton(std::string_view text, const BulkInsert& insert, std::size_t tail);

// Whether the parsed skeleton is a plain INSERT of one tuple, to which tuples may be added: the
// tail could also be a UNION, an ORDER BY or a LIMIT.
bool accepts_tuples(const ast::Insert& skeleton);

enum class ReadResult : std::uint8_t { kMore, kDone, kFallBack };

// Sink:  bool integer(std::int64_t);           a number without a fraction that fits int8
//        bool decimal(std::string_view);       any other number, with its sign
//        bool text(std::string_view, bool doubled);  between the quotes; doubled: '' stands for '
//        bool boolean(bool);  bool null();  bool default_value();
//        bool end_row();
// Each is called once per value, from left to right; false makes read() give kFallBack.
template <class Sink>
class ValuesReader {
 public:
  ValuesReader(std::string_view text, const BulkInsert& insert, Sink& sink)
      : text_(text), at_(insert.second_tuple), columns_(insert.columns), sink_(sink) {}

  // Reads whole tuples until about `bytes_max` were read, or no tuple follows: then offset() is
  // behind the last one, where the tail (ON CONFLICT, RETURNING, a semicolon, nothing) begins.
  ReadResult read(std::size_t bytes_max);
  std::size_t offset() const { return at_; }
  std::uint64_t rows() const { return rows_; }

 private:
  bool tuple();
  bool value();
  bool number(bool negative);
  bool quoted();
  bool word();
  void blanks() {
    if (at_ < text_.size() && text_[at_] == ' ') ++at_;
    if (at_ < text_.size() && text_[at_] <= ' ') at_ = skip_blanks(text_, at_);
  }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  std::string_view text_;
  std::size_t at_;
  std::size_t columns_;
  Sink& sink_;
  std::uint64_t rows_ = 0;
};

template <class Sink>
ReadResult ValuesReader<Sink>::read(std::size_t bytes_max) {
  const std::size_t begin = at_;
  while (at_ - begin < bytes_max) {
    if (!tuple()) return ReadResult::kFallBack;
    ++rows_;
    const std::size_t end = at_;
    at_ = skip_blanks(text_, at_);
    if (peek() != ',') {
      at_ = end;  // a comment there belongs to the tail: it may be unterminated
      return ReadResult::kDone;
    }
    at_ = skip_blanks(text_, at_ + 1);
  }
  return ReadResult::kMore;
}

template <class Sink>
bool ValuesReader<Sink>::tuple() {
  if (peek() != '(') return false;
  ++at_;
  for (std::size_t column = 0; column < columns_; ++column) {
    blanks();
    if (!value()) return false;
    blanks();
    if (peek() != (column + 1 < columns_ ? ',' : ')')) return false;
    ++at_;
  }
  return sink_.end_row();
}

template <class Sink>
bool ValuesReader<Sink>::value() {
  const char c = peek();
  if (is_digit(c)) return number(false);
  if (c == '\'') return quoted();
  if (c == '-' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1])) return number(true);
  return word();
}

template <class Sink>
bool ValuesReader<Sink>::number(bool negative) {
  const std::size_t begin = at_;
  const std::size_t digits = begin + (negative ? 1 : 0);
  std::uint64_t integer = 0;
  std::size_t end = digits;
  while (end < text_.size() && is_digit(text_[end]) && end - digits < 18)
    integer = integer * 10 + static_cast<std::uint64_t>(text_[end++] - '0');
  const char next = end < text_.size() ? text_[end] : '\0';
  if (next == ',' || next == ')') [[likely]] {
    at_ = end;
    const auto value = static_cast<std::int64_t>(integer);
    return sink_.integer(negative ? -value : value);
  }
  const NumberToken token = read_number(text_, digits);
  if (token.type == NumberClass::kNone) return false;
  at_ = digits + token.length;
  const bool fits = token.type == NumberClass::kInt4 || token.type == NumberClass::kInt4Edge ||
                    token.type == NumberClass::kInt8 ||
                    (token.type == NumberClass::kInt8Edge && negative);
  if (!fits) return sink_.decimal(text_.substr(begin, at_ - begin));
  return sink_.integer(
      static_cast<std::int64_t>(negative ? std::uint64_t{0} - token.integer : token.integer));
}

template <class Sink>
bool ValuesReader<Sink>::quoted() {
  const std::size_t begin = ++at_;
  bool doubled = false;
  while (true) {
    const void* quote = std::memchr(text_.data() + at_, '\'', text_.size() - at_);
    if (quote == nullptr) return false;
    at_ = static_cast<std::size_t>(static_cast<const char*>(quote) - text_.data()) + 1;
    if (peek() != '\'') break;
    doubled = true;
    ++at_;
  }
  return sink_.text(text_.substr(begin, at_ - 1 - begin), doubled);
}

template <class Sink>
bool ValuesReader<Sink>::word() {
  char folded[8];
  std::size_t length = 0;
  while (at_ < text_.size() && is_identifier_part(text_[at_])) {
    if (length == sizeof folded) return false;
    folded[length++] = to_lower_ascii(text_[at_++]);
  }
  const std::string_view is(folded, length);
  if (is == "null") return sink_.null();
  if (is == "true") return sink_.boolean(true);
  if (is == "false") return sink_.boolean(false);
  return is == "default" && sink_.default_value();
}

}  // namespace coppice::planner
