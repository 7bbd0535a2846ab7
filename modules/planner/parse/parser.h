// parser.h — SQL text to syntax tree.
//
// Role:     the only door to libpg_query: checks the text, lets PostgreSQL 15's raw parser read it,
//           copies its tree into ours.
// Owns:     a ParsedText owns everything its statements point to.
// Threads:  any; PostgreSQL's parser keeps its state per thread, so one call stays on one thread.
// Parks:    never, and cannot yield: see kInlineTextMax.
// Errors:   kInvalidArgument: 42601 (syntax; note 'P'), 22021 (not UTF-8, NUL byte), 42P… as the
//           raw parser reports them; kLimitExceeded: 54001 (deeper than ast::kDepthMax), 54000;
//           kOutOfMemory: 53200 (over the budget); kUnsupported: 0A000 (note 'P').
#pragma once

#include "interfaces/types/sql_error.h"
#include "modules/planner/parse/arena.h"
#include "modules/planner/parse/ast.h"

namespace coppice::planner {

// Longer texts take milliseconds: run parse() on a helper thread, not on a fiber.
inline constexpr std::size_t kInlineTextMax = 64_KiB;
// PostgreSQL's own bound of one message.
inline constexpr std::size_t kTextMax = 1_GiB - 1;

struct ParsedStatement {
  const ast::Statement* tree = nullptr;
  // Its own part of the text, without the semicolon and without blanks or comments before it.
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
};

struct ParsedText {
  std::vector<ParsedStatement> statements;  // empty: nothing but blanks, comments, semicolons
  Arena arena;
  std::size_t raw_nodes = 0;  // how many nodes PostgreSQL's tree had

  std::size_t memory_bytes() const {
    return arena.reserved_bytes() + statements.capacity() * sizeof(ParsedStatement);
  }
};

struct ParseOptions {
  // What the raw tree and ours may take together. Reserve estimate_parse_bytes(text) first; after
  // the call memory_bytes() says what stays.
  std::size_t memory_budget_bytes = 64_MiB;
};

// An upper bound of what parse(text) will allocate.
std::size_t estimate_parse_bytes(std::string_view text);

Result<ParsedText> parse(std::string_view text, const ParseOptions& options = {});

// Compares a few trees with what they must be; run at boot, before the first client. kInternal when
// the linked libpg_query does not lay out its nodes as the headers this was compiled with.
Status parser_self_test();

// The 1-based position, in characters, of a byte offset: note 'P' of an error.
std::uint32_t position_of(std::string_view text, std::size_t byte_offset);

// sql_error() about one place of the text: with 'P', unless the location is unknown.
[[nodiscard]] Error sql_error_at(std::string_view text, ast::Location location,
                                 std::string_view sqlstate, std::string message);

}  // namespace coppice::planner
