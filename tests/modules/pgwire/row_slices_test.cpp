// row_slices_test.cpp — pieces of batches: bounds, order, errors.
#include "modules/pgwire/row_slices.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "interfaces/types/datum.h"
#include "interfaces/types/vector_buffer.h"

namespace coppice::pgwire {
namespace {

// Rows with strings of these lengths.
RowBatch batch_of(VectorBuffer& values, const std::vector<std::size_t>& lengths) {
  for (const std::size_t length : lengths) values.append_bytes(as_bytes(std::string(length, 'x')));
  RowBatch batch;
  batch.rows = static_cast<std::uint32_t>(lengths.size());
  batch.selection = Selection::all(batch.rows);
  batch.columns.push_back(values.view());
  return batch;
}

std::vector<std::vector<std::uint32_t>> slices_of(const RowBatch& batch, std::size_t bytes) {
  std::vector<std::vector<std::uint32_t>> slices;
  CHECK(send_in_slices(batch, bytes, [&](const RowBatch& slice) -> Status {
    slice.selection.for_each(
        [&, rows = &slices.emplace_back()](std::uint32_t row) { rows->push_back(row); });
    return {};
  }));
  return slices;
}

TEST_CASE("a batch of short values is one piece") {
  VectorBuffer values(PhysicalType::kBytes);
  const RowBatch batch = batch_of(values, {1, 0, 7});
  CHECK(slices_of(batch, 8) == std::vector<std::vector<std::uint32_t>>{{0, 1, 2}});
}

TEST_CASE("long values go in pieces, in order, none twice; a longer one goes alone") {
  VectorBuffer values(PhysicalType::kBytes);
  RowBatch batch = batch_of(values, {3, 0, 5, 9, 100, 1, 1});
  CHECK(slices_of(batch, 9) ==
        std::vector<std::vector<std::uint32_t>>{{0, 1}, {2}, {3}, {4}, {5, 6}});
  batch.selection = Selection::from_mask({0b1011000}, batch.rows);
  CHECK(slices_of(batch, 9) == std::vector<std::vector<std::uint32_t>>{{3}, {4}, {6}});
}

TEST_CASE("a thousand rows of one constant megabyte are a thousand pieces") {
  const std::string megabyte(1 << 20, 'x');
  RowBatch batch;
  batch.rows = 1000;
  batch.selection = Selection::all(1000);
  batch.columns.push_back(Vector::constant(Datum::of(as_bytes(megabyte)), 1000));
  CHECK(slices_of(batch, 1 << 20).size() == 1000);
}

TEST_CASE("the first error is the answer, and nothing is sent after it") {
  VectorBuffer values(PhysicalType::kBytes);
  const RowBatch batch = batch_of(values, {9, 9, 9});
  int sent = 0;
  const Status status = send_in_slices(batch, 9, [&](const RowBatch&) -> Status {
    ++sent;
    return fail(Code::kUnavailable, "gone");
  });
  CHECK_FALSE(status);
  CHECK(sent == 1);
}

}  // namespace
}  // namespace coppice::pgwire
