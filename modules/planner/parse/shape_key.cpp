#include "modules/planner/parse/shape_key.h"

#include "modules/planner/parse/lexer.h"

namespace coppice::planner {

namespace {
constexpr std::size_t kIdentifierMax = 63;  // PostgreSQL cuts longer ones, with a notice
}  // namespace

// One pass over one text. The output never grows past the input: a literal becomes one byte, and a
// space is written only where blanks were read.
class ShapeReader::Pass {
 public:
  Pass(std::string_view text, char* out, std::vector<Literal>& literals)
      : text_(text), out_(out), literals_(literals) {}

  bool run() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      bool sure = true;
      switch (char_class(c)) {
        case CharClass::kBlank:
          gap_ = true;
          ++at_;
          break;
        case CharClass::kLetter:
          sure = word();
          break;
        case CharClass::kDigit:
          sure = number();
          break;
        case CharClass::kQuote:
          sure = quoted_text();
          break;
        case CharClass::kDoubleQuote:
          sure = quoted_identifier();
          break;
        case CharClass::kDot:
          sure = dot();
          break;
        case CharClass::kOperator:
          if (is_comment(text_, at_)) {
            sure = blanks();
            break;
          }
          [[fallthrough]];
        case CharClass::kColon:
          sure = symbol(c);
          break;
        case CharClass::kSelf:
          sure = c == ';' ? only_blanks_follow() : self(c);
          break;
        case CharClass::kDollar:
          sure = parameter();
          break;
        case CharClass::kInvalid:
          sure = false;
          break;
      }
      if (!sure) return false;
    }
    return true;
  }

  std::size_t size(const char* begin) const { return static_cast<std::size_t>(out_ - begin); }

 private:
  // A space, where leaving it out could join this token to the last.
  void begin_token(Last kind) {
    if (gap_ && last_ == kind) *out_++ = ' ';
    gap_ = false;
    last_ = kind;
  }

  bool blanks() {
    bool unterminated = false;
    at_ = skip_blanks(text_, at_, &unterminated);
    gap_ = true;
    return !unterminated;
  }

  bool word() {
    const std::size_t begin = at_;
    begin_token(Last::kWord);
    while (at_ < text_.size() && is_identifier_part(text_[at_]))
      *out_++ = to_lower_ascii(text_[at_++]);
    if (at_ - begin > kIdentifierMax) return false;
    if (at_ == text_.size()) return true;
    // A string with a prefix: e'', b'', x'', n'', u&'', u&"".
    const char next = text_[at_];
    return next != '\'' && !(next == '&' && at_ - begin == 1 && out_[-1] == 'u');
  }

  bool number() {
    const NumberToken token = read_number(text_, at_);
    // "t.1" does not lex as a field; leave what follows a name without a gap to the parser.
    if (token.type == NumberClass::kNone || (last_ == Last::kWord && !gap_)) return false;
    literal(static_cast<LiteralClass>(token.type), token.length);
    return true;
  }

  bool dot() {
    const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : ' ';
    if (next == '.') return false;
    return is_digit(next) ? number() : symbol('.');
  }

  bool quoted_text() {
    if (last_ == Last::kText) return false;  // two in a row: one string, continued
    const std::size_t begin = at_;
    LiteralClass type = LiteralClass::kText;
    std::size_t end = text_.find('\'', begin + 1);
    while (end != std::string_view::npos && end + 1 < text_.size() && text_[end + 1] == '\'') {
      type = LiteralClass::kQuotedText;
      end = text_.find('\'', end + 2);
    }
    if (end == std::string_view::npos) return false;
    literal(type, end + 1 - begin);
    last_ = Last::kText;
    return true;
  }

  void literal(LiteralClass type, std::size_t length) {
    literals_.push_back(
        {static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(length), type});
    *out_++ = static_cast<char>(type);
    at_ += length;
    gap_ = false;
    last_ = Last::kOther;
  }

  bool quoted_identifier() {
    const std::size_t begin = at_;
    begin_token(Last::kWord);
    std::size_t end = text_.find('"', begin + 1);
    while (end != std::string_view::npos && end + 1 < text_.size() && text_[end + 1] == '"')
      end = text_.find('"', end + 2);
    if (end == std::string_view::npos || end - begin - 1 > kIdentifierMax || end == begin + 1)
      return false;
    while (at_ <= end) *out_++ = text_[at_++];
    return true;
  }

  bool symbol(char c) {
    begin_token(Last::kSymbol);
    *out_++ = c;
    ++at_;
    return true;
  }

  bool self(char c) {
    *out_++ = c;
    ++at_;
    gap_ = false;
    last_ = Last::kOther;
    return true;
  }

  bool parameter() {  // $1; anything else with a dollar is a dollar quote
    begin_token(Last::kWord);
    *out_++ = text_[at_++];
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_digit(text_[at_])) *out_++ = text_[at_++];
    return at_ != begin && (at_ == text_.size() || !is_identifier_part(text_[at_]));
  }

  bool only_blanks_follow() {  // of the first semicolon; it is left out
    bool sure = true;
    while (sure && at_ < text_.size() && text_[at_] == ';') {
      ++at_;
      sure = blanks();
    }
    return sure && at_ == text_.size();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  char* out_;
  std::vector<Literal>& literals_;
  bool gap_ = false;
  Last last_ = Last::kOther;
};

bool ShapeReader::read(std::string_view text, std::uint64_t seed) {
  size_ = 0;
  literals_.clear();
  if (text.size() > kShapeTextMax) return false;
  if (buffer_.size() < text.size()) buffer_.resize(text.size());
  Pass pass(text, buffer_.data(), literals_);
  if (!pass.run()) return false;
  size_ = pass.size(buffer_.data());
  key_ = xxh3_128(as_bytes(normalized()), seed);
  return true;
}

}  // namespace coppice::planner
