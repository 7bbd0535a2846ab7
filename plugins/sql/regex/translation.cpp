// translation.cpp — one character, escape or bracket at a time.
#include "plugins/sql/regex/translation.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "interfaces/types/sql_error.h"

namespace coppice::sql_regex {

namespace {

constexpr int kRepeatMax = 255;                     // DUPMAX
constexpr std::string_view kWord = "\\pL\\p{Nd}_";  // letters of Unicode, where RE2 has ASCII's
constexpr std::array<std::string_view, 14> kClasses = {"alnum", "alpha",  "blank", "cntrl", "digit",
                                                       "graph", "lower",  "print", "punct", "space",
                                                       "upper", "xdigit", "word",  "ascii"};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

std::unexpected<Error> invalid(std::string_view why) {
  return std::unexpected(invalid_regex(why));
}
std::unexpected<Error> unsupported(std::string_view what) {
  return std::unexpected(
      sql_error(sqlstate::kFeatureNotSupported,
                std::string(what) + " in regular expressions are not supported"));
}

class Translator {
 public:
  Translator(std::string_view pattern, bool ignore_case) : rest_(pattern) {
    made_.ignore_case = ignore_case;
  }

  Result<Translation> translate() {
    COPPICE_TRY(read_director());
    if (made_.literal) {
      made_.pattern = rest_;
      return std::move(made_);
    }
    while (!rest_.empty()) COPPICE_TRY(read_one());
    return std::move(made_);
  }

 private:
  bool take(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  void add(std::string_view text) { made_.pattern += text; }
  // A character that stands for itself, in a bracket or outside.
  void add_literal(char c) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 && !is_letter(c) && !is_digit(c) && byte >= 0x20) made_.pattern += '\\';
    made_.pattern += c;
  }

  // ***=, ***:, and options at the beginning: (?i).
  Status read_director() {
    if (take("***=")) {
      made_.literal = true;
      return {};
    }
    take("***:");
    if (rest_.size() < 3 || !rest_.starts_with("(?") || !is_letter(rest_[2])) return {};
    rest_.remove_prefix(2);
    for (; !rest_.empty() && rest_.front() != ')'; rest_.remove_prefix(1)) {
      switch (rest_.front()) {
        case 'i':
          made_.ignore_case = true;
          break;
        case 'c':
          made_.ignore_case = false;
          break;
        case 'n':
        case 'm':
          made_.newline_matters = true;
          break;
        case 's':
          made_.newline_matters = false;
          break;
        case 't':
          break;
        case 'q':
          made_.literal = true;
          break;
        case 'b':
        case 'e':
        case 'p':
        case 'w':
        case 'x':
          return unsupported("embedded options other than i, c, n, m, s, t and q");
        default:
          return invalid("invalid embedded option");
      }
    }
    if (!take(")")) return invalid("parentheses () not balanced");
    return {};
  }

  Status read_one() {
    const char c = rest_.front();
    if (c == '\\') return read_escape(false);
    if (c == '[') return read_bracket();
    if (c == '{') return read_brace();
    rest_.remove_prefix(1);
    if (c == '(' && rest_.starts_with('?')) {
      if (take("?:")) {
        add("(?:");
        return {};
      }
      if (rest_.starts_with("?=") || rest_.starts_with("?!") || rest_.starts_with("?<"))
        return unsupported("lookaround constraints");
      return invalid("quantifier operand invalid");
    }
    made_.pattern += c;
    return {};
  }

  // {2}, {2,}, {2,3}; before anything but a digit the brace is one.
  Status read_brace() {
    if (rest_.size() < 2 || !is_digit(rest_[1])) {
      rest_.remove_prefix(1);
      add("\\{");
      return {};
    }
    const std::size_t end = rest_.find('}');
    if (end == std::string_view::npos) return invalid("braces {} not balanced");
    const std::string_view inside = rest_.substr(1, end - 1);
    const std::size_t comma = inside.find(',');
    int low = 0, high = kRepeatMax;
    if (!read_count(inside.substr(0, comma), low)) return invalid("invalid repetition count(s)");
    if (comma == std::string_view::npos)
      high = low;
    else if (comma + 1 < inside.size() && !read_count(inside.substr(comma + 1), high))
      return invalid("invalid repetition count(s)");
    if (low > high) return invalid("invalid repetition count(s)");
    add(rest_.substr(0, end + 1));
    rest_.remove_prefix(end + 1);
    return {};
  }
  static bool read_count(std::string_view text, int& to) {
    const auto read = std::from_chars(text.data(), text.data() + text.size(), to);
    return read.ec == std::errc() && read.ptr == text.data() + text.size() && to <= kRepeatMax;
  }

