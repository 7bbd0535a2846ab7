// array_text.cpp — braces, quotes and commas.
#include "plugins/sql/catalog/array_text.h"

#include <algorithm>

#include "interfaces/sql_kernels.h"
#include "interfaces/types/sql_error.h"

namespace coppice::sql_catalog {

namespace {

bool is_null_word(std::string_view word) {
  return word.size() == 4 && std::ranges::equal(word, std::string_view("null"), {}, ascii_lower);
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Result<ArrayText> read() {
    skip_spaces();
    if (at_ < text_.size() && text_[at_] == '[')
      return std::unexpected(
          sql_error(sqlstate::kFeatureNotSupported, "array bounds in a literal are not supported"));
    if (!take('{')) return malformed("Array value must start with \"{\" or dimension information.");
    COPPICE_TRY(read_level(0));
    skip_spaces();
    if (at_ != text_.size()) return malformed("Junk after closing right brace.");
    std::size_t known = 0;
    while (known < kDimensionsMax && sizes_[known] >= 0) ++known;
    if (!array_.elements.empty()) {
      array_.dimensions.count = known;
      for (std::size_t i = 0; i < known; ++i) {
        array_.dimensions.sizes[i] = sizes_[i];
        array_.dimensions.lower[i] = 1;
      }
    }
    return std::move(array_);
  }

 private:
  std::unexpected<Error> malformed(std::string detail) const {
    return std::unexpected(
        sql_error("22P02", "malformed array literal: \"" + std::string(text_) + "\"")
            .note(sql_field::kDetail, std::move(detail)));
  }
  std::unexpected<Error> unexpected_here() const {
    if (at_ >= text_.size()) return malformed("Unexpected end of input.");
    return malformed("Unexpected \"" + std::string(1, text_[at_]) + "\" character.");
  }
  void skip_spaces() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }
  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  // Behind a "{", up to its "}"; `depth` is the index of this level's dimension.
  Status read_level(std::size_t depth) {
    std::int32_t count = 0;
    skip_spaces();
    if (depth > 0 || !take('}')) {
      for (;;) {
        skip_spaces();
        COPPICE_TRY(read_item(depth));
        ++count;
        skip_spaces();
        if (take('}')) break;
        if (!take(',')) return unexpected_here();
      }
    }
    if (sizes_[depth] >= 0 && sizes_[depth] != count)
      return malformed("Multidimensional arrays must have sub-arrays with matching dimensions.");
    sizes_[depth] = count;
    return {};
  }

  Status read_item(std::size_t depth) {
    if (take('{')) {
      if (depth + 1 == kDimensionsMax)
        return std::unexpected(
            sql_error(sqlstate::kProgramLimitExceeded,
                      "number of array dimensions (7) exceeds the maximum allowed (6)"));
      if (leaf_depth_ && *leaf_depth_ <= depth) return unexpected_brace();
      return read_level(depth + 1);
    }
    if (leaf_depth_ && *leaf_depth_ != depth)
      return malformed("Multidimensional arrays must have sub-arrays with matching dimensions.");
    leaf_depth_ = depth;
    return take('"') ? read_quoted() : read_plain();
  }
  Status unexpected_brace() const { return malformed("Unexpected \"{\" character."); }

  Status read_quoted() {
    std::string element;
    for (;;) {
      if (at_ >= text_.size()) return malformed("Unexpected end of input.");
      const char c = text_[at_++];
      if (c == '"') break;
      if (c == '\\' && at_ >= text_.size()) return malformed("Unexpected end of input.");
      element.push_back(c == '\\' ? text_[at_++] : c);
    }
    array_.elements.emplace_back(std::move(element));
    return {};
  }

  Status read_plain() {
    std::string element;
    std::size_t kept = 0;  // bytes up to the last that is no space, or is escaped
    bool escaped = false;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == ',' || c == '}') break;
      if (c == '{' || c == '"') return unexpected_here();
      if (c == '\\') {
        escaped = true;
        if (++at_ >= text_.size()) return malformed("Unexpected end of input.");
      }
      element.push_back(text_[at_]);
      if (c == '\\' || !is_space(c)) kept = element.size();
    }
    if (at_ >= text_.size()) return malformed("Unexpected end of input.");
    element.resize(kept);
    if (element.empty()) return unexpected_here();
    if (!escaped && is_null_word(element)) {
      array_.elements.emplace_back();
    } else {
      array_.elements.emplace_back(std::move(element));
    }
    return {};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  ArrayText array_;
  std::array<std::int32_t, kDimensionsMax> sizes_ = {-1, -1, -1, -1, -1, -1};
  std::optional<std::size_t> leaf_depth_;  // of the level that holds the elements
};

bool needs_quotes(std::string_view text) {
  return text.empty() || is_null_word(text) || std::ranges::any_of(text, [](char c) {
           return c == '{' || c == '}' || c == '"' || c == '\\' || c == ',' || is_space(c);
         });
}

void write_element(std::optional<std::string_view> text, ByteBuffer& to) {
  if (!text) return append_text(to, "NULL");
  if (!needs_quotes(*text)) return append_text(to, *text);
  append_text(to, "\"");
  for (const char c : *text) {
    if (c == '"' || c == '\\') append_text(to, "\\");
    append_text(to, std::string_view(&c, 1));
  }
  append_text(to, "\"");
}

}  // namespace

Result<ArrayText> parse_array_text(std::string_view text) {
  return Reader(text).read();
}

void write_array_text(const Dimensions& dimensions,
                      const std::vector<std::optional<std::string_view>>& texts, ByteBuffer& to) {
  if (texts.empty()) return append_text(to, "{}");
  const auto bounds = std::span(dimensions.lower).first(dimensions.count);
  if (std::ranges::any_of(bounds, [](std::int32_t bound) { return bound != 1; })) {
    for (std::size_t i = 0; i < dimensions.count; ++i) {
      append_text(to, "[");
      append_number(to, dimensions.lower[i]);
      append_text(to, ":");
      append_number(to, std::int64_t{dimensions.lower[i]} + dimensions.sizes[i] - 1);
      append_text(to, "]");
    }
    append_text(to, "=");
  }
  std::array<std::size_t, kDimensionsMax> strides = {};  // elements in one sub-array of a level
  std::size_t stride = 1;
  for (std::size_t i = dimensions.count; i-- > 0;)
    strides[i] = stride *= static_cast<std::size_t>(dimensions.sizes[i]);
  for (std::size_t at = 0; at < texts.size(); ++at) {
    if (at > 0) append_text(to, ",");
    for (std::size_t i = 0; i < dimensions.count; ++i)
      if (at % strides[i] == 0) append_text(to, "{");
    write_element(texts[at], to);
    for (std::size_t i = 0; i < dimensions.count; ++i)
      if ((at + 1) % strides[i] == 0) append_text(to, "}");
  }
}

}  // namespace coppice::sql_catalog
