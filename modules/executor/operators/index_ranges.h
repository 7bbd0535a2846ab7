// index_ranges.h — index conditions with their values: the key ranges to read.
//
// Role:     what bitmap scans, ordered scans, counts and look-up joins ask the engine for.
// Owns:     the evaluators of the bounds. The condition and the Execution outlive it.
// Threads:  one at a time.
// Errors:   those of the bounds' expressions; XX000 for a condition that does not fit its index.
#pragma once

#include "modules/executor/expressions/evaluator.h"

namespace coppice::executor {

// One leaf: the ranges of one index.
class LeafRanges {
 public:
  static Result<LeafRanges> make(const IndexCondition& leaf, const TableInfo& table,
                                 Execution& execution);

  // Works out the bounds for these rows.
  Status prepare(const RowBatch& input, const Selection& rows);
  // The ranges of one of them, in order of keys, without overlap.
  Status ranges(std::uint32_t row, std::vector<KeyRange>& to);
  // Whether every bound holds its column equal to one value: one range, which its low end decides.
  bool is_equality() const;
  // The same for every column of the index: the range is one key.
  bool is_point() const { return is_equality() && bounds_.size() == index().columns.size(); }

  const IndexInfo& index() const { return *leaf_->index; }

 private:
  struct Bound {
    const SqlType* type = nullptr;  // of the column
    KeyOrder order;
    EvaluatorRef from, to;
    Evaluators in_list;
  };
  // A side of a range, as a value of the column's type.
  enum class Side : std::uint8_t { kOpen, kValue, kNothing };

  Status add_equal(const Bound& bound, const Vector& value, std::uint32_t row,
                   std::vector<ByteBuffer>& prefixes) const;
  Status add_list(const Bound& bound, std::uint32_t row, std::vector<ByteBuffer>& prefixes);
  Status add_range(std::size_t column, std::uint32_t row, const std::vector<ByteBuffer>& prefixes,
                   std::vector<KeyRange>& to) const;
  Result<Side> side_of(const Bound& bound, const EvaluatorRef& value, std::uint32_t row, bool low,
                       ByteBuffer& key) const;

  const IndexCondition* leaf_ = nullptr;
  std::vector<Bound> bounds_;
};

// A whole condition, of constants and parameters.
class ConditionRanges {
 public:
  static Result<ConditionRanges> make(const IndexCondition& condition, const TableInfo& table,
                                      Execution& execution);
  Result<BitmapNode> node();

 private:
  Status add(const IndexCondition& condition, const TableInfo& table, Execution& execution,
             std::size_t depth);
  Status build(const IndexCondition& condition, std::size_t& leaf, BitmapNode& to);

  const IndexCondition* condition_ = nullptr;
  std::vector<LeafRanges> leaves_;  // depth first
};

}  // namespace coppice::executor
