// parsed_script.h — the statements of one text, as the planner hands them out.
//
// Owns:     the syntax trees and what their memory was reserved from; views the text.
// Threads:  read by anyone.   Parks: never.
#pragma once

#include <memory>
#include <utility>

#include "interfaces/planner.h"
#include "modules/planner/bulk/bulk_tuples.h"
#include "modules/planner/parse/parser.h"

namespace coppice::planner {

class SyntaxScript final : public ParsedScript {
 public:
  SyntaxScript(std::string_view text, ParsedText parsed, Reservation memory)
      : text_(text), parsed_(std::move(parsed)), memory_(std::move(memory)) {}
  // A large INSERT: `parsed` is its skeleton, with the first tuple only.
  SyntaxScript(std::string_view text, ParsedText parsed, Reservation memory,
               std::unique_ptr<BulkTuples> tuples)
      : text_(text),
        parsed_(std::move(parsed)),
        memory_(std::move(memory)),
        tuples_(std::move(tuples)) {}

  std::size_t size() const override { return parsed_.statements.size(); }
  std::string_view text(std::size_t statement) const override {
    if (tuples_ != nullptr) return text_;
    const ParsedStatement& part = parsed_.statements[statement];
    return text_.substr(part.offset, part.length);
  }
  bool ends_transaction(std::size_t statement) const override;

  std::string_view whole_text() const { return text_; }
  const BulkTuples* tuples() const { return tuples_.get(); }
  const ast::Statement& tree(std::size_t statement) const {
    return *parsed_.statements[statement].tree;
  }

 private:
  std::string_view text_;
  ParsedText parsed_;
  Reservation memory_;
  std::unique_ptr<BulkTuples> tuples_;
};

}  // namespace coppice::planner
