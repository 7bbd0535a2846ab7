// row_slices.h — a batch of long values, taken in pieces.
//
// Role:     a thousand rows of a long value are formatted and sent some at a time, so that a client
//           that reads slowly holds little. Pure.
// Threads:  any. Parks: only what `send` does.
#pragma once

#include <cstddef>
#include <utility>

#include "interfaces/types/row_batch.h"
#include "kernel/base/result.h"

namespace coppice::pgwire {

// Of the strings of one row; fixed values count for nothing.
std::size_t string_bytes(const RowBatch& batch, std::uint32_t row);
bool has_strings(const RowBatch& batch);

// Calls send(slice) for pieces of `batch`, in order, each with all its rows' strings within `bytes`
// or a single row. Short batches are one piece and not copied.
template <class Send>
Status send_in_slices(const RowBatch& batch, std::size_t bytes, Send send) {
  if (!has_strings(batch)) return send(batch);
  std::size_t whole = 0;
  batch.selection.for_each([&](std::uint32_t row) { whole += string_bytes(batch, row); });
  if (whole <= bytes) return send(batch);

  RowBatch slice = batch;
  Selection::Mask mask = {};
  std::size_t taken = 0;
  Status sent;
  const auto flush = [&] {
    slice.selection = Selection::from_mask(mask, batch.rows);
    mask = {};
    taken = 0;
    sent = send(std::as_const(slice));
  };
  batch.selection.for_each([&](std::uint32_t row) {
    if (!sent) return;
    const std::size_t more = string_bytes(batch, row);
    if (taken != 0 && taken + more > bytes) flush();
    mask[row / 64] |= std::uint64_t{1} << (row % 64);
    taken += more + 1;
  });
  if (sent && taken != 0) flush();
  return sent;
}

}  // namespace coppice::pgwire
