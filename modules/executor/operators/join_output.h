// join_output.h — batches of joined rows: the left columns, then the right ones.
#pragma once

#include <span>
#include <vector>

#include "interfaces/types/plan.h"
#include "modules/executor/values/copy.h"
#include "modules/executor/values/row_store.h"

namespace coppice::executor {

class JoinOutput {
 public:
  JoinOutput(std::vector<PhysicalType> left, std::vector<PhysicalType> right) {
    for (const PhysicalType type : left) left_.emplace_back(type);
    for (const PhysicalType type : right) right_.emplace_back(type);
  }

  // Pairs of a row of the batch and a row of the store.
  void pairs(const RowBatch& left, std::span<const std::uint16_t> left_rows, RowStore& right,
             std::span<const std::uint32_t> right_rows, RowBatch& to);
  // Rows of the batch without a partner.
  void left_only(const RowBatch& left, const Selection& rows, RowBatch& to) const;
  // Rows of the store without a partner.
  void right_only(RowStore& right, std::span<const std::uint32_t> rows, RowBatch& to);

 private:
  static void begin(std::size_t rows, RowBatch& to);
  std::vector<VectorBuffer> left_, right_;
};

// A bit per row of the right side.
class RowMarks {
 public:
  void reset(std::uint64_t rows) { words_.assign((rows + 63) / 64, 0); }
  void set(std::uint32_t row) { words_[row / 64] |= std::uint64_t{1} << (row % 64); }
  bool get(std::uint32_t row) const { return (words_[row / 64] >> (row % 64) & 1U) != 0; }
  // Up to kVectorRows unmarked rows of [from, rows); `from` moves on.
  std::size_t take_unset(std::uint64_t rows, std::uint64_t& from,
                         std::span<std::uint32_t> to) const {
    std::size_t count = 0;
    for (; from < rows && count < to.size(); ++from) {
      if (!get(static_cast<std::uint32_t>(from))) to[count++] = static_cast<std::uint32_t>(from);
    }
    return count;
  }

 private:
  std::vector<std::uint64_t> words_;
};

constexpr bool keeps_left(JoinKind kind) {
  return kind == JoinKind::kLeft || kind == JoinKind::kFull;
}
constexpr bool keeps_right(JoinKind kind) {
  return kind == JoinKind::kRight || kind == JoinKind::kFull;
}
constexpr bool gives_left_only(JoinKind kind) {
  return kind == JoinKind::kSemi || kind == JoinKind::kAnti;
}

}  // namespace coppice::executor
