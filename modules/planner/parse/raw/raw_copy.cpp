#include "modules/planner/parse/raw/raw_copy.h"

#include "modules/planner/parse/raw/copier.h"
#include "modules/planner/parse/raw/raw_parse.h"

namespace coppice::planner::raw {

namespace {

// Ends the parser's memory context whatever way the copy ends.
class RawParse {
 public:
  explicit RawParse(const char* sql) { coppice_raw_parse_begin(sql, &parse_); }
  ~RawParse() { coppice_raw_parse_end(&parse_); }
  RawParse(const RawParse&) = delete;
  RawParse& operator=(const RawParse&) = delete;
  const CoppiceRawParse& get() const { return parse_; }

 private:
  CoppiceRawParse parse_;
};

Error raw_error(const CoppiceRawParse& parse) {
  Error error = sql_error(parse.sqlstate, parse.message);
  if (parse.detail != nullptr) error = std::move(error).note(sql_field::kDetail, parse.detail);
  if (parse.hint != nullptr) error = std::move(error).note(sql_field::kHint, parse.hint);
  if (parse.cursor > 0)
    error = std::move(error).note(sql_field::kPosition, std::to_string(parse.cursor));
  return error;
}

}  // namespace

Result<std::size_t> parse_and_copy(const std::string& sql, Arena& arena, std::size_t budget_bytes,
                                   std::vector<RawStatement>& statements) {
  const RawParse parse(sql.c_str());
  if (parse.get().failed) return std::unexpected(raw_error(parse.get()));
  Copier copier(sql, arena, budget_bytes);
  const auto* trees = static_cast<const ::List*>(parse.get().trees);
  for (int i = 0; trees != nullptr && i < trees->length; ++i) {
    const auto& statement = *static_cast<const ::RawStmt*>(trees->elements[i].ptr_value);
    const auto offset = static_cast<std::size_t>(statement.stmt_location);
    const std::size_t length =
        statement.stmt_len > 0 ? static_cast<std::size_t>(statement.stmt_len) : sql.size() - offset;
    const ast::Statement* tree = COPPICE_TRY(copier.copy(statement.stmt));
    statements.push_back({tree, offset, length});
  }
  return copier.nodes_visited();
}

}  // namespace coppice::planner::raw
