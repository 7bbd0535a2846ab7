// forest_fixture.h — one life of a database: log and forest on a disk, in the simulator.
#pragma once

#include <functional>
#include <memory>

#include "kernel/base/assert.h"
#include "kernel/core/log.h"
#include "kernel/core/metrics.h"
#include "kernel/fiber/sim_runtime.h"
#include "modules/cache/sharded_cache.h"
#include "modules/lsm/forest/forest.h"
#include "modules/raft/driver.h"
#include "tests/support/capture_log.h"
#include "tests/support/faulty_vfs.h"

namespace coppice::lsm {

class ForestNode {
 public:
  ForestNode(Vfs& vfs, const Clock& clock, const ForestOptions& options = {})
      : hub_(clock, make_sink(sink_), LogLevel::kDebug),
        log_(hub_, "lsm"),
        cache_(1 << 20),
        driver_(vfs, clock, log_, metrics_, small_segments()),
        forest_(vfs, cache_, driver_, {}, clock, log_, options) {}

  Status start() {
    COPPICE_TRY(driver_.start());
    Status started = forest_.start();
    if (!started) driver_.stop(Deadline::never());
    return started;
  }
  void stop() {
    forest_.stop();
    driver_.stop(Deadline::never());
  }
  Forest& forest() { return forest_; }
  Consensus::State log_state() const { return driver_.state(); }
  const CaptureSink& said() const { return *sink_; }

 private:
  static std::unique_ptr<LogSink> make_sink(CaptureSink*& seen) {
    auto sink = std::make_unique<CaptureSink>();
    seen = sink.get();
    return sink;
  }
  static raft::DriverOptions small_segments() {
    raft::DriverOptions options;
    options.segment_bytes = 1 << 20;
    return options;
  }
  CaptureSink* sink_ = nullptr;  // the hub's
  LogHub hub_;
  Log log_;
  Metrics metrics_;
  cache::ShardedCache cache_;
  raft::Driver driver_;
  Forest forest_;
};

inline Status simulate(std::uint64_t seed, const std::function<void(fiber::SimRuntime&)>& body) {
  fiber::SimRuntime runtime(seed);
  return runtime.run([&] { body(runtime); });
}

}  // namespace coppice::lsm
