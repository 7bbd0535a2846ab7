// thread_runtime.h — the runtime of the server: one worker thread per core.
//
// Role:     implements Runtime on OS threads, Asio and io_uring. What a worker does: worker.h.
// Owns:     workers, helper threads, stacks; all threads are joined when run() returns.
// Threads:  see runtime.h.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "kernel/fiber/lane.h"
#include "kernel/fiber/runtime.h"

namespace coppice::fiber {

// When an idle worker takes a fiber that has not started yet from another one.
enum class Stealing : std::uint8_t {
  kNever,
  kAlways,
  kTwoWaiting,  // only from a worker with two or more waiting: docs/adr/0010-stealing-rule.md
};

struct Stall {
  std::string_view fiber;  // its name
  Duration held;           // for how long it has kept its thread
  std::string_view trace;  // where it is, one frame a line; empty when it has already moved on
};

struct ThreadOptions {
  unsigned workers = 0;  // 0: one per core that the process may use
  Stealing stealing = Stealing::kTwoWaiting;
  Duration poll = 5us;  // an idle worker polls this long before it sleeps
  Lanes lanes = kLanes;
  unsigned helpers = 4;                 // threads of run_blocking(), started when first needed
  DiskEngine disk = DiskEngine::kRing;  // kThreads forces the fallback
  std::uint64_t seed = 0;               // of fork_rng(); 0: from the system
  Duration stall = 10ms;                // the watchdog's limit; 0: no watchdog
  std::function<void(const Stall&)> on_stall =
      nullptr;  // called on a worker or the watchdog's thread
};

class ThreadRuntime final : public Runtime {
 public:
  explicit ThreadRuntime(ThreadOptions options = {});
  ~ThreadRuntime() override;

  Status run(Entry main) override;
  void post(Options options, Entry entry) override;
  Clock& clock() override;
  Net& net() override;
  Disk& disk() override;
  Rng fork_rng() override;
  unsigned worker_count() const override;
  Metrics metrics() const override;
  void run_on_helper(Entry job) override;

 private:
  class Core;
  std::unique_ptr<Core> core_;
};

}  // namespace coppice::fiber
