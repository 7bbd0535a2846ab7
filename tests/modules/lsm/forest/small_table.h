// small_table.h — one table with an index and a unique index, and what they should hold.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "interfaces/types/vector_buffer.h"
#include "kernel/base/random.h"
#include "modules/lsm/forest/forest.h"
#include "tests/support/unlimited_budget.h"

namespace coppice::lsm {

// Contents after a commit. Numbers are never reused; the index is by the number's last digit.
struct TableState {
  struct Row {
    std::int64_t number = 0;
    std::string text;
    friend bool operator==(const Row&, const Row&) = default;
  };
  bool exists = false;
  std::map<Egid, Row> rows;
  Egid next = 1;
};

class SmallTable {
 public:
  static constexpr TableRef kTable{{1}, {10}}, kIndex{{1}, {11}}, kUnique{{1}, {12}};
  static constexpr ColumnId kNumber{1}, kText{2};

  static ByteBuffer key(std::int64_t number) {
    ByteBuffer made;
    KeyWriter(made).int64(number, KeyOrder::ascending_nulls_last());
    return made;
  }
  static BitmapNode leaf(std::int64_t digit) {
    BitmapNode node;
    node.index = kIndex;
    node.ranges.push_back(key_prefix_range(key(digit)));
    return node;
  }

  // What `state` becomes by the operations put into `writes`.
  static void create(WriteSet& writes, TableState& state) {
    TableDefinition rows{.table = kTable, .kind = TableKind::kRows, .rows = kTable};
    rows.schema.columns = {{.id = kNumber, .type = PhysicalType::kInt64},
                           {.id = kText, .type = PhysicalType::kBytes}};
    assign_groups(rows.schema.columns);
    REQUIRE(writes.create_namespace({1}));
    REQUIRE(writes.create_table(rows));
    REQUIRE(writes.create_table({.table = kIndex, .kind = TableKind::kIndex, .rows = kTable}));
    REQUIRE(writes.create_table({.table = kUnique, .kind = TableKind::kUnique, .rows = kTable}));
    state.exists = true;
  }
  static void insert(WriteSet& writes, TableState& state, std::span<const TableState::Row> rows) {
    if (rows.size() > kVectorRows) {
      insert(writes, state, rows.first(kVectorRows));
      return insert(writes, state, rows.subspan(kVectorRows));
    }
    VectorBuffer numbers(PhysicalType::kInt64), texts(PhysicalType::kBytes);
    for (const auto& row : rows) {
      numbers.append(Datum::of(row.number));
      texts.append(Datum::of(as_bytes(row.text)));
    }
    RowBatch batch;
    batch.rows = numbers.size();
    batch.selection = Selection::all(batch.rows);
    batch.columns = {numbers.view(), texts.view()};
    const auto first = writes.insert(kTable, batch);
    REQUIRE_MESSAGE(first, first.error().to_string());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      index(writes, rows[i].number, *first + i, true);
      state.rows[state.next++] = rows[i];
    }
  }
  static void update_text(WriteSet& writes, TableState& state, Egid row, const std::string& text) {
    VectorBuffer texts(PhysicalType::kBytes);
    texts.append(Datum::of(as_bytes(text)));
    RowBatch batch;
    batch.rows = 1;
    batch.selection = Selection::all(1);
    batch.columns = {texts.view()};
    const std::vector<ColumnId> columns = {kText};
    REQUIRE(writes.update(kTable, std::span(&row, 1), columns, batch));
    state.rows[row].text = text;
  }
  static void erase(WriteSet& writes, TableState& state, Egid row) {
    REQUIRE(writes.erase(kTable, std::span(&row, 1)));
    index(writes, state.rows[row].number, row, false);
    state.rows.erase(row);
  }

