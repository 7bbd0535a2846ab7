// engine_contract.cpp — by example, and against the model.
#include "tests/contract/engine_contract.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "interfaces/types/vector_buffer.h"
#include "kernel/base/random.h"
#include "tests/support/mem_engine.h"
#include "tests/support/unlimited_budget.h"

namespace coppice::testing {

namespace {

constexpr NamespaceId kNs{1};
constexpr TableRef kTable{kNs, {10}};
constexpr TableRef kIndex{kNs, {11}};
constexpr TableRef kUnique{kNs, {12}};
constexpr ColumnId kNumber{1}, kText{2}, kFlag{3};

TableDefinition rows_definition() {
  TableDefinition definition{.table = kTable, .kind = TableKind::kRows, .rows = kTable};
  definition.schema.columns = {{.id = kNumber, .type = PhysicalType::kInt64},
                               {.id = kText, .type = PhysicalType::kBytes},
                               {.id = kFlag, .type = PhysicalType::kBool}};
  assign_groups(definition.schema.columns);
  return definition;
}

// A batch that owns its values.
class BatchMaker {
 public:
  explicit BatchMaker(std::vector<PhysicalType> types) {
    for (const PhysicalType type : types) columns_.emplace_back(type);
  }
  void row(const std::vector<Datum>& values) {
    for (std::size_t c = 0; c < columns_.size(); ++c) columns_[c].append(values[c]);
  }
  RowBatch batch() const {
    RowBatch made;
    made.rows = columns_.front().size();
    made.selection = Selection::all(made.rows);
    for (const VectorBuffer& column : columns_) made.columns.push_back(column.view());
    return made;
  }

 private:
  std::vector<VectorBuffer> columns_;
};

Datum text(std::string_view value) {
  return Datum::of(as_bytes(value));
}
Datum flag(bool value) {
  return Datum::integer(PhysicalType::kBool, value ? 1 : 0);
}

ByteBuffer number_key(std::int64_t number) {
  ByteBuffer key;
  KeyWriter(key).int64(number, KeyOrder::ascending_nulls_last());
  return key;
}

std::vector<Datum> three(std::int64_t number, std::string_view value, bool on) {
  return {Datum::of(number), text(value), flag(on)};
}

Hlc must_commit(Engine& engine, WriteSet& writes) {
  auto at = engine.commit(writes, false);
  REQUIRE_MESSAGE(at.has_value(), (at ? "" : at.error().to_string()));
  return *at;
}

void create_all(Engine& engine) {
  UnlimitedBudget budget;
  const auto writes = engine.write_set(budget);
  REQUIRE(writes->create_namespace(kNs));
  REQUIRE(writes->create_table(rows_definition()));
  REQUIRE(writes->create_table({.table = kIndex, .kind = TableKind::kIndex, .rows = kTable}));
  REQUIRE(writes->create_table({.table = kUnique, .kind = TableKind::kUnique, .rows = kTable}));
  must_commit(engine, *writes);
}

// Rows inserted in one transaction, with index entries on the number.
void insert_rows(Engine& engine, WriteSet& writes, std::int64_t from, std::int64_t count) {
  static_cast<void>(engine);
  BatchMaker maker({PhysicalType::kInt64, PhysicalType::kBytes, PhysicalType::kBool});
  for (std::int64_t n = from; n < from + count; ++n)
    maker.row(three(n, "row " + std::to_string(n), n % 2 == 0));
  const auto first = writes.insert(kTable, maker.batch());
  REQUIRE(first);
  for (std::int64_t i = 0; i < count; ++i) {
    const ByteBuffer key = number_key((from + i) % 10);
    const IndexOp op{.key = key, .row = *first + static_cast<Egid>(i)};
    REQUIRE(writes.index(kIndex, std::span(&op, 1)));
    const ByteBuffer unique = number_key(from + i);
    const IndexOp unique_op{.key = unique, .row = *first + static_cast<Egid>(i)};
    REQUIRE(writes.index(kUnique, std::span(&unique_op, 1)));
  }
}

BitmapNode leaf(std::int64_t number) {
  BitmapNode node;
  node.index = kIndex;
  node.ranges.push_back(key_prefix_range(number_key(number)));
  return node;
}

// Everything that a view shows, as text: what two engines are compared by.
std::string dump(Engine& engine, const ReadView& view) {
  std::string out;
  const std::vector<ColumnId> columns = {kNumber, kText, kFlag};
  for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
    auto cursor =
        engine.scan(view, kTable, {.columns = columns, .direction = direction, .with_egids = true});
    REQUIRE_MESSAGE(cursor.has_value(), (cursor ? "" : cursor.error().to_string()));
    RowBatch batch;
    for (auto more = (*cursor)->next(batch);; more = (*cursor)->next(batch)) {
      REQUIRE_MESSAGE(more.has_value(), (more ? "" : more.error().to_string()));
      if (!*more) break;
      batch.selection.for_each([&](std::uint32_t row) {
        out += std::to_string(static_cast<Egid>(batch.egids.int_at(row)));
        for (const Vector& column : batch.columns) {
          const Datum value = column.datum_at(row);
          out += value.null             ? " -"
                 : is_bytes(value.type) ? " " + std::string(as_text(value.bytes))
                                        : " " + std::to_string(value.as_int());
        }
        out += "\n";
      });
    }
  }
  for (const TableRef index : {kIndex, kUnique}) {
    for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
      auto cursor = engine.index_scan(view, index, KeyRange{}, direction);
      REQUIRE(cursor);
      IndexCursor::Entries entries;
      for (auto more = (*cursor)->next(entries);; more = (*cursor)->next(entries)) {
        REQUIRE(more);
        if (!*more) break;
        for (std::size_t i = 0; i < entries.rows.size(); ++i) {
          KeyReader reader(entries.keys[i]);
          out += std::to_string(reader.int64(KeyOrder::ascending_nulls_last()).value_or(-1)) + "=" +
                 std::to_string(entries.rows[i]) + " ";
        }
      }
      out += "\n";
    }
  }
  return out;
}

