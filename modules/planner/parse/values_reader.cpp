#include "modules/planner/parse/values_reader.h"

namespace coppice::planner {

namespace {

// Steps over one token. Gives up (false) on what could hide a quote or a parenthesis from it:
// strings with a prefix, dollar quotes, control bytes, anything unterminated.
class TokenSkipper {
 public:
  TokenSkipper(std::string_view text, std::size_t at) : text_(text), at_(at) {}

  // Stands on the next token; false at the end of the text.
  bool next() {
    at_ = skip_blanks(text_, at_);
    begin_ = at_;
    return at_ < text_.size();
  }
  std::size_t begin() const { return begin_; }
  std::size_t end() const { return at_; }
  char first() const { return text_[begin_]; }

  bool skip() {
    switch (char_class(text_[at_])) {
      case CharClass::kLetter:
        return skip_word();
      case CharClass::kDigit:
        while (at_ < text_.size() && is_identifier_part(text_[at_])) ++at_;
        return true;
      case CharClass::kQuote:
      case CharClass::kDoubleQuote:
        return skip_quoted();
      case CharClass::kDollar:
      case CharClass::kInvalid:
        return false;
      default:
        ++at_;
        return true;
    }
  }

  // Whether the word just skipped is `lower`.
  bool is_word(std::string_view lower) const {
    if (at_ - begin_ != lower.size()) return false;
    for (std::size_t i = 0; i < lower.size(); ++i)
      if (to_lower_ascii(text_[begin_ + i]) != lower[i]) return false;
    return true;
  }

 private:
  bool skip_word() {
    while (at_ < text_.size() && is_identifier_part(text_[at_])) ++at_;
    return at_ == text_.size() || (text_[at_] != '\'' && text_[at_] != '&');
  }
  bool skip_quoted() {  // a doubled quote reads as two quoted tokens: the same end
    const std::size_t end = text_.find(text_[at_], at_ + 1);
    if (end == std::string_view::npos) return false;
    at_ = end + 1;
    return true;
  }

  std::string_view text_;
  std::size_t at_;
  std::size_t begin_ = 0;
};

// Skips a parenthesised list whose '(' was just skipped; counts its top-level items.
bool skip_list(TokenSkipper& tokens, std::size_t& items) {
  std::size_t depth = 1;
  bool empty = true;
  items = 1;
  while (depth > 0) {
    if (!tokens.next() || !tokens.skip()) return false;
    const char c = tokens.first();
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (c == ';') return false;
    if (c == ',' && depth == 1) ++items;
    if (depth > 0) empty = false;
  }
  return !empty;
}

// Skips `INSERT INTO name [AS alias] [(columns)] [OVERRIDING … VALUE] VALUES (`.
bool skip_header(TokenSkipper& tokens) {
  if (!tokens.next() || !tokens.skip() || !tokens.is_word("insert")) return false;
  if (!tokens.next() || !tokens.skip() || !tokens.is_word("into")) return false;
  bool column_list = false;
  while (tokens.next()) {
    if (!tokens.skip()) return false;
    if (tokens.is_word("values")) {
      if (!tokens.next() || !tokens.skip()) return false;
      return tokens.first() == '(';
    }
    if (tokens.is_word("select") || tokens.is_word("with") || tokens.is_word("default"))
      return false;
    const char c = tokens.first();
    if (c == '(') {
      std::size_t items = 0;
      if (column_list || !skip_list(tokens, items)) return false;
      column_list = true;
    } else if (c != '.' && c != '"' && char_class(c) != CharClass::kLetter) {
      return false;
    }
  }
  return false;
}

}  // namespace

std::optional<BulkInsert> find_bulk_insert(std::string_view text) {
  TokenSkipper tokens(text, 0);
  if (!skip_header(tokens)) return std::nullopt;
  BulkInsert insert;
  insert.first_tuple = tokens.begin();
  if (!skip_list(tokens, insert.columns)) return std::nullopt;
  insert.first_end = tokens.end();
  if (!tokens.next() || tokens.first() != ',' || !tokens.skip()) return std::nullopt;
  if (!tokens.next() || tokens.first() != '(') return std::nullopt;
  insert.second_tuple = tokens.begin();
  return insert;
}

std::string bulk_insert_skeleton(std::string_view text, const BulkInsert& insert,
                                 std::size_t tail) {
  std::string skeleton;
  skeleton.reserve(insert.first_end + 1 + text.size() - tail);
  skeleton += text.substr(0, insert.first_end);
  skeleton += ' ';
  skeleton += text.substr(tail);
  return skeleton;
}

bool accepts_tuples(const ast::Insert& skeleton) {
  const ast::Select* source = skeleton.source;
  return source != nullptr && source->values.size() == 1 &&
         source->set_kind == ast::SetKind::kNone && source->with == nullptr &&
         source->order_by.empty() && source->offset == nullptr && source->limit == nullptr &&
         source->locking.empty();
}

}  // namespace coppice::planner
