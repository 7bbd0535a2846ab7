// bulk_tuples.h — the tuples of a large INSERT … VALUES, read once and kept as literals.
//
// Role:     parse() reads the tuples without the grammar; bind_insert() turns them into columns of
//           the table's types (tuples_to_batches), which need no expressions.
// Owns:     16 bytes a literal, reserved from the budget; views the statement's text.
// Threads:  one at a time.
// Parks:    read_bulk_insert(), so that others run between chunks of a long text.
// Errors:   53200. What is no plain literal is no error: nothing is read, the parser takes it all.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interfaces/meter.h"
#include "interfaces/types/plan.h"
#include "modules/planner/bind/bind_context.h"

namespace coppice::planner {

struct RawLiteral {
  enum class Kind : std::uint8_t { kNull, kInteger, kDecimal, kText, kDoubledText, kBoolean };
  Kind kind = Kind::kNull;
  std::uint32_t length = 0;
  union {
    std::int64_t integer = 0;
    const char* text;
  };
  std::string_view view() const { return {text, length}; }
};
static_assert(sizeof(RawLiteral) == 16);

struct BulkTuples {
  std::size_t columns = 0;
  std::vector<RawLiteral> literals;  // row by row
  std::string skeleton;              // the statement with its first tuple only
  Reservation memory;

  std::size_t rows() const { return literals.size() / columns; }
};

// Shorter texts gain nothing.
inline constexpr std::size_t kBulkTextMin = 512;

// Null unless the text is INSERT … VALUES of plain literals with several tuples. The text is valid
// UTF-8.
Result<std::unique_ptr<BulkTuples>> read_bulk_insert(std::string_view text, Budget& budget);

// Where a tuple's values go.
struct BulkColumn {
  TypeOid type = 0;
  std::int32_t modifier = -1;
};

// The first row's constants, then the tuples, in batches of kVectorRows. Nothing: some value is not
// what its column takes as it stands; the parser and the binder will say what is wrong with it.
std::optional<std::vector<RowBatch>> tuples_to_batches(const BindContext& context,
                                                       const std::vector<ExpressionRef>& first,
                                                       const BulkTuples& tuples,
                                                       const std::vector<BulkColumn>& columns);

}  // namespace coppice::planner
