// durability_probe.cpp — both ways in turn, on a file that was written before, as the log's are.
#include "plugins/vfs/local/durability_probe.h"

#include <algorithm>
#include <array>
#include <vector>

#include "kernel/fiber/disk.h"
#include "kernel/fiber/runtime.h"

namespace coppice::vfs_local {
namespace {

constexpr std::size_t kWritesEach = 24;
constexpr Duration kEnough = 300ms;  // a slow disk is not made to wait longer

Status measure(const RootFolder::Unpublished& file, const Clock& clock,
               std::array<std::vector<Duration>, 2>& took) {
  const AlignedBuffer buffer(kSectorBytes);
  std::ranges::fill(buffer.view(), std::byte{0});
  const int fd = file.fd.get();
  for (std::size_t i = 0; i < 2 * kWritesEach; ++i) {  // the blocks exist from now on
    COPPICE_TRY(write_durably(fd, i * kSectorBytes, buffer.view(), Durability::kDsync));
  }
  const Instant start = clock.now();
  for (std::size_t i = 0; i < 2 * kWritesEach; ++i) {
    const Instant before = clock.now();
    if (i > 4 && before - start > kEnough) break;
    const auto how = i % 2 == 0 ? Durability::kDsync : Durability::kFdatasync;
    COPPICE_TRY(write_durably(fd, i * kSectorBytes, buffer.view(), how));
    took[i % 2].push_back(clock.now() - before);
  }
  return {};
}

Duration median(std::vector<Duration>& of) {
  std::ranges::sort(of);
  return of[of.size() / 2];
}

}  // namespace

Result<DurabilityFigures> probe_durability(const RootFolder& root, const Clock& clock) {
  const auto file = COPPICE_TRY(fiber::run_blocking([&root] { return root.create_unpublished(); }));
  std::array<std::vector<Duration>, 2> took;
  Status status = measure(file, clock, took);
  fiber::run_blocking([&] { root.drop(file); });
  if (!status) return std::unexpected(std::move(status).error().context("probing durable writes"));
  DurabilityFigures figures;
  figures.dsync = median(took[0]);
  figures.fdatasync = median(took[1]);
  return figures;
}

}  // namespace coppice::vfs_local
