#include "tests/modules/planner/parse/shape_oracle.h"

#include <algorithm>

#include "modules/planner/parse/lexer.h"
#include "tests/modules/planner/parse/scan_oracle.h"

namespace coppice::planner {
namespace {

std::string folded(const std::string& text, const ScanToken& token) {
  std::string part = text.substr(token.begin, token.end - token.begin);
  if (token.is_word() && part[0] != '"') std::ranges::transform(part, part.begin(), to_lower_ascii);
  return part;
}

// One line a token, comments and the semicolons at the end left out.
std::vector<std::string> meaning(const std::string& text, const std::vector<ScanToken>& tokens) {
  std::vector<std::string> lines;
  for (const ScanToken& token : tokens)
    if (!token.is_comment())
      lines.push_back(std::to_string(token.kind) + " " + folded(text, token));
  while (!lines.empty() && lines.back().ends_with(" ;")) lines.pop_back();
  return lines;
}

// The normalised text with its literals put back.
std::string restored(const ShapeReader& reader, const std::string& text) {
  std::string out;
  std::size_t next = 0;
  bool in_identifier = false;  // between double quotes every byte stands for itself
  for (const char c : reader.normalized()) {
    if (c == '"') in_identifier = !in_identifier;
    if (in_identifier ||
        static_cast<unsigned char>(c) > static_cast<unsigned char>(LiteralClass::kQuotedText)) {
      out += c;
      continue;
    }
    const Literal& literal = reader.literals()[next++];
    out += ' ' + text.substr(literal.offset, literal.length) + ' ';
  }
  return out;
}

}  // namespace

std::string check_shape(ShapeReader& reader, const std::string& text) {
  if (!reader.read(text)) return {};
  const auto tokens = scan_tokens(text);
  if (!tokens)  // then no text that the parser takes may have this key
    return scan_tokens(restored(reader, text)) ? "a text that does not scan has a good key" : "";
  std::size_t next = 0;
  for (const ScanToken& token : *tokens) {
    if (!token.is_number() && !token.is_text()) continue;
    if (next == reader.literals().size()) return "a literal was missed";
    const Literal& literal = reader.literals()[next++];
    if (literal.offset != token.begin || literal.offset + literal.length != token.end)
      return "a literal is elsewhere";
    const bool text_class = literal.type >= LiteralClass::kText;
    if (text_class != token.is_text()) return "a literal is of another kind";
  }
  if (next != reader.literals().size()) return "a literal is none";
  const std::string again = restored(reader, text);
  const auto again_tokens = scan_tokens(again);
  if (!again_tokens) return "the normalised text does not scan: " + again;
  if (meaning(again, *again_tokens) != meaning(text, *tokens))
    return "the normalised text means something else: " + again;
  return {};
}

}  // namespace coppice::planner