void compare_bitmaps(Engine& engine, const ReadView& view, Engine& model,
                     const ReadView& model_view, Rng& rng) {
  const auto random_leaf = [&] { return leaf(rng.between(0, 9)); };
  BitmapNode node = random_leaf();
  for (int depth = 0; depth < 3; ++depth) {
    BitmapNode parent;
    parent.kind = static_cast<BitmapNode::Kind>(1 + rng.below(3));
    parent.children = {node, random_leaf()};
    if (rng.chance(0.5)) std::swap(parent.children[0], parent.children[1]);
    node = parent;
    const auto got = engine.rows_of(view, node);
    const auto want = model.rows_of(model_view, node);
    REQUIRE(got);
    REQUIRE(want);
    CHECK(*got == *want);
    CHECK(engine.count_of(view, node).value() == want->size());
  }
}

void compare_lookups(Engine& engine, const ReadView& view, Engine& model,
                     const ReadView& model_view, Rng& rng) {
  std::vector<ByteBuffer> keys;
  std::vector<ByteView> views;
  for (int i = 0; i < 8; ++i) keys.push_back(number_key(rng.between(0, 200)));
  for (const ByteBuffer& key : keys) views.push_back(key);
  const auto got = engine.find_unique(view, kUnique, views);
  REQUIRE(got);
  CHECK(*got == model.find_unique(model_view, kUnique, views).value());

  std::vector<Egid> rows;
  for (int i = 0; i < 20; ++i) rows.push_back(1 + rng.below(150));
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  const std::vector<ColumnId> columns = {kText, kNumber};
  const auto batch = engine.fetch(view, kTable, rows, columns);
  const auto want = model.fetch(model_view, kTable, rows, columns);
  REQUIRE(batch);
  REQUIRE(batch->selection.count() == want->rows);
  std::uint32_t at = 0;
  batch->selection.for_each([&](std::uint32_t row) {
    CHECK(batch->egids.int_at(row) == want->egids.int_at(at));
    CHECK(batch->columns[0].datum_at(row) == want->columns[0].datum_at(at));
    CHECK(batch->columns[1].datum_at(row) == want->columns[1].datum_at(at));
    ++at;
  });
}

