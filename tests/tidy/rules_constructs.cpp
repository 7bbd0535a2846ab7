// rules_constructs.cpp — what must not be written: banned words, and three traps.
#include <algorithm>
#include <array>
#include <span>

#include "tests/tidy/rules.h"

namespace coppice::tidy {
namespace {

using Tokens = std::vector<Token>;

bool is(const Tokens& tokens, std::size_t at, std::string_view text) {
  return at < tokens.size() && tokens[at].text == text;
}
bool is_before(const Tokens& tokens, std::size_t at, std::size_t back, std::string_view text) {
  return at >= back && tokens[at - back].text == text;
}

// The index of the bracket that closes the one at `open`; the end of the tokens when none does.
std::size_t closing(const Tokens& tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    const std::string_view text = tokens[i].text;
    if (text == "(" || text == "{" || text == "[") ++depth;
    if (text == ")" || text == "}" || text == "]") --depth;
    if (depth == 0) return i;
  }
  return tokens.size();
}

bool sequence_at(const Tokens& tokens, std::size_t at, const Tokens& pattern) {
  if (at + pattern.size() > tokens.size()) return false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (tokens[at + i].text != pattern[i].text) return false;
    if (tokens[at + i].kind == TokenKind::kText) return false;
  }
  // A member of that name is somebody else's.
  return !is_before(tokens, at, 1, ".") && !is_before(tokens, at, 1, "->");
}

// `new` whose owner is named in the same expression: std::unique_ptr<T>(new T(…)), p.reset(new …).
bool is_owned(const Tokens& tokens, std::size_t at) {
  constexpr std::size_t kLookBack = 24;
  if (!is_before(tokens, at, 1, "(") && !is_before(tokens, at, 1, "{")) return false;
  for (std::size_t i = at; i > 0 && at - i < kLookBack; --i) {
    const std::string_view text = tokens[i - 1].text;
    if (text == ";") return false;
    if (text == "unique_ptr" || text == "shared_ptr" || text == "reset") return true;
  }
  return false;
}

// Does the `:` at `at` end a label (case, default), rather than stand in a conditional expression?
bool is_label_colon(const Tokens& tokens, std::size_t at) {
  for (std::size_t i = at; i > 0; --i) {
    const std::string_view text = tokens[i - 1].text;
    if (text == "case" || text == "default") return true;
    if (text == ";" || text == "{" || text == "}" || text == "?") return false;
  }
  return false;
}

// May COPPICE_TRY stand at `at`, seen from what is before and after it?
bool try_may_stand(const Tokens& tokens, std::size_t at) {
  if (at == 0) return false;
  const std::string_view before = tokens[at - 1].text;
  if (before == "return") return true;
  if (before == "=") {  // `.field = COPPICE_TRY(…)` is a designated initialiser
    return !(is_before(tokens, at, 3, ".") &&
             (is_before(tokens, at, 4, "{") || is_before(tokens, at, 4, ",")));
  }
  const bool is_statement = is(tokens, closing(tokens, at + 1) + 1, ";");
  if (!is_statement) return false;
  if (before == ":") return is_label_colon(tokens, at - 1);
  return before == ";" || before == "{" || before == "}" || before == ")" || before == "else" ||
         before == "do";
}

// The name that the call at `open`, a bracket, calls; empty when it is no call. A cast is none.
std::string_view callee(const Tokens& tokens, std::size_t open) {
  if (open == 0) return {};
  std::size_t at = open - 1;
  if (tokens[at].text == ">") {
    while (at > 0 && tokens[at].text != "<") --at;
    if (at == 0) return {};
    --at;
  }
  const bool is_name = tokens[at].kind == TokenKind::kWord && !tokens[at].text.ends_with("_cast");
  return is_name ? tokens[at].text : std::string_view();
}

