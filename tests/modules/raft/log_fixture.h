// log_fixture.h — a driver on a faulty disk in the simulator.
#pragma once

#include <functional>
#include <memory>

#include "kernel/base/assert.h"
#include "kernel/core/log.h"
#include "kernel/core/metrics.h"
#include "kernel/fiber/sim_runtime.h"
#include "kernel/fiber/sync.h"
#include "modules/raft/driver.h"
#include "tests/modules/raft/kv_machine.h"
#include "tests/support/capture_log.h"
#include "tests/support/faulty_vfs.h"

namespace coppice::raft {

inline constexpr std::uint64_t kTestSegmentBytes = 16 * kBlockBytes;

// On the simulator's clock.
inline Status pass_time(Duration duration) {
  fiber::Event nothing;
  const Status waited = nothing.wait(fiber::clock().now() + duration);
  COPPICE_ASSERT(!waited && waited.error().code() == Code::kDeadlineExceeded);
  return {};
}

// One life of a node: from the start of the log to its stop, in a simulation of its own.
class Node {
 public:
  Node(Vfs& vfs, const Clock& clock, DriverOptions options = {})
      : hub_(clock, std::make_unique<CaptureSink>(), LogLevel::kDebug),
        log_(hub_, "raft"),
        driver(vfs, clock, log_, metrics_, small(std::move(options))) {}

  Status start() {
    COPPICE_TRY(driver.start());
    auto attached = driver.attach(machine);
    if (!attached) {
      driver.stop(Deadline::never());
      return std::unexpected(std::move(attached).error());
    }
    attachment = *std::move(attached);
    return {};
  }
  void stop() {
    attachment.reset();
    driver.stop(Deadline::never());
  }
  Result<LogPosition> set(const std::string& key, const std::string& value) {
    SetValue proposal(key, value);
    return driver.propose(proposal);
  }

 private:
  static DriverOptions small(DriverOptions options) {
    if (options.segment_bytes == kSegmentBytesMax) options.segment_bytes = kTestSegmentBytes;
    return options;
  }
  LogHub hub_;
  Log log_;
  Metrics metrics_;

 public:
  Driver driver;
  KvMachine machine;
  std::unique_ptr<Consensus::Attachment> attachment;
};

inline Status simulate(std::uint64_t seed, std::function<void(fiber::SimRuntime&)> body) {
  fiber::SimRuntime runtime(seed);
  return runtime.run([&] { body(runtime); });
}

}  // namespace coppice::raft