// One random transaction, the same on both write sets.
class RandomTransaction {
 public:
  RandomTransaction(Engine& model, WriteSet& a, WriteSet& b, Rng& rng, std::int64_t& next_unique)
      : model_(model), sets_{&a, &b}, rng_(rng), next_unique_(next_unique) {}

  void run() {
    const auto steps = 1 + rng_.below(6);
    for (std::uint64_t i = 0; i < steps; ++i) {
      switch (rng_.below(6)) {
        case 0:
        case 1:
        case 2:
          insert();
          break;
        case 3:
          update();
          break;
        case 4:
          erase();
          break;
        default:
          undone();
          break;
      }
    }
  }

 private:
  std::vector<Egid> visible() {
    const auto snapshot = model_.snapshot();
    const ReadView view{snapshot.get(), sets_[1], IoClass::kQuery};
    auto cursor = model_.scan(view, kTable, {.columns = {}, .with_egids = true}).value();
    std::vector<Egid> rows;
    RowBatch batch;
    while (cursor->next(batch).value()) {
      batch.selection.for_each(
          [&](std::uint32_t row) { rows.push_back(static_cast<Egid>(batch.egids.int_at(row))); });
    }
    return rows;
  }
  void index(TableRef table, std::int64_t key_number, Egid row, bool add) {
    const ByteBuffer key = number_key(key_number);
    const IndexOp op{.key = key, .row = row, .add = add};
    for (WriteSet* set : sets_) REQUIRE(set->index(table, std::span(&op, 1)));
  }
  void insert() {
    BatchMaker maker({PhysicalType::kInt64, PhysicalType::kBytes, PhysicalType::kBool});
    const auto count = 1 + rng_.below(rng_.chance(0.1) ? 200 : 4);
    std::vector<std::int64_t> numbers;
    for (std::uint64_t i = 0; i < count; ++i) {
      numbers.push_back(rng_.between(0, 9));
      const std::string value(rng_.below(rng_.chance(0.05) ? 3000 : 30),
                              static_cast<char>('a' + rng_.below(26)));
      maker.row({Datum::of(numbers.back()),
                 rng_.chance(0.1) ? Datum::null_of(PhysicalType::kBytes) : text(value),
                 flag(rng_.chance(0.5))});
    }
    Egid first = 0;
    for (WriteSet* set : sets_) {
      const auto id = set->insert(kTable, maker.batch());
      REQUIRE(id);
      first = *id;
    }
    for (std::uint64_t i = 0; i < count; ++i) index(kIndex, numbers[i], first + i, true);
    index(kUnique, next_unique_++, first, true);  // whoever writes a unique index keeps it so
  }
  void update() {
    const std::vector<Egid> rows = visible();
    if (rows.empty()) return;
    const Egid row = rows[rng_.below(rows.size())];
    BatchMaker maker({PhysicalType::kBool});
    maker.row({flag(rng_.chance(0.5))});
    const std::vector<ColumnId> columns = {kFlag};
    for (WriteSet* set : sets_)
      REQUIRE(set->update(kTable, std::span(&row, 1), columns, maker.batch()));
    if (rng_.chance(0.5)) {
      BatchMaker number({PhysicalType::kInt64});
      const std::int64_t value = rng_.between(0, 9);
      number.row({Datum::of(value)});
      const std::vector<ColumnId> changed = {kNumber};
      for (WriteSet* set : sets_)
        REQUIRE(set->update(kTable, std::span(&row, 1), changed, number.batch()));
      for (std::int64_t old = 0; old < 10; ++old) index(kIndex, old, row, old == value);
    }
  }
  void erase() {
    const std::vector<Egid> rows = visible();
    if (rows.empty()) return;
    const Egid row = rows[rng_.below(rows.size())];
    for (WriteSet* set : sets_) REQUIRE(set->erase(kTable, std::span(&row, 1)));
    for (std::int64_t old = 0; old < 10; ++old) index(kIndex, old, row, false);
  }
  void undone() {
    const std::size_t a = sets_[0]->mark();
    const std::size_t b = sets_[1]->mark();
    insert();
    if (rng_.chance(0.5)) erase();
    sets_[0]->undo_to(a);
    sets_[1]->undo_to(b);
  }

