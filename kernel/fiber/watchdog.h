// watchdog.h — notices fibers that keep their worker's thread too long.
//
// Role:     looks at every worker twice per limit; one that is in the same stay for longer than the
//           limit gets a signal, in whose handler it notes which fiber it runs and where that is.
//           Stays that end between two looks are reported by the worker itself, without a trace.
// Owns:     a thread; the process-wide handler of kStallSignal.
// Threads:  constructed and destroyed by the thread of Runtime::run().
// Parks:    never.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "kernel/base/ticks.h"

namespace coppice::fiber {

struct WorkerGroup;

// What a worker notes in the signal handler; lives in the worker.
struct StallSample {
  enum State : int { kIdle, kWanted, kTaken };
  std::atomic<int> state = kIdle;
  std::array<char, 64> name{};  // its beginning: the string may go when the fiber ends
  std::size_t name_size = 0;
  Ticks held = 0;
  std::array<void*, 24> frames{};  // innermost first
  std::size_t frame_count = 0;
};

class Watchdog {
 public:
  explicit Watchdog(WorkerGroup& group);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  void watch();
  bool pause(std::chrono::nanoseconds duration);  // false: stopping

  WorkerGroup& group_;
  std::mutex mutex_;
  std::condition_variable stopped_;
  bool stopping_ = false;
  std::thread thread_;
};

// In the handler: follows the frame pointers on the stack [low, high) from the interrupted frame.
std::size_t walk_frames(void* context, const void* low, const void* high,
                        std::array<void*, 24>& frames);

}  // namespace coppice::fiber
