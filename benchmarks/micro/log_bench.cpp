// log_bench.cpp — commits per second through the log, beside fdatasync by hand.
//
// W writers commit records of 1.1 KB. The two baselines write what W writers would have queued, W
// records, with one pwrite and one fdatasync: no queue, no fibers, no checksums, perfect batches.
//   bench_log [FOLDER]      default: build/bench-log, removed afterwards
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "kernel/core/log.h"
#include "kernel/core/metrics.h"
#include "kernel/fiber/thread_runtime.h"
#include "modules/raft/driver.h"
#include "plugins/vfs/local/local_vfs.h"

namespace coppice::raft {
namespace {

constexpr std::size_t kRecordBytes = 1100;
constexpr Duration kEach = 2s;

struct Figures {
  std::vector<Duration> latencies;
  Duration took{};

  void print(const char* what, int writers) {
    std::ranges::sort(latencies);
    const auto at = [this](double q) {
      const auto index = static_cast<std::size_t>(q * static_cast<double>(latencies.size() - 1));
      return static_cast<double>(latencies[index].count()) / 1e3;
    };
    std::printf("%-38s %4d %12.0f %10.0f %10.0f\n", what, writers,
                static_cast<double>(latencies.size()) * 1e9 / static_cast<double>(took.count()),
                at(0.5), at(0.99));
    std::fflush(stdout);
  }
};

class Silent final : public LogSink {
 public:
  void write(const LogRecord& record) noexcept override {
    if (record.level >= LogLevel::kWarn)
      std::fprintf(stderr, "%.*s %.*s\n", static_cast<int>(record.message.size()),
                   record.message.data(), static_cast<int>(record.fields.size()),
                   record.fields.data());
  }
};

class CountingMachine final : public StateMachine {
 public:
  Status apply(const Entry&) override { return {}; }
  Status replay_local(ByteView) override { return {}; }
  LogIndex applied_through() const override { return {}; }
};

class Bytes final : public Proposal {
 public:
  Result<ByteBuffer> stamp(LogPosition) override { return ByteBuffer(kRecordBytes, std::byte{7}); }
};

Figures by_hand(const std::string& path, int writers, bool prewritten) {
  const SystemClock clock;
  const int fd = ::open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0644);
  constexpr std::size_t kFileBytes = 256 << 20;
  if (prewritten) {
    const ByteBuffer zeros(1 << 20);
    for (std::size_t at = 0; at < kFileBytes; at += zeros.size())
      if (::pwrite(fd, zeros.data(), zeros.size(), static_cast<off_t>(at)) < 0) std::abort();
    ::fsync(fd);
  }
  const ByteBuffer batch(kRecordBytes * static_cast<std::size_t>(writers), std::byte{7});
  Figures figures;
  const Instant begin = clock.now();
  std::size_t offset = 0;
  for (Instant now = begin; now - begin < kEach;) {
    if (prewritten && offset + batch.size() > kFileBytes) offset = 0;
    if (::pwrite(fd, batch.data(), batch.size(), static_cast<off_t>(offset)) < 0) std::abort();
    if (::fdatasync(fd) != 0) std::abort();
    offset += batch.size();
    const Instant done = clock.now();
    figures.latencies.insert(figures.latencies.end(), static_cast<std::size_t>(writers),
                             done - now);
    now = done;
  }
  figures.took = clock.now() - begin;
  ::close(fd);
  std::filesystem::remove(path);
  return figures;
}

Status commit_loop(Driver& driver, const Clock& clock, int writers, bool release,
                   Figures& figures) {
  const Instant begin = clock.now();
  std::vector<std::vector<Duration>> latencies(static_cast<std::size_t>(writers));
  fiber::TaskGroup group;
  for (auto& mine : latencies)
    group.spawn({.name = "writer"}, [&driver, &clock, &mine, begin, release] {
      for (Instant now = begin; now - begin < kEach;) {
        Bytes bytes;
        const Instant asked = clock.now();
        const auto at = driver.propose(bytes);
        if (!at) return;
        if (release) driver.release_through(at->index);
        now = clock.now();
        mine.push_back(now - asked);
      }
    });
  group.join();
  figures.took = clock.now() - begin;
  for (const auto& mine : latencies)
    figures.latencies.insert(figures.latencies.end(), mine.begin(), mine.end());
  return {};
}

// One life of a log.
struct Node {
  Node(const std::string& folder, std::uint64_t segment_bytes, std::size_t pipeline_bytes)
      : vfs({}, folder, log), driver(vfs, clock, log, metrics, [&] {
          DriverOptions options;
          options.segment_bytes = segment_bytes;
          options.pipeline_bytes = pipeline_bytes;
          return options;
        }()) {}
  Status start() {
    COPPICE_TRY(driver.start());
    attachment = COPPICE_TRY(driver.attach(machine));
    return {};
  }
  void stop() {
    attachment.reset();
    driver.stop(Deadline::never());
  }

