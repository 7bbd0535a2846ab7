// row_block_bench.cpp — the hot paths of row trees: blocks, chunks, files and the memtable.
//
// Prints a table of figures with their aims (DESIGN.md section 9, issue of the engine, M3).
#include <time.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unordered_map>
#include <vector>

#include "kernel/base/random.h"
#include "modules/lsm/memtable/row_memtable.h"
#include "modules/lsm/sstable/row_file_reader.h"
#include "modules/lsm/sstable/row_file_scan.h"

using namespace coppice;
using namespace coppice::lsm;

namespace {

std::uint64_t g_sink = 0;

// CPU time of this thread: what other processes do to the machine meanwhile counts little.
double cpu_ns() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

template <class Work>
double nanoseconds(Work work) {
  const double start = cpu_ns();
  work();
  return cpu_ns() - start;
}

void figure(const char* what, double value, const char* unit, const char* aim) {
  std::printf("%-52s %12.2f %-12s %s\n", what, value, unit, aim);
}

template <class T>
T must(Result<T> result) {
  if (result) return *std::move(result);
  std::fprintf(stderr, "%s\n", result.error().to_string().c_str());
  std::exit(1);
}
void must(const Status& status) {
  if (status) return;
  std::fprintf(stderr, "%s\n", status.error().to_string().c_str());
  std::exit(1);
}

TableSchema orders_schema() {
  TableSchema schema;
  for (std::uint16_t id = 1; id <= 6; ++id) {
    Column column;
    column.id = {id};
    column.type = id == 6 ? PhysicalType::kBytes : PhysicalType::kInt32;
    schema.columns.push_back(column);
  }
  assign_groups(schema.columns);
  return schema;
}

// The note of the orders benchmark (orders_data.py): 1,000 bytes, part random, part words.
class Notes {
 public:
  explicit Notes(Rng& rng) : rng_(rng) {
    static constexpr std::string_view kSyllables[] = {"ka", "lo", "mi",   "ter", "sun", "ber",
                                                      "al", "on", "re",   "vi",  "da",  "pel",
                                                      "or", "ni", "ship", "ing"};
    while (pool_.size() < 2048) {
      for (std::uint64_t n = 1 + rng.below(4); n > 0; --n)
        pool_ += kSyllables[rng.below(std::size(kSyllables))];
      pool_ += ' ';
    }
  }
  std::string next() {
    static constexpr std::string_view kLetters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    const std::size_t at = rng_.below(2048 - 1000);
    for (std::size_t part = 0; part < 20; ++part) {
      for (int i = 0; i < 24; ++i) text += kLetters[rng_.below(64)];
      text += pool_.substr(at + part * 31, 26);
    }
    return text;
  }

