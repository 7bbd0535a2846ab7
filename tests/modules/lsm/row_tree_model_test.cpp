// row_tree_model_test.cpp — a map of versions against memtable and files, through updates, deletes,
// flushes and merges: the row tree without its fibers and files.
#include <doctest/doctest.h>

#include "modules/lsm/memtable/row_memtable.h"
#include "modules/lsm/sstable/row_file_cursor.h"
#include "modules/lsm/sstable/row_file_scan.h"
#include "tests/modules/lsm/memory_file.h"
#include "tests/modules/lsm/row_model.h"

using namespace coppice;
using namespace coppice::lsm;

namespace {

class TreeUnderTest {
 public:
  explicit TreeUnderTest(std::uint64_t seed)
      : rng_(seed), schema_(random_schema(rng_)), values_(rng_, schema_) {
    for (std::uint32_t i = 0; i < schema_.columns.size(); ++i) columns_.push_back(i);
    memtable_ = std::make_unique<RowMemtable>(schema_);
  }

  void step() {
    const std::uint64_t what = rng_.below(100);
    now_ += 1 + rng_.below(3);
    if (rng_.chance(0.1)) horizon_ = std::max(horizon_, now_ - std::min<std::uint64_t>(now_, 20));
    if (what < 20) insert_rows(rng_.chance(0.1) ? 1 + rng_.below(1500) : 1 + rng_.below(5));
    if (what >= 20 && what < 70) update();
    if (what >= 70 && what < 80) erase();
    if (what >= 80 && what < 97) check();
    if (what == 97 || what == 98) flush();
    if (what == 99) merge();
  }
  void check_all() {
    std::vector<Egid> egids;
    for (Egid egid = 0; egid <= next_egid_; ++egid) egids.push_back(egid);
    check_fetch(Hlc::max(), egids);
    flush();
    merge();
    check_fetch(Hlc::max(), egids);
    if (!last_.empty()) check_scan(last_[0].get());
  }

 private:
  using Reader = std::unique_ptr<RowFileReader>;

