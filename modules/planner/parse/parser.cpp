#include "modules/planner/parse/parser.h"

#include <algorithm>

#include "modules/planner/parse/lexer.h"
#include "modules/planner/parse/raw/raw_copy.h"
#include "modules/planner/parse/utf8.h"

namespace coppice::planner {

namespace {

// What a token may cost in PostgreSQL's raw tree, the parser's stack and ours together. Measured
// with `1+1+…`, the worst known: see tests/modules/planner/parse/hostile_test.cpp.
constexpr std::size_t kTokenBytesMax = 400;
// Copies of the text: ours with a NUL, the scanner's, a literal being collected (doubling), the
// literal in the raw tree and in ours.
constexpr std::size_t kTextCopiesMax = 6;
constexpr std::size_t kFixedBytes = 48_KiB;
// Some 20 ms of a scanner that cannot be interrupted.
constexpr std::uint64_t kRescansMax = 16'000'000;

Error over_budget(std::size_t needed, std::size_t budget) {
  return sql_error(sqlstate::kOutOfMemory, "out of memory")
      .note(sql_field::kDetail, "Parsing the statement may take " + std::to_string(needed) +
                                    " bytes; the budget is " + std::to_string(budget) + ".");
}

// Cuts blanks and comments before the statement and blanks after it.
ParsedStatement trim(std::string_view text, const raw::RawStatement& raw) {
  const std::size_t raw_end = raw.offset + raw.length;
  const std::size_t begin = std::min(skip_blanks(text, raw.offset), raw_end);
  std::size_t end = raw_end;
  while (end > begin && is_blank(text[end - 1])) --end;
  return {raw.tree, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end - begin)};
}

}  // namespace

std::size_t estimate_parse_bytes(std::string_view text) {
  // A short text is not worth a pass: as if each byte were a token.
  constexpr std::size_t kShort = 256;
  const std::size_t tokens = text.size() <= kShort ? text.size() : count_tokens_at_most(text);
  return kFixedBytes + text.size() * kTextCopiesMax + tokens * kTokenBytesMax;
}

Result<ParsedText> parse(std::string_view text, const ParseOptions& options) {
  if (text.size() > kTextMax)
    return std::unexpected(sql_error(sqlstate::kProgramLimitExceeded, "statement is too long"));
  const std::size_t estimate = estimate_parse_bytes(text);
  if (estimate > options.memory_budget_bytes)
    return std::unexpected(over_budget(estimate, options.memory_budget_bytes));
  if (count_rescans_at_most(text) > kRescansMax)
    return std::unexpected(
        sql_error(sqlstate::kProgramLimitExceeded, "too many operator characters in a row"));
  COPPICE_TRY(check_utf8(text));
  ParsedText parsed{.statements = {}, .arena = Arena(options.memory_budget_bytes)};
  std::vector<raw::RawStatement> raw_statements;
  const std::string terminated(text);
  parsed.raw_nodes = COPPICE_TRY(
      raw::parse_and_copy(terminated, parsed.arena, options.memory_budget_bytes, raw_statements));
  parsed.statements.reserve(raw_statements.size());
  for (const raw::RawStatement& raw : raw_statements) parsed.statements.push_back(trim(text, raw));
  return parsed;
}

std::uint32_t position_of(std::string_view text, std::size_t byte_offset) {
  const std::string_view before = text.substr(0, std::min(byte_offset, text.size()));
  const auto continuations = std::count_if(before.begin(), before.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
  });
  return static_cast<std::uint32_t>(before.size() - static_cast<std::size_t>(continuations) + 1);
}

Error sql_error_at(std::string_view text, ast::Location location, std::string_view sqlstate,
                   std::string message) {
  Error error = sql_error(sqlstate, std::move(message));
  if (location < 0) return error;
  const std::uint32_t position = position_of(text, static_cast<std::size_t>(location));
  return std::move(error).note(sql_field::kPosition, std::to_string(position));
}

}  // namespace coppice::planner
