// copy_text.cpp — escaping, cutting, unescaping.
#include "modules/session/copy_text.h"

#include <utility>

#include "interfaces/types/sql_error.h"

namespace coppice::session {

namespace {

char escape_letter(char c) {
  switch (c) {
    case '\b':
      return 'b';
    case '\f':
      return 'f';
    case '\n':
      return 'n';
    case '\r':
      return 'r';
    case '\t':
      return 't';
    case '\v':
      return 'v';
    default:
      return 0;
  }
}

char escape_value(char letter) {
  switch (letter) {
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'v':
      return '\v';
    default:
      return letter;
  }
}

int digit_of(char c, int base) {
  int digit = -1;
  if (c >= '0' && c <= '9') digit = c - '0';
  if (c >= 'a' && c <= 'f') digit = c - 'a' + 10;
  if (c >= 'A' && c <= 'F') digit = c - 'A' + 10;
  return digit < base ? digit : -1;
}

// The character that the escape at text[at] (after the backslash) stands for; moves `at` past it.
char unescape(std::string_view text, std::size_t& at) {
  const char letter = text[at++];
  const bool hex = letter == 'x' && at < text.size() && digit_of(text[at], 16) >= 0;
  const int base = hex ? 16 : 8;
  int value = hex ? 0 : digit_of(letter, 8);
  if (value < 0) return escape_value(letter);
  for (int more = 2; more > 0 && at < text.size(); --more) {
    const int digit = digit_of(text[at], base);
    if (digit < 0) break;
    value = value * base + digit;
    ++at;
  }
  return static_cast<char>(value & 0xFF);
}

std::unexpected<Error> literal_found(std::string_view what, std::string_view letter) {
  return std::unexpected(
      sql_error("22P04", "literal " + std::string(what) + " found in data")
          .note(sql_field::kHint,
                "Use \"\\" + std::string(letter) + "\" to represent " + std::string(what) + "."));
}

}  // namespace

void append_copy_line(std::span<const std::optional<std::string_view>> fields,
                      std::string_view delimiter, std::string_view null_text, std::string& out) {
  bool first = true;
  for (const std::optional<std::string_view>& field : fields) {
    if (!std::exchange(first, false)) out += delimiter;
    if (!field) {
      out += null_text;
      continue;
    }
    for (const char c : *field) {
      if (const char letter = escape_letter(c); letter != 0) {
        out += '\\';
        out += letter;
        continue;
      }
      if (c == '\\' || c == delimiter.front()) out += '\\';
      out += c;
    }
  }
  out += '\n';
}

void CopyFields::split(std::string_view line, char delimiter, std::string_view null_text) {
  bytes_.clear();
  ends_.clear();
  for (std::size_t at = 0;;) {
    const std::size_t begin = at;
    const std::size_t kept = bytes_.size();
    while (at < line.size() && line[at] != delimiter) {
      if (line[at] == '\\' && at + 1 < line.size()) {
        bytes_ += unescape(line, ++at);
      } else {
        bytes_ += line[at++];
      }
    }
    const bool null = line.substr(begin, at - begin) == null_text;
    if (null) bytes_.resize(kept);
    ends_.push_back({bytes_.size(), null});
    if (at == line.size()) return;
    ++at;
  }
}

Result<std::optional<std::string_view>> CopyLines::complete(std::string_view line) {
  ++line_;
  if (!rest_.empty()) {
    rest_ += line;
    line_buffer_ = std::exchange(rest_, {});
    line = line_buffer_;
  }
  if (line == "\\.") {
    finished_ = true;
    return std::optional<std::string_view>();
  }
  return std::optional(line);
}

Result<std::optional<std::string_view>> CopyLines::take(std::size_t length, std::size_t skip) {
  const std::string_view line = piece_.substr(0, length);
  piece_.remove_prefix(length + skip);
  return complete(line);
}

Result<std::optional<std::string_view>> CopyLines::keep() {
  if (rest_.size() + piece_.size() > kLineBytesMax) {
    return std::unexpected(sql_error(sqlstate::kProgramLimitExceeded, "line of COPY is too long"));
  }
  rest_ += std::exchange(piece_, {});
  return std::optional<std::string_view>();
}

// A return was the last that came: what follows says whether it was a line's end.
Result<std::optional<std::string_view>> CopyLines::after_return() {
  if (piece_.empty() && !ended_) return std::optional<std::string_view>();
  after_return_ = false;
  const bool newline = piece_.starts_with('\n');
  const Ending seen = newline ? Ending::kBoth : Ending::kReturn;
  if (ending_ == Ending::kUnknown) ending_ = seen;
  if (ending_ != seen) return literal_found("carriage return", "r");
  return take(0, newline ? 1 : 0);
}

Result<std::optional<std::string_view>> CopyLines::next() {
  if (finished_) return std::optional<std::string_view>();
  if (after_return_) return after_return();
  for (std::size_t at = 0; at < piece_.size(); ++at) {
    const char c = piece_[at];
    if (escaped_) {
      escaped_ = false;
    } else if (c == '\\') {
      escaped_ = true;
    } else if (c == '\n') {
      if (ending_ == Ending::kUnknown) ending_ = Ending::kNewline;
      if (ending_ != Ending::kNewline) return literal_found("newline", "n");
      return take(at, 1);
    } else if (c == '\r') {
      if (ending_ == Ending::kNewline) return literal_found("carriage return", "r");
      rest_ += piece_.substr(0, at);
      piece_.remove_prefix(at + 1);
      after_return_ = true;
      return after_return();
    }
  }
  if (!ended_) return keep();
  if (rest_.empty() && piece_.empty()) {
    finished_ = true;
    return std::optional<std::string_view>();
  }
  return take(piece_.size(), 0);
}

}  // namespace coppice::session