  Engine& model_;
  WriteSet* sets_[2];
  Rng& rng_;
  std::int64_t& next_unique_;
};

}  // namespace

void engine_contract(const WithEngine& with_engine) {
  UnlimitedBudget budget;
  SUBCASE("a commit is seen by later snapshots and not by earlier ones") {
    with_engine([&](Engine& engine) {
      create_all(engine);
      const auto before = engine.snapshot();
      const auto writes = engine.write_set(budget);
      insert_rows(engine, *writes, 0, 100);
      const Hlc at = must_commit(engine, *writes);
      const auto after = engine.snapshot();
      CHECK(after->read_at() >= at);
      CHECK(before->read_at() < at);
      CHECK(engine.count_of({after.get()}, leaf(3)).value() == 10);
      CHECK(engine.count_of({before.get()}, leaf(3)).value() == 0);
    });
  }
  SUBCASE("a transaction sees its own rows under provisional ids, and nobody else does") {
    with_engine([&](Engine& engine) {
      create_all(engine);
      const auto writes = engine.write_set(budget);
      insert_rows(engine, *writes, 0, 20);
      const auto snapshot = engine.snapshot();
      const auto own = engine.rows_of({snapshot.get(), writes.get()}, leaf(3)).value();
      REQUIRE(own.size() == 2);
      CHECK(is_provisional(own.front()));
      CHECK(engine.rows_of({snapshot.get()}, leaf(3)).value().empty());
      must_commit(engine, *writes);
      const auto rows = engine.rows_of({engine.snapshot().get()}, leaf(3)).value();
      REQUIRE(rows.size() == 2);
      CHECK_FALSE(is_provisional(rows.front()));
    });
  }
  SUBCASE("egids follow commit order and are dense within a transaction") {
    with_engine([&](Engine& engine) {
      create_all(engine);
      const auto first = engine.write_set(budget);
      const auto second = engine.write_set(budget);
      insert_rows(engine, *first, 0, 3);
      insert_rows(engine, *second, 100, 3);
      must_commit(engine, *second);
      must_commit(engine, *first);
      const auto snapshot = engine.snapshot();
      const ByteBuffer keys[] = {number_key(100), number_key(102), number_key(0), number_key(2)};
      const ByteView views[] = {keys[0], keys[1], keys[2], keys[3]};
      const auto rows = engine.find_unique({snapshot.get()}, kUnique, views).value();
      CHECK(*rows[1] == *rows[0] + 2);
      CHECK(*rows[3] == *rows[2] + 2);
      CHECK(*rows[2] > *rows[1]);
    });
  }
  SUBCASE("undo drops everything after the mark") {
    with_engine([&](Engine& engine) {
      create_all(engine);
      const auto writes = engine.write_set(budget);
      insert_rows(engine, *writes, 0, 5);
      const std::size_t mark = writes->mark();
      insert_rows(engine, *writes, 5, 5);
      writes->undo_to(mark);
      must_commit(engine, *writes);
      CHECK(engine.row_count_estimate({engine.snapshot().get()}, kTable).value() == 5);
    });
  }
  SUBCASE("a commit under another schema epoch is refused and leaves nothing") {
    with_engine([&](Engine& engine) {
      create_all(engine);
      const auto writes = engine.write_set(budget);
      insert_rows(engine, *writes, 0, 1);
      const std::uint64_t before_ddl = engine.epoch(kTable);
      writes->expect_epoch(kTable, before_ddl);
      const auto old = engine.snapshot();
      const auto ddl = engine.write_set(budget);
      const std::size_t mark = ddl->mark();
      ddl->advance_epoch(kTable);
      CHECK(ddl->advances_epoch(kTable));
      CHECK_FALSE(ddl->advances_epoch(kIndex));
      ddl->undo_to(mark);
      CHECK_FALSE(ddl->advances_epoch(kTable));
      ddl->advance_epoch(kTable);
      must_commit(engine, *ddl);
      CHECK(engine.epoch(kTable) == before_ddl + 1);
      CHECK(engine.epoch_at(*old, kTable) == before_ddl);
      const auto refused = engine.commit(*writes, false);
      REQUIRE_FALSE(refused);
      CHECK(refused.error().code() == Code::kConflict);
      CHECK(engine.count_of({engine.snapshot().get()}, leaf(0)).value() == 0);
    });
  }
  SUBCASE("a dropped table stays readable in older snapshots") {
    with_engine([&](Engine& engine) {
      create_all(engine);
      const auto writes = engine.write_set(budget);
      insert_rows(engine, *writes, 0, 10);
      must_commit(engine, *writes);
      const auto before = engine.snapshot();
      const auto drop = engine.write_set(budget);
      REQUIRE(drop->drop_table(kTable));
      REQUIRE(drop->drop_table(kIndex));
      must_commit(engine, *drop);
      CHECK_FALSE(engine.definition(*engine.snapshot(), kTable).has_value());
      CHECK(engine.definition(*before, kTable).has_value());
      CHECK(engine.count_of({before.get()}, leaf(3)).value() == 1);
    });
  }
  SUBCASE("newest_commit knows updates and deletes") {
    with_engine([&](Engine& engine) {
      create_all(engine);
      const auto writes = engine.write_set(budget);
      insert_rows(engine, *writes, 0, 2);
      const Hlc inserted = must_commit(engine, *writes);
      const auto rows = engine.rows_of({engine.snapshot().get()}, leaf(0)).value();
      const auto erase = engine.write_set(budget);
      REQUIRE(erase->erase(kTable, rows));
      const Hlc erased = must_commit(engine, *erase);
      const Egid ids[] = {rows.front(), rows.front() + 1, 999};
      CHECK(engine.newest_commit(kTable, ids).value() ==
            std::vector<Hlc>{erased, inserted, Hlc::zero()});
    });
  }
}

