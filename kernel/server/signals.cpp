// signals.cpp — a signalfd, and an eventfd by which the destructor ends the thread.
#include "kernel/server/signals.h"

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>

#include "kernel/base/assert.h"

namespace coppice {

namespace {

constexpr int kExitAtOnce = 1;

sigset_t stop_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  return set;
}

[[noreturn]] void end_process(const char* why) {
  std::fprintf(stderr, "coppice: %s; ending without an orderly stop\n", why);
  ::_exit(kExitAtOnce);
}

}  // namespace

SignalWatch::SignalWatch(Duration patience, std::function<void(std::string_view)> on_stop)
    : patience_(patience), on_stop_(std::move(on_stop)) {
  const sigset_t set = stop_signals();
  COPPICE_ASSERT(pthread_sigmask(SIG_BLOCK, &set, nullptr) == 0);
  std::signal(SIGPIPE, SIG_IGN);  // a closed socket is an error of its write
  signal_fd_ = signalfd(-1, &set, SFD_CLOEXEC);
  end_fd_ = eventfd(0, EFD_CLOEXEC);
  COPPICE_ASSERT(signal_fd_ >= 0 && end_fd_ >= 0);
  thread_ = std::thread([this] { watch(); });
}

SignalWatch::~SignalWatch() {
  const std::uint64_t one = 1;
  COPPICE_ASSERT(::write(end_fd_, &one, sizeof one) == sizeof one);
  thread_.join();
  ::close(signal_fd_);
  ::close(end_fd_);
}

void SignalWatch::watch() {
  bool stopping = false;
  Instant limit = Instant::never();
  const SystemClock clock;
  for (;;) {
    std::array<pollfd, 2> fds = {pollfd{end_fd_, POLLIN, 0}, pollfd{signal_fd_, POLLIN, 0}};
    int wait_ms = -1;
    if (stopping) {
      const Duration left = limit - clock.now();
      if (left.count() <= 0) end_process("the stop took too long");
      wait_ms = static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(left).count());
    }
    if (::poll(fds.data(), fds.size(), wait_ms) <= 0) continue;
    if (fds[0].revents != 0) return;
    signalfd_siginfo info{};
    if (::read(signal_fd_, &info, sizeof info) != sizeof info) continue;
    if (stopping) end_process("second signal");
    stopping = true;
    limit = clock.now() + patience_;
    on_stop_(info.ssi_signo == SIGINT ? "SIGINT" : "SIGTERM");
  }
}

}  // namespace coppice