  // Some of all of that.
  static void change(WriteSet& writes, TableState& state, Rng& rng, std::int64_t& next_number) {
    if (!state.exists) return create(writes, state);
    const auto pick = [&] {
      auto at = state.rows.lower_bound(rng.below(state.next));
      return at == state.rows.end() ? state.rows.begin()->first : at->first;
    };
    const auto text = [&] {
      const std::size_t size = rng.below(rng.chance(0.05) ? 5000 : 40);
      return std::string(size, static_cast<char>('a' + rng.below(26)));
    };
    // Rows that this transaction inserts are not changed by it: they have other ids in it.
    std::vector<Egid> touched;
    for (std::uint64_t i = rng.below(4); i > 0 && !state.rows.empty(); --i) {
      const Egid row = pick();
      if (std::ranges::find(touched, row) != touched.end()) continue;
      touched.push_back(row);
      if (rng.chance(0.6)) {
        update_text(writes, state, row, text());
      } else {
        erase(writes, state, row);
      }
    }
    std::vector<TableState::Row> rows;
    for (std::uint64_t i = 1 + rng.below(rng.chance(0.1) ? 100 : 5); i > 0; --i)
      rows.push_back({next_number++, text()});
    insert(writes, state, rows);
  }

  // Everything that the newest snapshot shows. An error of a read is given back.
  static Result<TableState> read(Forest& forest) {
    TableState state;
    const SnapshotRef snapshot = forest.snapshot();
    const ReadView view{snapshot.get()};
    state.exists = forest.definition(*snapshot, kTable).has_value();
    if (!state.exists) return state;
    ScanOptions options;
    options.columns = {kNumber, kText};
    options.with_egids = true;
    const auto cursor = COPPICE_TRY(forest.scan(view, kTable, options));
    RowBatch batch;
    for (;;) {
      const bool more = COPPICE_TRY(cursor->next(batch));
      if (!more) break;
      batch.selection.for_each([&](std::uint32_t row) {
        const auto egid = static_cast<Egid>(batch.egids.int_at(row));
        state.rows[egid] = {batch.columns[0].int_at(row),
                            std::string(as_text(batch.columns[1].datum_at(row).bytes))};
        state.next = egid + 1;
      });
    }
    COPPICE_TRY(check_indexes(forest, view, state));
    return state;
  }

 private:
  static void index(WriteSet& writes, std::int64_t number, Egid row, bool add) {
    const ByteBuffer digit = key(number % 10), whole = key(number);
    const IndexOp op{.key = digit, .row = row, .add = add};
    REQUIRE(writes.index(kIndex, std::span(&op, 1)));
    const IndexOp unique{.key = whole, .row = row, .add = add};
    REQUIRE(writes.index(kUnique, std::span(&unique, 1)));
  }
  // Both indexes say the same as the rows.
  static Status check_indexes(Forest& forest, const ReadView& view, const TableState& state) {
    std::map<std::int64_t, RowIds> by_digit;
    std::vector<ByteBuffer> keys;
    for (const auto& [egid, row] : state.rows) {
      by_digit[row.number % 10].push_back(egid);
      keys.push_back(key(row.number));
    }
    for (std::int64_t digit = 0; digit < 10; ++digit) {
      const RowIds found = COPPICE_TRY(forest.rows_of(view, leaf(digit)));
      CHECK(found == by_digit[digit]);
    }
    const std::vector<ByteView> views(keys.begin(), keys.end());
    const auto found = COPPICE_TRY(forest.find_unique(view, kUnique, views));
    std::size_t at = 0;
    for (const auto& [egid, row] : state.rows) CHECK(found[at++] == egid);
    const auto cursor = COPPICE_TRY(forest.index_scan(view, kUnique, {}, Direction::kForward));
    IndexCursor::Entries entries;
    std::size_t count = 0;
    for (;;) {
      const bool more = COPPICE_TRY(cursor->next(entries));
      if (!more) break;
      count += entries.rows.size();
    }
    CHECK(count == state.rows.size());
    return {};
  }
};

}  // namespace coppice::lsm