  std::vector<Datum> random_values(GroupMask mask, RowModel::Version& version) {
    std::vector<Datum> values;
    for (const std::uint32_t column : schema_.columns_of(mask)) {
      values.push_back(values_.next(column));
      version.values[column] = values.back();
    }
    version.mask = mask;
    return values;
  }
  void insert_rows(std::uint64_t count) {
    if (rng_.chance(0.2)) next_egid_ += rng_.below(30);
    std::deque<VectorBuffer> columns;
    for (const Column& column : schema_.columns) columns.emplace_back(column.type);
    for (std::uint64_t i = 0; i < count; ++i) {
      RowModel::Version& version = model_.rows[next_egid_ + i][now_];
      const std::vector<Datum> values = random_values(schema_.all_groups(), version);
      for (std::size_t c = 0; c < values.size(); ++c) columns[c].append(values[c]);
    }
    std::vector<Vector> views;
    for (const VectorBuffer& column : columns) views.push_back(column.view());
    REQUIRE(
        memtable_->append_rows(next_egid_, {now_}, views, 0, static_cast<std::uint32_t>(count)));
    next_egid_ += count;
  }
  // A row that exists, not always the same few.
  std::optional<Egid> pick() {
    if (model_.rows.empty()) return std::nullopt;
    const Egid from = rng_.chance(0.3) ? rng_.below(5) : rng_.below(next_egid_);
    const auto at = model_.rows.lower_bound(from);
    if (at == model_.rows.end() || at->second.begin()->second.deleted) return std::nullopt;
    return at->first;
  }
  void update() {
    const auto egid = pick();
    if (!egid) return;
    GroupMask mask = schema_.all_groups() & rng_.next();
    if (mask == 0) mask = schema_.all_groups();
    RowModel::Version& version = model_.rows[*egid][now_];
    ByteBuffer tuple;
    REQUIRE(append_tuple(random_values(mask, version), tuple));
    REQUIRE(memtable_->update(*egid, {now_}, mask, tuple, {horizon_}));
  }
  void erase() {
    const auto egid = pick();
    if (!egid) return;
    model_.rows[*egid][now_] = {0, true, {}};
    REQUIRE(memtable_->erase(*egid, {now_}, {horizon_}));
  }
  void check() {
    std::vector<Egid> egids;
    for (Egid egid = rng_.below(5); egid < next_egid_ + 3; egid += 1 + rng_.below(200))
      egids.push_back(egid);
    check_fetch(rng_.chance(0.5) ? Hlc::max() : Hlc{horizon_ + rng_.below(now_ - horizon_ + 1)},
                egids);
  }
  void check_fetch(Hlc at, std::span<const Egid> egids) {
    RowFetch fetch(schema_, at, columns_, egids);
    memtable_->claim(fetch);
    for (const Reader& file : level_0_) REQUIRE(file->claim(fetch, source_));
    for (const Reader& file : last_) REQUIRE(file->claim(fetch, source_));
    REQUIRE(fetch.read(source_));
    for (std::uint32_t row = 0; row < egids.size(); ++row) {
      CAPTURE(egids[row]);
      CAPTURE(at.value);
      const auto expected = model_.read(schema_, egids[row], at);
      REQUIRE(fetch.exists(row) == expected.has_value());
      for (std::uint32_t column = 0; expected && column < expected->size(); ++column) {
        CAPTURE(column);
        REQUIRE(fetch.value(row, column) == (*expected)[column]);
      }
    }
  }
  // The last level alone, once everything is there: batches and fetched rows cover all rows.
  void check_scan(const RowFileReader* file) {
    for (const auto direction :
         {RowFileScan::Direction::kForward, RowFileScan::Direction::kBackward}) {
      std::map<Egid, std::vector<Datum>> seen;
      RowFileScan scan(*file, schema_, columns_, Hlc::max(), {}, direction);
      ScanBatch batch;
      while (true) {
        const auto more = scan.next(source_, batch);
        REQUIRE(more);
        if (!*more) break;
        CHECK(batch.others.empty());  // the newest versions are whole
        batch.batch.selection.for_each([&](std::uint32_t row) {
          std::vector<Datum>& values = seen[static_cast<Egid>(batch.batch.egids.int_at(row))];
          for (std::size_t i = 0; i < batch.batch.columns.size(); ++i) {
            values.push_back(batch.batch.columns[i].datum_at(row));
            if (!values.back().null) CHECK(batch.zones[i].may_hold(zone_of(values.back())));
          }
          const auto egid = static_cast<Egid>(batch.batch.egids.int_at(row));
          REQUIRE(model_.read(schema_, egid, Hlc::max()) == values);
        });
      }
      std::size_t expected = 0;
      for (const auto& [egid, versions] : model_.rows)
        if (!versions.begin()->second.deleted) ++expected;
      CHECK(seen.size() == expected);
    }
  }
  template <class Fill>
  Reader write_file(Fill fill, bool pin_keys) {
    const std::uint64_t id = ++last_file_;
    MemorySink sink(source_.files[id]);
    RowFileOptions options{id, 0, &schema_, {}};
    RowFileBuilder builder(options, sink);
    fill(builder);
    if (builder.rows() == 0) return nullptr;
    REQUIRE(builder.finish());
    auto reader =
        RowFileReader::open({id, 0, source_.files[id].size(), pin_keys}, source_.reader_of(id));
    REQUIRE(reader);
    return *std::move(reader);
  }
  void flush() {
    Reader fresh = write_file(
        [&](RowFileBuilder& to) { REQUIRE(memtable_->flush_new({horizon_}, to)); }, false);
    Reader rest = write_file(
        [&](RowFileBuilder& to) { REQUIRE(memtable_->flush_rest({horizon_}, to)); }, true);
    if (fresh) last_.push_back(std::move(fresh));
    if (rest) level_0_.insert(level_0_.begin(), std::move(rest));
    memtable_ = std::make_unique<RowMemtable>(schema_);
  }
  // Everything flushed becomes one file of the last level.
  void merge() {
    std::vector<RowFileCursor> cursors;
    for (const Reader& file : level_0_) cursors.emplace_back(*file, schema_);
    for (const Reader& file : last_) cursors.emplace_back(*file, schema_);
    if (cursors.empty()) return;
    std::vector<bool> live;
    for (RowFileCursor& cursor : cursors) live.push_back(advance(cursor));
    Reader merged = write_file(
        [&](RowFileBuilder& to) {
          while (true) {
            Egid least = UINT64_MAX;
            for (std::size_t i = 0; i < cursors.size(); ++i)
              if (live[i]) least = std::min(least, cursors[i].egid());
            if (least == UINT64_MAX) return;
            std::vector<StoredVersion> versions;
            for (std::size_t i = 0; i < cursors.size(); ++i)  // newest source first
              if (live[i] && cursors[i].egid() == least)
                versions.insert(versions.end(), cursors[i].versions().begin(),
                                cursors[i].versions().end());
            reduce_versions(schema_, {{horizon_}, true}, versions);
            REQUIRE(add_versions(schema_, least, versions, to));
            for (std::size_t i = 0; i < cursors.size(); ++i)
              if (live[i] && cursors[i].egid() == least) live[i] = advance(cursors[i]);
          }
        },
        false);
    level_0_.clear();
    last_.clear();
    if (merged) last_.push_back(std::move(merged));
  }
  bool advance(RowFileCursor& cursor) {
    const auto more = cursor.next(source_);
    REQUIRE(more);
    return *more;
  }

  Rng rng_;
  TableSchema schema_;
  ValueSource values_;
  std::vector<std::uint32_t> columns_;
  RowModel model_;
  std::uint64_t now_ = 1;
  std::uint64_t horizon_ = 0;
  Egid next_egid_ = 0;
  std::unique_ptr<RowMemtable> memtable_;
  MemorySource source_;
  std::vector<Reader> level_0_;  // newest first
  std::vector<Reader> last_;
  std::uint64_t last_file_ = 0;
};

}  // namespace

TEST_CASE("a row tree agrees with a map of versions through flushes and merges") {
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    CAPTURE(seed);
    TreeUnderTest tree(seed);
    for (int i = 0; i < 400; ++i) tree.step();
    tree.check_all();
  }
}