// Does the range of a range-for call something and then look inside what it returned? Pointers may
// be looked through; by the names of the house, find… and as_… return them.
bool looks_inside_temporary(std::span<const Token> range) {
  const Tokens tokens(range.begin(), range.end());
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].text != "(" && tokens[i].text != "{") continue;
    const std::string_view name = callee(tokens, i);
    const bool gives_pointer = name.starts_with("find") || name.starts_with("as_");
    const std::size_t close = closing(tokens, i);
    if (!name.empty() && is(tokens, close + 1, ".")) return true;
    if (!name.empty() && is(tokens, 0, "*") && !gives_pointer) return true;
    i = close;
  }
  return false;
}

}  // namespace

void check_banned(const Repo& repo, const Policy& policy, Problems& problems) {
  for (const Banned& banned : policy.banned) {
    for (const std::string& text : banned.patterns) {
      const Source pattern = lex(text);
      for (const File& file : repo.files()) {
        if (!file.is_code()) continue;
        if (!banned.where.empty() && !matches_any(file.path, banned.where)) continue;
        if (matches_any(file.path, banned.except)) continue;
        const Tokens& tokens = file.source.tokens;
        for (std::size_t i = 0; i < tokens.size(); ++i) {
          if (!sequence_at(tokens, i, pattern.tokens)) continue;
          problems.push_back(
              {file.path, tokens[i].line, banned.rule, "`" + text + "`: " + banned.why});
        }
      }
    }
  }
}

void check_naked_new(const Repo& repo, const Policy&, Problems& problems) {
  for (const File& file : repo.files()) {
    if (file.extension() == ".c") continue;
    const Tokens& tokens = file.source.tokens;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i].directive || is_before(tokens, i, 1, "operator")) continue;
      if (is(tokens, i, "new") && !is(tokens, i + 1, "(") && !is_owned(tokens, i)) {
        problems.push_back(
            {file.path, tokens[i].line, "naked-new",
             "`new` without an owner: std::make_unique, or name the unique_ptr in the "
             "same expression"});
      }
      if (is(tokens, i, "delete") && !is_before(tokens, i, 1, "=")) {
        problems.push_back(
            {file.path, tokens[i].line, "naked-new", "`delete`: let a unique_ptr own it"});
      }
    }
  }
}

void check_try_place(const Repo& repo, const Policy&, Problems& problems) {
  for (const File& file : repo.files()) {
    const Tokens& tokens = file.source.tokens;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i].directive || tokens[i].text != "COPPICE_TRY") continue;
      if (try_may_stand(tokens, i)) continue;
      problems.push_back(
          {file.path, tokens[i].line, "try-place",
           "COPPICE_TRY stands as a statement, after `=` or after `return`: elsewhere "
           "GCC 12 skips destructors; give the value a name first"});
    }
  }
}

void check_range_for(const Repo& repo, const Policy&, Problems& problems) {
  for (const File& file : repo.files()) {
    const Tokens& tokens = file.source.tokens;
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
      if (tokens[i].text != "for" || !is(tokens, i + 1, "(")) continue;
      const std::size_t close = closing(tokens, i + 1);
      std::size_t colon = 0;
      for (std::size_t j = i + 2; j < close; ++j) {
        const std::string_view text = tokens[j].text;
        if (text == "(" || text == "{" || text == "[") j = closing(tokens, j);
        if (text == ":" && colon == 0) colon = j;
        if (text == ";") colon = 0;
      }
      if (colon == 0 || close >= tokens.size()) continue;
      if (!looks_inside_temporary({tokens.begin() + static_cast<std::ptrdiff_t>(colon) + 1,
                                   tokens.begin() + static_cast<std::ptrdiff_t>(close)})) {
        continue;
      }
      problems.push_back({file.path, tokens[colon].line, "range-for",
                          "a loop over the inside of what a call returned: with GCC 12 a temporary "
                          "dies before the first round; give it a name first"});
    }
  }
}

}  // namespace coppice::tidy
