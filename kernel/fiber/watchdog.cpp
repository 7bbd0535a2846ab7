// watchdog.cpp — sampling stalled workers by signal.
#include "kernel/fiber/watchdog.h"

#include <execinfo.h>
#include <ucontext.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <vector>

#include "kernel/base/assert.h"
#include "kernel/fiber/tick_rate.h"
#include "kernel/fiber/worker.h"

namespace coppice::fiber {

namespace {

const int kStallSignal = SIGRTMIN + 2;
constexpr Duration kSampleWait = 20ms;  // a thread that is not on a core notes nothing

void on_stall_signal(int, siginfo_t*, void* context) {
  if (Scheduler* const scheduler = Scheduler::here())
    static_cast<Worker*>(scheduler)->note_stall(context);
}

std::string symbols(const StallSample& sample) {
  const auto count = static_cast<int>(sample.frame_count);
  const std::unique_ptr<char*, void (*)(void*)> lines(
      ::backtrace_symbols(sample.frames.data(), count), &std::free);
  std::string text;
  if (lines == nullptr) return text;
  for (int i = 0; i < count; ++i) text.append(lines.get()[i]).append("\n");
  return text;
}

}  // namespace

// The sanitizers know nothing of these reads: they go over frames of any function.
__attribute__((no_sanitize("address", "thread", "undefined"))) std::size_t walk_frames(
    void* context, const void* low, const void* high, std::array<void*, 24>& frames) {
  const auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  const auto bottom = reinterpret_cast<std::uintptr_t>(low);
  const auto top = reinterpret_cast<std::uintptr_t>(high) - 2 * sizeof(void*);
  frames[0] = reinterpret_cast<void*>(registers[REG_RIP]);
  auto frame = static_cast<std::uintptr_t>(registers[REG_RBP]);
  std::size_t count = 1;
  while (count < frames.size() && frame >= bottom && frame < top && frame % sizeof(void*) == 0) {
    void* const* const at = reinterpret_cast<void* const*>(frame);
    if (at[1] == nullptr) break;
    frames[count++] = at[1];
    const auto next = reinterpret_cast<std::uintptr_t>(at[0]);
    if (next <= frame) break;  // callers are further up
    frame = next;
  }
  return count;
}

Watchdog::Watchdog(WorkerGroup& group) : group_(group) {
  struct sigaction action{};
  action.sa_sigaction = &on_stall_signal;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  const int installed = ::sigaction(kStallSignal, &action, nullptr);
  COPPICE_ASSERT(installed == 0);
  thread_ = std::thread([this] { watch(); });
}

Watchdog::~Watchdog() {
  {
    std::unique_lock lock(mutex_);
    stopping_ = true;
  }
  stopped_.notify_all();
  thread_.join();
}

bool Watchdog::pause(std::chrono::nanoseconds duration) {
  std::unique_lock lock(mutex_);
  return !stopped_.wait_for(lock, duration, [this] { return stopping_; });
}

void Watchdog::watch() {
  const Ticks limit = ticks_in(group_.options.stall);
  std::vector<Ticks> reported(group_.workers.size(), 0);  // the stay, by its start
  while (pause(group_.options.stall / 2)) {
    for (std::size_t i = 0; i < reported.size(); ++i) {
      Worker& worker = *group_.workers[i];
      const Ticks started = worker.stay_started();
      if (started == 0 || started == reported[i] || read_ticks() - started < limit) continue;
      reported[i] = started;
      if (!worker.ask_for_sample(kStallSignal)) continue;
      StallSample& sample = worker.stall_sample();
      for (Duration waited{}; waited < kSampleWait && sample.state.load() != StallSample::kTaken;
           waited += 1ms)
        if (!pause(1ms)) return;
      if (sample.state.load() != StallSample::kTaken) continue;
      const std::string trace = symbols(sample);
      if (group_.options.on_stall)
        group_.options.on_stall({std::string_view(sample.name.data(), sample.name_size),
                                 duration_of(sample.held), trace});
    }
  }
}

}  // namespace coppice::fiber
