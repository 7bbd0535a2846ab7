// write_amp_model.cpp — bytes written per update of a row: whole rows against changed groups.
//
// An offline model: random updates of one group of a table in the tree shape of DESIGN.md section 9
// (log, level 0, two levels of changes, merge into the last level block by block), with the encoded
// sizes that row_block_bench measures. It counts bytes and moves none. Result: docs/adr/0050.
#include <cstdio>
#include <vector>

#include "kernel/base/random.h"

using namespace coppice;

namespace {

constexpr double kBlockRows = 1024;
constexpr double kKeyBytes = 8;             // egid
constexpr double kLogOverheadBytes = 24;    // record header, its share of the commit record
constexpr double kKeyEntryBytes = 2.5 + 6;  // in a key block: egid, timestamp
constexpr double kTupleOverheadBytes = 8;

struct Table {
  const char* name;
  double narrow_raw, narrow_stored;  // bytes a row of the group that changes
  double wide_raw, wide_stored;      // bytes a row of all other groups
};

struct Policy {
  const char* name;
  bool changed_groups;  // versions carry the changed group only
  bool wide_kept;       // a merge refers to unchanged wide chunks instead of rewriting them
};

// How many updates a block of the last level has gathered when it is rewritten, if updates hit
// `rows` rows at random (or a hot part of them) and a block is due at `due` changed rows.
double updates_per_rewrite(std::uint64_t blocks, double due, double skew, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<std::uint32_t> pending(blocks);
  std::uint64_t updates = 0, rewrites = 0;
  while (updates < blocks * 600) {
    const bool hot = rng.chance(skew);
    const std::uint64_t block = hot ? rng.below(blocks / 20 + 1) : rng.below(blocks);
    ++updates;
    if (++pending[block] < due) continue;
    pending[block] = 0;
    ++rewrites;
  }
  return static_cast<double>(updates) / static_cast<double>(rewrites == 0 ? 1 : rewrites);
}

struct Cost {
  double log, upper, last;
  double total() const { return log + upper + last; }
};

Cost cost(const Table& table, const Policy& policy, double updates_a_rewrite) {
  const double group = policy.changed_groups ? table.narrow_raw : table.narrow_raw + table.wide_raw;
  const double stored =
      policy.changed_groups ? table.narrow_stored : table.narrow_stored + table.wide_stored;
  const double rewritten = table.narrow_stored + (policy.wide_kept ? 0 : table.wide_stored);
  Cost result{};
  result.log = kLogOverheadBytes + kKeyBytes + kTupleOverheadBytes + group;
  result.upper = 3 * (kKeyEntryBytes + stored);  // level 0, then 1, then 2
  result.last = rewritten * kBlockRows / updates_a_rewrite;
  return result;
}

}  // namespace

int main() {
  const Table tables[] = {
      {"orders: int of 1 KB row", 36, 8.7, 1000, 575},
      {"counter: int of 100 B row", 16, 6, 84, 60},
      {"wide ints: 1 of 10 groups", 48, 12, 432, 108},
  };
  const Policy policies[] = {
      {"whole rows", false, false},
      {"changed groups", true, false},
      {"changed groups, wide kept", true, true},
  };
  std::printf("%-27s %-26s %5s %8s %7s %7s %8s %8s %7s\n", "table", "versions", "due", "skew",
              "log", "L0-L2", "last", "total", "x");
  for (const Table& table : tables)
    for (const double due : {32.0, 128.0, 256.0})
      for (const double skew : {0.0, 0.8})
        for (const Policy& policy : policies) {
          const Cost one = cost(table, policy, updates_per_rewrite(2000, due, skew, 1));
          const double unit = kKeyBytes + table.narrow_raw;  // row key + changed group
          std::printf("%-27s %-26s %5.0f %8.1f %7.0f %7.0f %8.0f %8.0f %7.1f\n", table.name,
                      policy.name, due, skew, one.log, one.upper, one.last, one.total(),
                      one.total() / unit);
        }
  return 0;
}
