#include "tests/modules/planner/parse/values_oracle.h"

#include "modules/planner/parse/parser.h"
#include "modules/planner/parse/utf8.h"

namespace coppice::planner {
namespace {

class TextSink {
 public:
  bool integer(std::int64_t value) { return add("i:" + std::to_string(value)); }
  bool decimal(std::string_view digits) { return add("d:" + std::string(digits)); }
  bool text(std::string_view raw, bool doubled) {
    std::string value;
    for (std::size_t i = 0; i < raw.size(); ++i) {
      value += raw[i];
      if (doubled && raw[i] == '\'') ++i;
    }
    return add("t:" + value);
  }
  bool boolean(bool value) { return add(value ? "b:1" : "b:0"); }
  bool null() { return add("null"); }
  bool default_value() { return add("default"); }
  bool end_row() {
    rows_.push_back(std::move(row_));
    row_.clear();
    return true;
  }
  ReadRows take() { return std::move(rows_); }

 private:
  bool add(std::string value) {
    row_.push_back(std::move(value));
    return true;
  }
  std::vector<std::string> row_;
  ReadRows rows_;
};

std::string as_read(const ast::Expr& expr) {
  if (expr.kind == ast::ExprKind::kDefault) return "default";
  const auto* constant = ast::find_as<ast::Constant>(&expr);
  if (constant == nullptr) return "not a literal";
  switch (constant->type) {
    case ast::ConstantKind::kNull:
      return "null";
    case ast::ConstantKind::kInteger:
      return "i:" + std::to_string(constant->integer);
    case ast::ConstantKind::kNumeric:
      return "d:" + std::string(constant->text);
    case ast::ConstantKind::kText:
      return "t:" + std::string(constant->text);
    case ast::ConstantKind::kBoolean:
      return "b:" + std::to_string(constant->integer);
    case ast::ConstantKind::kBits:
      break;
  }
  return "not a plain literal";
}

const ast::Insert* only_insert(const Result<ParsedText>& parsed) {
  if (!parsed || parsed->statements.size() != 1) return nullptr;
  return ast::find_as<ast::Insert>(parsed->statements[0].tree);
}

struct Reading {
  ReadResult result = ReadResult::kFallBack;
  std::size_t tail = 0;
  ReadRows rows;
};
Reading read_all(const std::string& text, const BulkInsert& insert) {
  TextSink sink;
  ValuesReader<TextSink> reader(text, insert, sink);
  Reading reading;
  do reading.result = reader.read(16);
  while (reading.result == ReadResult::kMore);
  reading.tail = reader.offset();
  reading.rows = sink.take();
  return reading;
}

}  // namespace

BulkOutcome read_bulk(const std::string& text) {
  const std::optional<BulkInsert> insert = find_bulk_insert(text);
  if (!insert) return {};
  Reading reading = read_all(text, *insert);
  if (reading.result != ReadResult::kDone) return {};
  const Result<ParsedText> skeleton = parse(bulk_insert_skeleton(text, *insert, reading.tail));
  const ast::Insert* tree = only_insert(skeleton);
  if (tree == nullptr || !accepts_tuples(*tree)) return {};
  if (tree->source->values[0].size() != insert->columns) return {};
  return {.read = true, .rows = std::move(reading.rows)};
}

std::string check_bulk(const std::string& text) {
  if (!check_utf8(text)) return {};
  const BulkOutcome outcome = read_bulk(text);
  if (!outcome.read) return {};
  const Result<ParsedText> whole = parse(text);
  const ast::Insert* tree = only_insert(whole);
  if (tree == nullptr) return "the parser does not read this as one INSERT";
  if (tree->source == nullptr) return "the parser finds no VALUES";
  ReadRows expected;
  for (const ast::List<const ast::Expr*>& row : tree->source->values.subspan(1)) {
    expected.emplace_back();
    for (const ast::Expr* value : row) expected.back().push_back(as_read(*value));
  }
  return expected == outcome.rows ? "" : "the parser reads other values";
}

}  // namespace coppice::planner
