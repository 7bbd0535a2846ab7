// parse_bench.cpp — what a statement costs before it is bound: shape key, parse, bulk VALUES.
//
// Prints ns per call (best of kRounds, so that other work on the machine does not count) and, for
// the large INSERT, ns per row.
#include <cstdio>

#include "kernel/base/ticks.h"
#include "kernel/base/time.h"
#include "modules/planner/parse/parser.h"
#include "modules/planner/parse/shape_key.h"
#include "modules/planner/parse/utf8.h"
#include "modules/planner/parse/values_reader.h"

namespace coppice::planner {
namespace {

constexpr int kRounds = 15;

std::uint64_t g_sink = 0;  // keeps results alive

template <class Body>
double best_ns(double ticks_per_ns, int calls, Body body) {
  double best = 1e18;
  for (int round = 0; round < kRounds; ++round) {
    const Ticks begin = read_ticks();
    for (int i = 0; i < calls; ++i) body();
    const double ns = static_cast<double>(read_ticks() - begin) / ticks_per_ns / calls;
    best = ns < best ? ns : best;
  }
  return best;
}

// The column arrays of an executor, as far as the cost of filling them goes.
struct ColumnSink {
  std::int64_t integers[1024];
  std::string_view texts[1024];
  std::size_t count = 0;
  std::size_t text_count = 0;

  bool integer(std::int64_t value) {
    integers[count++ & 1023] = value;
    return true;
  }
  bool decimal(std::string_view digits) { return text(digits, false); }
  bool text(std::string_view value, bool) {
    texts[text_count++ & 1023] = value;
    return true;
  }
  bool boolean(bool value) { return integer(value); }
  bool null() { return integer(0); }
  bool default_value() { return false; }
  bool end_row() { return true; }
};

std::string large_insert(std::size_t rows, std::size_t note_bytes) {
  std::string text = "INSERT INTO orders (customer_id, sku, day, amount, note) VALUES ";
  for (std::size_t i = 0; i < rows; ++i) {
    if (i > 0) text += ',';
    text += '(' + std::to_string(4'000'000 + i * 37) + ',' + std::to_string(100'000 + i * 7) + ',' +
            std::to_string(i % 730) + ',' + std::to_string(i * 97 % 99'900) + ",'" +
            std::string(note_bytes, 'n') + "')";
  }
  return text;
}

void statement(double ticks_per_ns, const char* label, std::string_view text) {
  ShapeReader reader;
  const double key =
      best_ns(ticks_per_ns, 20'000, [&] { g_sink += reader.read(text) ? reader.key().low : 1; });
  const double check = best_ns(ticks_per_ns, 20'000, [&] { g_sink += find_invalid_utf8(text); });
  const double tree = best_ns(ticks_per_ns, 2'000, [&] {
    const Result<ParsedText> parsed = parse(text);
    g_sink += parsed ? parsed->memory_bytes() : 1;
  });
  std::printf("%-34s %6zu %10.0f %10.0f %12.0f\n", label, text.size(), check, key, tree);
}

void bulk(double ticks_per_ns, std::size_t rows, std::size_t note_bytes) {
  const std::string text = large_insert(rows, note_bytes);
  const ParseOptions options{.memory_budget_bytes = 1_GiB};
  const auto per_row = [&](double ns) { return ns / static_cast<double>(rows); };
  const double check = best_ns(ticks_per_ns, 10, [&] { g_sink += find_invalid_utf8(text); });
  const double read = best_ns(ticks_per_ns, 10, [&] {
    static ColumnSink sink;
    const std::optional<BulkInsert> insert = find_bulk_insert(text);
    ValuesReader<ColumnSink> reader(text, *insert, sink);
    ReadResult result = ReadResult::kMore;
    while (result == ReadResult::kMore) result = reader.read(256_KiB);
    g_sink += result == ReadResult::kDone ? reader.rows() : 0;
  });
  const double estimate = best_ns(ticks_per_ns, 10, [&] { g_sink += estimate_parse_bytes(text); });
  const double tree = best_ns(ticks_per_ns, 2, [&] {
    const Result<ParsedText> parsed = parse(text, options);
    g_sink += parsed ? parsed->memory_bytes() : 1;
  });
  std::printf("%8zu %8zu %10.1f %10.1f %10.1f %12.0f\n", rows, note_bytes, per_row(check),
              per_row(read), per_row(estimate), per_row(tree));
}

void run() {
  const SystemClock clock;
  const double ticks_per_ns = measure_ticks_per_second(clock, 100ms) / 1e9;
  std::printf("%-34s %6s %10s %10s %12s   (ns)\n", "statement", "bytes", "utf8", "shape key",
              "parse + copy");
  statement(ticks_per_ns, "point select", "SELECT amount FROM orders WHERE id = 123");
  statement(ticks_per_ns, "point select, prepared", "SELECT amount FROM orders WHERE id = $1");
  statement(ticks_per_ns, "sku and day",
            "SELECT count(*), sum(amount) FROM orders WHERE sku = 815 AND day BETWEEN 100 AND 130");
  statement(ticks_per_ns, "pgbench update",
            "UPDATE pgbench_accounts SET abalance = abalance + -2045 WHERE aid = 90210;");
  statement(ticks_per_ns, "insert, one row",
            "INSERT INTO orders (customer_id, sku, day, amount, note) VALUES (1, 2, 3, 4, 'five')");
  statement(ticks_per_ns, "BEGIN", "BEGIN");
  std::printf("\n%8s %8s %10s %10s %10s %12s   (ns per row)\n", "rows", "note", "utf8", "reader",
              "estimate", "parse + copy");
  bulk(ticks_per_ns, 1'000, 20);
  bulk(ticks_per_ns, 1'000, 1'000);
  std::printf("\nchecksum %llu\n", static_cast<unsigned long long>(g_sink & 0xff));
}

}  // namespace
}  // namespace coppice::planner

int main() {
  coppice::planner::run();
}
