// copy_text.h — COPY's text format: lines to fields and back.
//
// Role:     pure; knows bytes, not types. LineReader cuts lines out of pieces of any size.
// Owns:     LineReader owns the beginning of a line that is not complete, within its limit.
// Threads:  one at a time.   Parks: never.
// Errors:   22P04 with PostgreSQL's texts; 54000 for a line above the limit.
// Source:   PostgreSQL 15, COPY, "Text Format".
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/base/bytes.h"
#include "kernel/base/result.h"

namespace coppice::session {

// Appends one line. Fields are escaped; nothing is written as `null_text`.
void append_copy_line(std::span<const std::optional<std::string_view>> fields,
                      std::string_view delimiter, std::string_view null_text, std::string& out);

// One line's fields, unescaped. Reused from line to line.
class CopyFields {
 public:
  void split(std::string_view line, char delimiter, std::string_view null_text);
  std::size_t size() const { return ends_.size(); }
  std::optional<std::string_view> operator[](std::size_t field) const {
    if (ends_[field].null) return std::nullopt;
    const std::size_t begin = field == 0 ? 0 : ends_[field - 1].at;
    return std::string_view(bytes_).substr(begin, ends_[field].at - begin);
  }

 private:
  struct End {
    std::size_t at = 0;
    bool null = false;
  };
  std::string bytes_;
  std::vector<End> ends_;
};

// Takes pieces, gives lines.
class CopyLines {
 public:
  static constexpr std::size_t kLineBytesMax = 1_GiB - 1;

  void feed(ByteView piece) { piece_ = as_text(piece); }  // viewed until it is used up
  void end() { ended_ = true; }                           // no more pieces
  // The next complete line without its end; nothing: feed more (or, after end(), all was read).
  // Views the piece, or this until the next call. "\." ends the data.
  Result<std::optional<std::string_view>> next();
  bool finished() const { return finished_; }
  std::uint64_t line_number() const { return line_; }  // of the line last given, 1-based
  std::size_t buffered_bytes() const { return rest_.capacity() + line_buffer_.capacity(); }

 private:
  enum class Ending : std::uint8_t { kUnknown, kNewline, kReturn, kBoth };
  Result<std::optional<std::string_view>> complete(std::string_view line);
  Result<std::optional<std::string_view>> take(std::size_t length, std::size_t skip);
  Result<std::optional<std::string_view>> keep();  // the piece is the beginning of a line
  Result<std::optional<std::string_view>> after_return();

  std::string_view piece_;
  std::string rest_;         // the beginning of a line
  std::string line_buffer_;  // a line that came in several pieces
  Ending ending_ = Ending::kUnknown;
  bool escaped_ = false;
  bool after_return_ = false;
  bool ended_ = false;
  bool finished_ = false;
  std::uint64_t line_ = 0;
};

}  // namespace coppice::session