  // \x41, \u0041, \U00000041: `digits` of them, or as many as there are.
  Status read_hex(std::size_t digits) {
    std::size_t count = 0;
    while (count < rest_.size() && is_hex(rest_[count]) && (digits == 0 || count < digits)) ++count;
    if (count == 0 || (digits != 0 && count != digits))
      return invalid("invalid escape \\ sequence");
    std::string_view number = rest_.substr(0, count);
    rest_.remove_prefix(count);
    while (number.size() > 1 && number.front() == '0') number.remove_prefix(1);
    if (number.size() > 6) return invalid("invalid escape \\ sequence");
    add("\\x{" + std::string(number) + "}");
    return {};
  }

  Status read_escape(bool in_bracket) {
    rest_.remove_prefix(1);
    if (rest_.empty()) return invalid("invalid escape \\ sequence");
    const char c = rest_.front();
    rest_.remove_prefix(1);
    switch (c) {
      case 'd':
        add("\\d");
        return {};
      case 'w':
        add(in_bracket ? std::string(kWord) : "[" + std::string(kWord) + "]");
        return {};
      case 'D':
      case 'W':
      case 'S':
        if (in_bracket) return invalid("invalid escape \\ sequence");
        add(c == 'D'   ? std::string("\\D")
            : c == 'S' ? std::string("[^[:space:]]")
                       : "[^" + std::string(kWord) + "]");
        return {};
      case 's':
        add(in_bracket ? "[:space:]" : "[[:space:]]");
        return {};
      case 'a':
        add("\\x07");
        return {};
      case 'b':
        add("\\x08");
        return {};
      case 'B':
        add("\\\\");
        return {};
      case 'e':
        add("\\x1b");
        return {};
      case 'f':
        add("\\f");
        return {};
      case 'n':
        add("\\n");
        return {};
      case 'r':
        add("\\r");
        return {};
      case 't':
        add("\\t");
        return {};
      case 'v':
        add("\\v");
        return {};
      case '0':
        add("\\x00");
        return {};
      case 'x':
        return read_hex(0);
      case 'u':
        return read_hex(4);
      case 'U':
        return read_hex(8);
      default:
        break;
    }
    if (!is_letter(c) && !is_digit(c)) {
      add_literal(c);
      return {};
    }
    if (in_bracket) return invalid("invalid escape \\ sequence");
    return read_constraint_escape(c);
  }

  Status read_constraint_escape(char c) {
    switch (c) {
      case 'y':
        add("\\b");
        return {};
      case 'Y':
        add("\\B");
        return {};
      case 'A':
        add("\\A");
        return {};
      case 'Z':
        add("\\z");
        return {};
      case 'm':
      case 'M':
        return unsupported("\\m and \\M");
      default:
        break;
    }
    if (is_digit(c)) return unsupported("back references");
    return invalid("invalid escape \\ sequence");
  }

  Status read_bracket() {
    rest_.remove_prefix(1);
    add("[");
    if (take("^")) {
      add("^");
      if (made_.newline_matters) add("\\n");
    }
    bool first = true;
    for (;; first = false) {
      if (rest_.empty()) return invalid("brackets [] not balanced");
      const char c = rest_.front();
      if (c == ']' && !first) break;
      if (rest_.starts_with("[:") || rest_.starts_with("[.") || rest_.starts_with("[=")) {
        COPPICE_TRY(read_bracket_word());
      } else if (c == '\\') {
        COPPICE_TRY(read_escape(true));
      } else {
        rest_.remove_prefix(1);
        if (c == '-')
          made_.pattern += first || rest_.starts_with(']') ? "\\-" : "-";
        else
          add_literal(c);
      }
    }
    rest_.remove_prefix(1);
    add("]");
    return {};
  }

  // [:alpha:], and [.a.] and [=a=], which are one character here.
  Status read_bracket_word() {
    const char kind = rest_[1];
    const std::string close = std::string(1, kind) + "]";
    const std::size_t end = rest_.find(close, 2);
    if (end == std::string_view::npos) return invalid("brackets [] not balanced");
    const std::string_view word = rest_.substr(2, end - 2);
    rest_.remove_prefix(end + 2);
    if (kind == ':') {
      if (std::ranges::find(kClasses, word) == kClasses.end())
        return invalid("invalid character class");
      if (word == "alpha")
        add("\\pL");
      else if (word == "alnum")
        add("\\pL\\p{Nd}");
      else if (word == "word")
        add(kWord);
      else if (word == "lower" || word == "upper")
        add(word == "lower" ? "\\p{Ll}" : "\\p{Lu}");
      else
        add("[:" + std::string(word) + ":]");
      return {};
    }
    if (word.size() != 1) return unsupported("collating elements of several characters");
    add_literal(word.front());
    return {};
  }

  std::string_view rest_;
  Translation made_;
};

}  // namespace

Error invalid_regex(std::string_view why) {
  return sql_error("2201B", "invalid regular expression: " + std::string(why));
}

Result<Translation> translate(std::string_view pattern, bool ignore_case) {
  return Translator(pattern, ignore_case).translate();
}

}  // namespace coppice::sql_regex
