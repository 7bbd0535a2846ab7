// finish.h — results of aggregates over numeric, one per group.
#pragma once

#include <optional>
#include <string>

#include "interfaces/sql_pack.h"
#include "plugins/sql/numeric/number.h"

namespace coppice::sql_numeric {

// result(group) -> Result<std::optional<Number>>; nothing is NULL.
template <class Of>
Status finish_groups(std::uint32_t first, std::uint32_t count, VectorBuffer& out, Of result) {
  std::string bytes;
  for (std::uint32_t group = first; group < first + count; ++group) {
    const std::optional<Number> number = COPPICE_TRY(result(group));
    if (!number) {
      out.append_null();
      continue;
    }
    bytes.clear();
    COPPICE_TRY(store(*number, bytes));
    out.append_bytes(as_bytes(bytes));
  }
  return {};
}

}  // namespace coppice::sql_numeric
