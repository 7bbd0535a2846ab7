// manifest_bench.cpp — what writing the whole manifest costs: bytes, encoding, decoding.
//
// Prints one row per size of forest; microseconds are the best of kRounds. The file itself costs
// one append and one sync beside this.
#include <cstdio>

#include "kernel/base/ticks.h"
#include "kernel/base/time.h"
#include "modules/lsm/forest/manifest.h"

namespace coppice::lsm {
namespace {

constexpr int kRounds = 9;

Manifest forest_of(std::uint32_t tables, std::uint32_t files_each) {
  Manifest manifest;
  manifest.known_through = manifest.replay_from = {123'456'789};
  manifest.applied = {1u << 30};
  std::uint64_t file = 1;
  for (std::uint32_t i = 0; i < tables; ++i) {
    ManifestTable& table = manifest.tables.emplace_back();
    table.table = {{1}, {i}};
    table.next_egid = 1'000'000;
    table.flushed_through = {123'456'700};
    TableDefinition definition;
    definition.table = table.table;
    for (std::uint16_t column = 1; column <= 8; ++column) {
      Column& made = definition.schema.columns.emplace_back();
      made.id = {column};
    }
    assign_groups(definition.schema.columns);
    table.definitions.push_back(
        {{1u << 20}, std::make_shared<const TableDefinition>(std::move(definition))});
    for (std::uint32_t j = 0; j < files_each; ++j)
      table.last.push_back({file++, 4'000'000, 60'000'000});
  }
  return manifest;
}

template <class Body>
double best_us(double ticks_per_us, Body body) {
  double best = 1e18;
  for (int round = 0; round < kRounds; ++round) {
    const Ticks begin = read_ticks();
    body();
    const double us = static_cast<double>(read_ticks() - begin) / ticks_per_us;
    best = us < best ? us : best;
  }
  return best;
}

void row(double ticks_per_us, std::uint32_t tables, std::uint32_t files_each) {
  const Manifest manifest = forest_of(tables, files_each);
  const ByteBuffer bytes = encode_manifest(manifest);
  std::size_t sink = 0;
  const double encode = best_us(ticks_per_us, [&] { sink += encode_manifest(manifest).size(); });
  const double decode = best_us(ticks_per_us, [&] {
    const auto read = decode_manifest(bytes);
    sink += read ? read->tables.size() : 0;
  });
  std::printf("%8u %8u %10zu %12.0f %12.0f %s\n", tables, tables * files_each, bytes.size(), encode,
              decode, sink == 0 ? "?" : "");
}

}  // namespace
}  // namespace coppice::lsm

int main() {
  const coppice::SystemClock clock;
  const double ticks_per_us =
      coppice::measure_ticks_per_second(clock, std::chrono::milliseconds(100)) / 1e6;
  std::printf("%8s %8s %10s %12s %12s\n", "tables", "files", "bytes", "encode us", "decode us");
  coppice::lsm::row(ticks_per_us, 100, 2);
  coppice::lsm::row(ticks_per_us, 1'000, 2);
  coppice::lsm::row(ticks_per_us, 100, 100);
  coppice::lsm::row(ticks_per_us, 20'000, 2);
  return 0;
}
