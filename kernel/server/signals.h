// signals.h — SIGTERM and SIGINT: the first asks to stop, the second ends the process at once.
//
// Owns:     a thread that waits for signals; every other thread must be started later, because they
//           inherit that these signals are blocked.
// Threads:  `on_stop` is called on that thread, once.
#pragma once

#include <functional>
#include <string_view>
#include <thread>

#include "kernel/base/time.h"

namespace coppice {

class SignalWatch {
 public:
  // After on_stop() the process gets `patience` to end by itself; then it is ended, as by a second
  // signal. `on_stop` is told the signal's name.
  SignalWatch(Duration patience, std::function<void(std::string_view)> on_stop);
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

 private:
  void watch();

  const Duration patience_;
  const std::function<void(std::string_view)> on_stop_;
  int signal_fd_ = -1;
  int end_fd_ = -1;
  std::thread thread_;
};

}  // namespace coppice