void engine_against_model(Engine& engine, std::uint64_t seed, unsigned steps,
                          const std::function<void()>& disturb) {
  CAPTURE(seed);
  Rng rng(seed);
  UnlimitedBudget budget;
  MemEngine model;
  create_all(engine);
  create_all(model);
  std::vector<std::pair<SnapshotRef, SnapshotRef>> kept;
  std::int64_t next_unique = 0;
  for (unsigned step = 0; step < steps; ++step) {
    CAPTURE(step);
    const auto writes = engine.write_set(budget);
    const auto model_writes = model.write_set(budget);
    RandomTransaction(model, *writes, *model_writes, rng, next_unique).run();
    const SnapshotRef now = engine.snapshot();
    const SnapshotRef model_now = model.snapshot();
    if (rng.chance(0.3)) {
      CHECK(dump(engine, {now.get(), writes.get()}) ==
            dump(model, {model_now.get(), model_writes.get()}));
    }
    if (rng.chance(0.9)) {
      must_commit(engine, *writes);
      must_commit(model, *model_writes);
    }
    if (rng.chance(0.2)) disturb();
    if (rng.chance(0.1)) kept.emplace_back(engine.snapshot(), model.snapshot());
    if (kept.size() > 4) kept.erase(kept.begin());
    const SnapshotRef after = engine.snapshot();
    const SnapshotRef model_after = model.snapshot();
    compare_bitmaps(engine, {after.get()}, model, {model_after.get()}, rng);
    compare_lookups(engine, {after.get()}, model, {model_after.get()}, rng);
    if (rng.chance(0.2)) CHECK(dump(engine, {after.get()}) == dump(model, {model_after.get()}));
    for (const auto& [old, model_old] : kept) {
      if (rng.chance(0.2)) CHECK(dump(engine, {old.get()}) == dump(model, {model_old.get()}));
    }
  }
}

}  // namespace coppice::testing
