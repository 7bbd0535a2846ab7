// vfs_bench.cpp — 75 random reads of 8 KiB, in one batch and one by one, on a local disk.
//
// Usage: bench_vfs [FOLDER]   (a folder on the disk in question; made, and left behind)
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "kernel/base/aligned_buffer.h"
#include "kernel/base/random.h"
#include "kernel/fiber/fiber.h"
#include "kernel/fiber/thread_runtime.h"
#include "plugins/vfs/local/local_vfs.h"

namespace {

using namespace coppice;

constexpr std::uint64_t kFileBytes = 1ULL << 30;
constexpr std::size_t kBlockBytes = 8192;
constexpr std::size_t kBlocks = 75;
constexpr int kRounds = 200;

class Silence final : public LogSink {
 public:
  void write(const LogRecord&) noexcept override {}
};

Status make_file(Vfs& vfs) {
  if (vfs.open("bench")) return {};
  auto file = COPPICE_TRY(vfs.create("bench"));
  ByteBuffer piece(1 << 20);
  Rng rng(1);
  for (std::byte& b : piece) b = static_cast<std::byte>(rng.next());
  while (file->size() < kFileBytes) COPPICE_TRY(file->append(piece, IoClass::kFlush));
  return file->sync(IoClass::kFlush);
}

// `shift` 1 makes every read unaligned.
Status measure(Vfs& vfs, const File& file, bool batched, std::size_t shift, const char* label) {
  const AlignedBuffer buffer(kBlocks * kBlockBytes + 4096);
  Rng rng(7);
  std::vector<double> took;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<ReadRequest> batch;
    for (std::size_t i = 0; i < kBlocks; ++i) {
      const std::uint64_t block = rng.below(kFileBytes / kBlockBytes - 1);
      batch.push_back({&file, block * kBlockBytes + shift,
                       buffer.view().subspan(i * kBlockBytes + shift, kBlockBytes)});
    }
    const Instant start = fiber::clock().now();
    if (batched) {
      COPPICE_TRY(vfs.read(batch, IoClass::kQuery));
    } else {
      for (const ReadRequest& one : batch) COPPICE_TRY(vfs.read({&one, 1}, IoClass::kQuery));
    }
    took.push_back(static_cast<double>((fiber::clock().now() - start).count()) / 1e6);
  }
  std::ranges::sort(took);
  std::printf("%-28s %8.2f %8.2f\n", label, took[took.size() / 2], took[took.size() * 95 / 100]);
  return {};
}

Status run(const std::string& folder) {
  const SystemClock clock;
  LogHub logs(clock, std::make_unique<Silence>(), LogLevel::kError);
  vfs_local::LocalVfs vfs({}, folder, Log(logs, "vfs.bench"));
  COPPICE_TRY(make_file(vfs));
  const auto file = COPPICE_TRY(vfs.open("bench"));
  std::printf("%-28s %8s %8s\n", "75 reads of 8 KiB (ms)", "p50", "p95");
  COPPICE_TRY(measure(vfs, *file, false, 0, "one by one, aligned"));
  COPPICE_TRY(measure(vfs, *file, true, 0, "one batch, aligned"));
  COPPICE_TRY(measure(vfs, *file, true, 1, "one batch, unaligned"));
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : "build/vfs-bench";
  fiber::ThreadRuntime runtime({.workers = 1, .stall = {}});
  Status done;
  const Status ran = runtime.run([&] { done = run(folder); });
  const Status& status = ran ? done : ran;
  if (!status) std::printf("%s\n", status.error().to_string().c_str());
  return status ? 0 : 1;
}