 private:
  Rng& rng_;
  std::string pool_;
};

// Rows of the orders benchmark, a block at a time.
struct OrdersBlock {
  std::vector<VectorBuffer> columns;
  std::vector<Vector> views;
};
OrdersBlock orders_block(Rng& rng, Notes& notes, std::uint64_t first, std::uint32_t rows) {
  OrdersBlock block;
  for (int i = 0; i < 5; ++i) block.columns.emplace_back(PhysicalType::kInt32);
  block.columns.emplace_back(PhysicalType::kBytes);
  const auto integer = [](std::uint64_t value) {
    return Datum::integer(PhysicalType::kInt32, static_cast<Int128>(value));
  };
  for (std::uint32_t row = 0; row < rows; ++row) {
    block.columns[0].append(integer(first + row));
    block.columns[1].append(integer(1 + rng.below(8'000'000)));
    block.columns[2].append(integer(1 + rng.below(200'000)));
    block.columns[3].append(integer(1 + rng.below(730)));
    block.columns[4].append(integer(100 + rng.below(99'900)));
    block.columns[5].append(Datum::of(as_bytes(notes.next())));
  }
  for (const VectorBuffer& column : block.columns) block.views.push_back(column.view());
  return block;
}

class BufferSink final : public ByteSink {
 public:
  ByteBuffer bytes;
  Status append(ByteView more) override {
    coppice::append(bytes, more);
    return {};
  }
};

// Keeps every block it made, like a cache that is large enough.
class CachedSource final : public BlockSource {
 public:
  const ByteBuffer* bytes = nullptr;
  WideDictionarySet dictionaries;
  Status fetch(std::span<BlockRequest> requests) override {
    for (BlockRequest& request : requests) {
      LoadedBlockRef& block = blocks_[request.at.offset];
      if (block == nullptr) {
        const auto from = bytes->begin() + static_cast<std::ptrdiff_t>(request.at.offset);
        block = COPPICE_TRY(LoadedBlock::load(request.at, {from, from + request.at.length},
                                              dictionaries, decoder_));
      }
      request.block = block;
    }
    return {};
  }

 private:
  std::unordered_map<std::uint64_t, LoadedBlockRef> blocks_;
  WideDecoder decoder_;
};

void bench_block(OrdersBlock& block) {
  ByteBuffer bytes;
  const double pack_ns = nanoseconds([&] {
    for (int round = 0; round < 100; ++round) {
      RowBlockWriter writer({BlockKind::kGroup, 0, 1, 1}, kVectorRows, 5);
      for (std::uint16_t i = 0; i < 5; ++i)
        writer.add({static_cast<std::uint16_t>(i + 1)}, block.columns[i]);
      bytes = writer.finish();
    }
  });
  seal_block(bytes, 1, 0);
  const BlockRef at{1, 0, static_cast<std::uint32_t>(bytes.size()), BlockKind::kGroup};
  figure("orders block, 1,024 rows, 5 int columns", static_cast<double>(bytes.size()), "bytes",
         "8,712");
  figure("pack", pack_ns / 100 / 1024, "ns/row", "30");
  const double open_ns = nanoseconds([&] {
    for (int round = 0; round < 1000; ++round) g_sink += must(RowBlock::open(at, bytes)).rows();
  });
  figure("open a block, checksum included", open_ns / 1000, "ns", "");
  const RowBlock open = must(RowBlock::open(at, bytes));
  for (const std::uint16_t id : {std::uint16_t{2}, std::uint16_t{5}}) {
    const Vector& vector = open.find({id})->values;
    std::vector<std::int64_t> out(kVectorRows);
    constexpr int kRounds = 20'000;
    const double scan_ns = nanoseconds([&] {
      for (int round = 0; round < kRounds; ++round) {
        vector.decode(0, out);
        std::int64_t sum = 0;
        for (const std::int64_t value : out) sum += value;
        g_sink += static_cast<std::uint64_t>(sum);
      }
    });
    figure(id == 2 ? "sum of a 23-bit column" : "sum of a 17-bit column",
           1e3 * kRounds * kVectorRows / scan_ns, "M values/s", ">= 100");
  }
}

void bench_chunks(Rng& rng, Notes& notes) {
  std::vector<std::string> texts;
  std::vector<ByteView> samples;
  for (int i = 0; i < 6000; ++i) texts.push_back(notes.next());
  for (const std::string& text : texts) samples.push_back(as_bytes(text));
  WideDictionaryRef dictionary;
  const double train_ns =
      nanoseconds([&] { dictionary = must(WideDictionary::train(1, samples)); });
  figure("train a 64 KiB dictionary", train_ns / 1e6, "ms", "");
  WideDictionarySet dictionaries;
  dictionaries.add(dictionary);
  for (const bool with : {false, true}) {
    WideEncoder encoder;
    WideDecoder decoder;
    std::vector<ByteBuffer> chunks;
    std::size_t raw = 0, stored = 0;
    const double encode_ns = nanoseconds([&] {
      WideChunkBuilder builder;
      for (int i = 0; i < 4000; ++i) {
        const std::string& text = texts[rng.below(texts.size())];
        if (!builder.takes(as_bytes(text)))
          builder.finish(with ? dictionary.get() : nullptr, encoder, chunks.emplace_back());
        builder.add(as_bytes(text));
        raw += text.size();
      }
      builder.finish(with ? dictionary.get() : nullptr, encoder, chunks.emplace_back());
    });
    for (ByteBuffer& chunk : chunks) {
      stored += chunk.size();
      seal_block(chunk, 1, 0);
    }
    const double decode_ns = nanoseconds([&] {
      for (const ByteBuffer& chunk : chunks)
        g_sink += must(WideChunk::open(
                           {1, 0, static_cast<std::uint32_t>(chunk.size()), BlockKind::kChunk},
                           chunk, dictionaries, decoder))
                      .rows();
    });
    std::printf("8 KiB chunks %s\n", with ? "with dictionary" : "plain");
    figure("  ratio", static_cast<double>(raw) / static_cast<double>(stored), "",
           with ? "1.74" : "1.42");
    figure("  compress", encode_ns / 4000, "ns/row", "");
    figure("  open (checksum, decompress)", decode_ns / static_cast<double>(chunks.size()) / 1e3,
           "us", with ? "12.7" : "9.5");
  }
}

void bench_file(Rng& rng, const TableSchema& schema, OrdersBlock& block) {
  constexpr std::uint64_t kBlocks = 4000;  // 4 M rows: past the caches of the CPU
  BufferSink sink;
  RowFileOptions options{1, 0, &schema, {}};
  RowFileBuilder builder(options, sink);
  std::vector<Vector> narrow = block.views;
  narrow[5] = Vector::constant(Datum::null_of(PhysicalType::kBytes), kVectorRows);
  const double build_ns = nanoseconds([&] {
    for (std::uint64_t i = 0; i < kBlocks; ++i)
      must(builder.append_rows(1 + i * kVectorRows, {i + 1}, narrow, 0, kVectorRows));
    must(builder.finish());
  });
  constexpr std::uint64_t kRows = kBlocks * kVectorRows;
  figure("build a file, narrow columns", build_ns / kRows, "ns/row", "");
  figure("file", static_cast<double>(sink.bytes.size()) / kRows, "bytes/row", "8.5");
  const auto read = [&](std::uint64_t offset, std::uint32_t length) -> Result<ByteBuffer> {
    const auto from = sink.bytes.begin() + static_cast<std::ptrdiff_t>(offset);
    return ByteBuffer(from, from + length);
  };
  const auto file = must(RowFileReader::open({1, 0, sink.bytes.size()}, read));
  figure("pinned index", static_cast<double>(file->memory_bytes()) / kBlocks, "bytes/block", "12");
  CachedSource source;
  source.bytes = &sink.bytes;
  const std::uint32_t columns[] = {1, 2, 3, 4};
  RowFileScan warm(*file, schema, columns, Hlc::max());
  ScanBatch batch;
  while (must(warm.next(source, batch))) g_sink += batch.batch.rows;
  const double scan_ns = nanoseconds([&] {
    const std::uint32_t amount[] = {4};
    RowFileScan scan(*file, schema, amount, Hlc::max());
    std::vector<std::int64_t> out(kVectorRows);
    while (must(scan.next(source, batch))) {
      batch.batch.columns[0].decode(0, out);
      for (const std::int64_t value : out) g_sink += static_cast<std::uint64_t>(value);
    }
  });
  figure("scan a file, sum one column, blocks cached", 1e3 * kRows / scan_ns, "M values/s",
         ">= 100");
  constexpr int kFetches = 200'000;
  const double one_ns = nanoseconds([&] {
    for (int i = 0; i < kFetches; ++i) {
      const Egid egid = 1 + rng.below(kRows);
      RowFetch fetch(schema, Hlc::max(), {columns + 3, 1}, {&egid, 1});
      must(file->claim(fetch, source));
      must(fetch.read(source));
      g_sink += static_cast<std::uint64_t>(fetch.value(0, 0).bits);
    }
  });
  figure("one value of a random row, block cached", one_ns / kFetches, "ns", "<= 1,000");
  const double many_ns = nanoseconds([&] {
    std::vector<Egid> egids(75);
    for (int i = 0; i < kFetches / 75; ++i) {
      for (Egid& egid : egids) egid = 1 + rng.below(kRows);
      std::ranges::sort(egids);
      RowFetch fetch(schema, Hlc::max(), columns, egids);
      must(file->claim(fetch, source));
      must(fetch.read(source));
      g_sink += static_cast<std::uint64_t>(fetch.value(74, 3).bits);
    }
  });
  figure("75 random rows x 4 columns, a row", many_ns / kFetches, "ns", "340");
}

// Lookups among new rows, rows with updates, and rows that are elsewhere; updates between them.
// A lookup makes its RowFetch, as a statement would.
void bench_memtable(Rng& rng, const TableSchema& schema, OrdersBlock& block) {
  RowMemtable memtable(schema);
  constexpr Egid kOld = 10'000'000;  // rows below are on disk
  constexpr std::uint64_t kNew = 100'000;
  const double append_ns = nanoseconds([&] {
    for (std::uint64_t i = 0; i < kNew; i += 1000)
      must(memtable.append_rows(kOld + i, {1 + i}, block.views, 0, 1000));
  });
  figure("memtable: append 1 KB rows in batches", append_ns / kNew, "ns/row", "");
  ByteBuffer tuple;
  std::vector<Datum> values(5, Datum::integer(PhysicalType::kInt32, 5));
  must(append_tuple(values, tuple));
  constexpr int kUpdates = 500'000;
  std::uint64_t now = 1'000'000;
  const double update_ns = nanoseconds([&] {
    for (int i = 0; i < kUpdates; ++i, ++now)
      must(memtable.update(rng.below(kOld + kNew), {now}, 1, tuple, {now - 100}));
  });
  figure("memtable: update a random row", update_ns / kUpdates, "ns", "");
  const std::uint32_t columns[] = {4};
  constexpr int kLookups = 450'000;
  double lookup_ns = 0;
  constexpr std::size_t kBatch = 900;  // then 100 updates
  std::vector<Egid> egids(kBatch);
  for (int done = 0; done < kLookups; done += kBatch) {
    for (int i = 0; i < 100; ++i)
      must(memtable.update(rng.below(kOld + kNew), {++now}, 1, tuple, {now - 100}));
    for (Egid& egid : egids) egid = rng.chance(0.5) ? kOld + rng.below(kNew) : rng.below(kOld);
    lookup_ns += nanoseconds([&] {
      for (const Egid egid : egids) {
        RowFetch fetch(schema, Hlc::max(), columns, {&egid, 1});
        memtable.claim(fetch);
        g_sink += static_cast<std::uint64_t>(fetch.value(0, 0).bits);
      }
    });
  }
  figure("memtable: point lookup in a mixed load", lookup_ns / kLookups, "ns", "<= 400");
  figure("memtable: memory", static_cast<double>(memtable.memory_bytes()) / 1e6, "MB", "");
}

}  // namespace

int main() {
  Rng rng(1);
  Notes notes(rng);
  const TableSchema schema = orders_schema();
  OrdersBlock block = orders_block(rng, notes, 1, kVectorRows);
  bench_block(block);
  bench_chunks(rng, notes);
  bench_file(rng, schema, block);
  bench_memtable(rng, schema, block);
  std::printf("(%llu)\n", static_cast<unsigned long long>(g_sink % 10));
  return 0;
}
