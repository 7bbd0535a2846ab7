// row_file_test.cpp — files against a model of versions; damage anywhere is found and named.
#include <doctest/doctest.h>

#include "modules/lsm/sstable/row_file_scan.h"
#include "tests/modules/lsm/memory_file.h"
#include "tests/modules/lsm/row_model.h"

using namespace coppice;
using namespace coppice::lsm;

namespace {

constexpr std::uint64_t kFile = 5;

std::vector<std::uint32_t> all_columns(const TableSchema& schema) {
  std::vector<std::uint32_t> columns(schema.columns.size());
  for (std::uint32_t i = 0; i < columns.size(); ++i) columns[i] = i;
  return columns;
}

// Versions of one row, from an insert on.
RowModel::Versions random_versions(Rng& rng, const TableSchema& schema, ValueSource& values,
                                   bool partial_allowed) {
  RowModel::Versions versions;
  const std::uint64_t count = rng.chance(0.8) ? 1 : 1 + rng.below(rng.chance(0.05) ? 200 : 4);
  std::uint64_t timestamp = 1 + rng.below(50);
  for (std::uint64_t i = 0; i < count; ++i) {
    RowModel::Version version;
    version.mask = schema.all_groups();
    if (partial_allowed || i > 0) version.mask &= rng.next();
    version.deleted = i > 0 && i + 1 == count && rng.chance(0.3);
    if (version.mask == 0 && !version.deleted) version.mask = schema.all_groups();
    if (version.deleted) version.mask = 0;
    for (const std::uint32_t column : schema.columns_of(version.mask))
      version.values[column] = values.next(column);
    versions[timestamp] = version;
    timestamp += 1 + rng.below(5);
  }
  return versions;
}

void build(const TableSchema& schema, const RowModel& model, RowFileOptions options,
           ByteBuffer& to) {
  options.schema = &schema;
  MemorySink sink(to);
  RowFileBuilder builder(options, sink);
  for (const auto& [egid, versions] : model.rows)
    for (const auto& [timestamp, version] : versions) {
      std::vector<Datum> values;
      for (const auto& [column, value] : version.values) values.push_back(value);
      REQUIRE(builder.add({egid, {timestamp}, version.mask, version.deleted, values}));
    }
  const auto properties = builder.finish();
  REQUIRE(properties);
  CHECK(properties->rows == model.rows.size());
}

void check_read(const TableSchema& schema, const RowModel& model, Hlc at,
                std::span<const Egid> egids, const RowFileReader& reader, BlockSource& source) {
  RowFetch fetch(schema, at, all_columns(schema), egids);
  REQUIRE(reader.claim(fetch, source));
  REQUIRE(fetch.read(source));
  for (std::uint32_t row = 0; row < egids.size(); ++row) {
    CAPTURE(egids[row]);
    CAPTURE(at.value);
    const auto expected = model.read(schema, egids[row], at);
    REQUIRE(fetch.exists(row) == expected.has_value());
    for (std::uint32_t column = 0; expected && column < expected->size(); ++column) {
      CAPTURE(column);
      REQUIRE(fetch.value(row, column) == (*expected)[column]);
    }
  }
}

std::vector<Egid> random_egids(Rng& rng, Egid last) {
  std::vector<Egid> egids;
  for (Egid egid = rng.below(last + 5); egid <= last + 3; egid += 1 + rng.below(last / 4 + 2))
    egids.push_back(egid);
  return egids;
}

}  // namespace

TEST_CASE("files agree with a model of versions at every timestamp") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    Rng rng(seed);
    const TableSchema schema = random_schema(rng);
    ValueSource values(rng, schema);
    RowModel model;
    const bool dense = rng.chance(0.5);
    Egid egid = rng.below(1000);
    const std::uint64_t rows = 1 + rng.below(rng.chance(0.3) ? 4000 : 300);
    for (std::uint64_t i = 0; i < rows; ++i) {
      model.rows[egid] = random_versions(rng, schema, values, !dense);
      egid += dense ? 1 : 1 + rng.below(20);
    }
    MemorySource source;
    RowFileOptions options;
    options.file = kFile;
    options.start = rng.below(2) * 100;
    source.files[kFile].resize(options.start);
    build(schema, model, options, source.files[kFile]);
    RowFileOpen open{kFile, options.start, source.files[kFile].size(), rng.chance(0.5)};
    const auto reader = RowFileReader::open(open, source.reader_of(kFile));
    REQUIRE(reader);
    for (int round = 0; round < 8; ++round)
      check_read(schema, model, {rng.below(80)}, random_egids(rng, egid), **reader, source);
    check_read(schema, model, Hlc::max(), random_egids(rng, egid), **reader, source);

    std::vector<Egid> all;
    REQUIRE((*reader)->collect_egids(0, egid, source, all));
    REQUIRE(all.size() == model.rows.size());
    for (const Egid one : random_egids(rng, egid)) {
      const auto has = (*reader)->has_egid(one, source);
      REQUIRE(has);
      CHECK(*has == model.rows.contains(one));
    }
  }
}