  SystemClock clock;
  LogHub hub{clock, std::make_unique<Silent>(), LogLevel::kInfo};
  Metrics metrics;
  const Log log{hub, "raft"};
  vfs_local::LocalVfs vfs;
  Driver driver;
  CountingMachine machine;
  std::unique_ptr<Consensus::Attachment> attachment;
};

Status through_the_log(const std::string& folder, int writers, std::size_t pipeline_bytes,
                       Figures& figures) {
  std::filesystem::create_directories(folder);
  Node node(folder, 16 << 20, pipeline_bytes);
  COPPICE_TRY(node.start());
  Status status = commit_loop(node.driver, node.clock, writers, true, figures);
  node.stop();
  return status;
}

// Writes for a while without releasing anything, then starts again and reads it all.
Status restart(const std::string& folder) {
  std::filesystem::create_directories(folder);
  {
    Node node(folder, 64 << 20, kPipelineBytes);
    COPPICE_TRY(node.start());
    for (int round = 0; round < 8 && node.driver.state().retained_bytes < 512_MiB; ++round) {
      Figures figures;
      COPPICE_TRY(commit_loop(node.driver, node.clock, 64, false, figures));
    }
    node.stop();
  }
  Node node(folder, 64 << 20, kPipelineBytes);
  const Instant begin = node.clock.now();
  COPPICE_TRY(node.driver.start());
  const Instant opened = node.clock.now();
  node.attachment = COPPICE_TRY(node.driver.attach(node.machine));
  const Instant replayed = node.clock.now();
  const double gib =
      static_cast<double>(node.driver.state().retained_bytes) / static_cast<double>(1_GiB);
  const auto seconds = [](Duration took) { return static_cast<double>(took.count()) / 1e9; };
  std::printf("restart: %.2f GiB retained, %.2f s/GiB (open %.2f, replay %.2f)\n", gib,
              seconds(replayed - begin) / gib, seconds(opened - begin) / gib,
              seconds(replayed - opened) / gib);
  node.stop();
  return {};
}

int run(const std::string& folder) {
  std::filesystem::create_directories(folder);
  std::printf("%-38s %4s %12s %10s %10s\n", "1.1 KB records", "W", "commits/s", "p50 us", "p99 us");
  for (const int writers : {1, 8, 64}) {
    by_hand(folder + "/growing", writers, false)
        .print("by hand: growing file + fdatasync", writers);
    by_hand(folder + "/prewritten", writers, true)
        .print("by hand: prewritten + fdatasync", writers);
    for (const std::size_t pipeline_bytes : {kPipelineBytes, std::size_t{0}}) {
      Figures figures;
      fiber::ThreadRuntime runtime;
      Status status;
      const Status ran = runtime.run(
          [&] { status = through_the_log(folder + "/log", writers, pipeline_bytes, figures); });
      std::filesystem::remove_all(folder + "/log");
      if (!ran || !status || figures.latencies.empty()) {
        std::printf("failed: %s\n", (status ? ran : status).error().to_string().c_str());
        return 1;
      }
      figures.print(pipeline_bytes == 0 ? "the log, always two units in flight" : "the log",
                    writers);
    }
  }
  fiber::ThreadRuntime runtime;
  Status status;
  const Status ran = runtime.run([&] { status = restart(folder + "/log"); });
  if (!ran || !status)
    std::printf("failed: %s\n", (status ? ran : status).error().to_string().c_str());
  std::filesystem::remove_all(folder);
  return 0;
}

}  // namespace
}  // namespace coppice::raft

int main(int argc, char** argv) {
  return coppice::raft::run(argc > 1 ? argv[1] : "build/bench-log");
}
