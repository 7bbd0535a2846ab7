// row_model.h — the oracle: every version of every row, in maps.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "interfaces/types/egid.h"
#include "interfaces/types/hlc.h"
#include "modules/lsm/sstable/row_fetch.h"
#include "tests/modules/lsm/row_samples.h"

namespace coppice::lsm {

// 2 to 8 columns of random types over up to four groups.
inline TableSchema random_schema(Rng& rng) {
  TableSchema schema;
  schema.version = static_cast<std::uint32_t>(1 + rng.below(9));
  const std::uint64_t columns = 2 + rng.below(7);
  for (std::uint16_t i = 0; i < columns; ++i) {
    Column column;
    column.id = {static_cast<std::uint16_t>(10 + 3 * i)};
    column.type = kAllTypes[rng.below(std::size(kAllTypes))];
    column.group = static_cast<std::uint8_t>(i == 0 ? 0 : rng.below(4));
    schema.columns.push_back(column);
  }
  return schema;
}

class RowModel {
 public:
  struct Version {
    GroupMask mask = 0;
    bool deleted = false;
    std::map<std::uint32_t, Datum> values;  // by column
  };
  using Versions = std::map<std::uint64_t, Version, std::greater<>>;  // newest first
  std::map<Egid, Versions> rows;

  // The row as a read at `at` sees it; nothing: it does not exist.
  std::optional<std::vector<Datum>> read(const TableSchema& schema, Egid egid, Hlc at) const {
    const auto row = rows.find(egid);
    if (row == rows.end()) return std::nullopt;
    std::vector<std::optional<Datum>> values(schema.columns.size());
    bool seen = false;
    for (auto v = row->second.lower_bound(at.value); v != row->second.end(); ++v) {
      if (v->second.deleted && !seen) return std::nullopt;
      if (v->second.deleted) break;
      seen = true;
      for (const auto& [column, value] : v->second.values)
        if (!values[column]) values[column] = value;
    }
    if (!seen) return std::nullopt;
    std::vector<Datum> result;
    for (std::uint32_t i = 0; i < values.size(); ++i)
      result.push_back(values[i].value_or(schema.columns[i].missing_value()));
    return result;
  }
};

// Random values that the model keeps alive.
class ValueSource {
 public:
  ValueSource(Rng& rng, const TableSchema& schema) : rng_(rng) {
    for (const Column& column : schema.columns)
      samples_.emplace_back(rng, column.type, rng.chance(0.3) ? 300 : 20);
  }
  Datum next(std::uint32_t column) {
    Datum value = samples_[column].next();
    if (is_bytes(value.type) && rng_.chance(0.004)) {  // a long one, rarely a very long one
      const std::size_t length = rng_.chance(0.9) ? 2000 + rng_.below(9000) : 300'000;
      std::string& text = texts_.emplace_back(length, 'x');
      for (std::size_t i = 0; i < length; i += 7) text[i] = static_cast<char>(rng_.below(256));
      return Datum::of(as_bytes(text));
    }
    return value;
  }

 private:
  Rng& rng_;
  std::deque<ColumnSample> samples_;
  std::deque<std::string> texts_;
};

}  // namespace coppice::lsm