TEST_CASE("a loaded table reads rows with one block read a group") {
  Rng rng(1);
  TableSchema schema;
  schema.columns = {{{1}, PhysicalType::kInt32}, {{2}, PhysicalType::kInt64}};
  VectorBuffer a(PhysicalType::kInt32), b(PhysicalType::kInt64);
  for (int i = 0; i < 1000; ++i) {
    a.append(Datum::integer(PhysicalType::kInt32, i));
    b.append(Datum::of(static_cast<std::int64_t>(rng.below(1000))));
  }
  const Vector columns[] = {a.view(), b.view()};
  MemorySource source;
  MemorySink sink(source.files[kFile]);
  RowFileOptions options{kFile, 0, &schema, {}};
  RowFileBuilder builder(options, sink);
  for (Egid first = 1; first < 200'000; first += 1000)
    REQUIRE(builder.append_rows(first, {7}, columns, 0, 1000));
  CHECK_FALSE(builder.append_rows(5, {7}, columns, 0, 10));  // out of order
  REQUIRE(builder.finish());
  const auto reader =
      RowFileReader::open({kFile, 0, source.files[kFile].size()}, source.reader_of(kFile));
  REQUIRE(reader);
  const Egid egid = 123'456;
  RowFetch fetch(schema, Hlc::max(), all_columns(schema), {&egid, 1});
  REQUIRE((*reader)->claim(fetch, source));
  CHECK(source.fetches == 0);  // arithmetic
  REQUIRE(fetch.read(source));
  CHECK(source.blocks == 1);
  CHECK(fetch.value(0, 0) == Datum::integer(PhysicalType::kInt32, (123'456 - 1) % 1000));
  CHECK((*reader)->memory_bytes() < 8192);  // 196 blocks
}

TEST_CASE("every flipped bit and every truncation of a file is found and named") {
  Rng rng(3);
  TableSchema schema;
  schema.columns = {{{1}, PhysicalType::kInt32, true, 0}, {{2}, PhysicalType::kBytes, true, 1}};
  RowModel model;
  std::deque<std::string> texts;
  for (Egid egid = 1; egid < 14; ++egid)
    for (std::uint64_t timestamp = 1; timestamp <= 2; ++timestamp) {
      texts.emplace_back(egid == 3 ? 2500 : 5, static_cast<char>('a' + egid));
      model.rows[egid][timestamp] = {
          3,
          false,
          {{0, Datum::integer(PhysicalType::kInt32, 4)}, {1, Datum::of(as_bytes(texts.back()))}}};
    }
  MemorySource source;
  ByteBuffer& bytes = source.files[kFile];
  RowFileOptions options;
  options.file = kFile;
  build(schema, model, options, bytes);
  std::vector<Egid> egids;
  for (const auto& [egid, versions] : model.rows) egids.push_back(egid);

  const auto read_everything = [&]() -> Status {
    const auto reader =
        COPPICE_TRY(RowFileReader::open({kFile, 0, bytes.size(), true}, source.reader_of(kFile)));
    for (const Hlc at : {Hlc{1}, Hlc{2}}) {
      RowFetch fetch(schema, at, all_columns(schema), egids);
      COPPICE_TRY(reader->claim(fetch, source));
      COPPICE_TRY(fetch.read(source));
    }
    return {};
  };
  REQUIRE(read_everything());
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    bytes[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
    const Status status = read_everything();
    CAPTURE(bit / 8);
    REQUIRE_FALSE(status);
    REQUIRE(status.error().code() == Code::kCorruption);
    REQUIRE(status.error().message().find("file 5 offset ") != std::string::npos);
    bytes[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
  }
  const ByteBuffer whole = bytes;
  for (std::size_t cut = 0; cut < whole.size(); ++cut) {
    bytes.assign(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(cut));
    REQUIRE_FALSE(read_everything());
  }
}

TEST_CASE("columns younger than a file read as their missing value, in old and in new groups") {
  TableSchema old_schema;
  old_schema.columns = {{{1}, PhysicalType::kInt32, true, 0}};
  VectorBuffer numbers(PhysicalType::kInt32);
  for (int i = 0; i < 100; ++i) numbers.append(Datum::integer(PhysicalType::kInt32, i));
  MemorySource source;
  MemorySink sink(source.files[kFile]);
  RowFileBuilder builder({kFile, 0, &old_schema, {}}, sink);
  const Vector columns[] = {numbers.view()};
  REQUIRE(builder.append_rows(1, {7}, columns, 0, 100));
  REQUIRE(builder.finish());
  const auto reader =
      RowFileReader::open({kFile, 0, source.files[kFile].size()}, source.reader_of(kFile));
  REQUIRE(reader);
  TableSchema schema = old_schema;
  schema.version = 2;
  schema.columns.push_back({{2}, PhysicalType::kInt16, true, 0});
  schema.columns.push_back({{3}, PhysicalType::kBytes, true, 1});
  schema.columns[1].missing = ByteBuffer{std::byte{9}, std::byte{0}};
  const Egid egid = 5;
  RowFetch fetch(schema, Hlc::max(), all_columns(schema), {&egid, 1});
  REQUIRE((*reader)->claim(fetch, source));
  REQUIRE(fetch.read(source));
  REQUIRE(fetch.exists(0));
  CHECK(fetch.value(0, 0) == Datum::integer(PhysicalType::kInt32, 4));
  CHECK(fetch.value(0, 1) == Datum::integer(PhysicalType::kInt16, 9));
  CHECK(fetch.value(0, 2).null);
  RowFileScan scan(**reader, schema, all_columns(schema), Hlc::max());
  ScanBatch batch;
  const auto more = scan.next(source, batch);
  REQUIRE(more);
  REQUIRE(*more);
  CHECK(batch.batch.selection.count() == 100);
  CHECK(batch.batch.columns[1].int_at(99) == 9);
  CHECK(batch.batch.columns[2].is_null(99));
}
