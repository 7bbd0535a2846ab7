// sim_net.h — the simulated network: connections inside one process, slow and breakable by seed.
//
// Role:     implements Net for SimRuntime. One host; what is written arrives in order, after a
//           random delay, in random pieces; a connection may be reset at random.
// Threads:  the simulator's.
// Parks:    see net.h.
#pragma once

#include <cstdint>
#include <map>

#include "kernel/fiber/net.h"
#include "kernel/fiber/sim_scheduler.h"

namespace coppice::fiber {

class SimListener;

class SimNet final : public Net {
 public:
  SimNet(SimScheduler& scheduler, const SimOptions& options)
      : scheduler_(scheduler), options_(options) {}
  Result<std::unique_ptr<Listener>> listen(std::string_view address, std::uint16_t port) override;
  Result<std::unique_ptr<Socket>> connect(std::string_view address, std::uint16_t port,
                                          Deadline deadline) override;

  // --- for sim_net.cpp's sockets ---
  SimScheduler& scheduler() { return scheduler_; }
  const SimOptions& options() const { return options_; }
  Duration random_delay();
  void forget(std::uint16_t port) { listeners_.erase(port); }

 private:
  static constexpr std::uint16_t kFirstPort = 40000;  // of those that are handed out
  SimScheduler& scheduler_;
  const SimOptions options_;
  std::map<std::uint16_t, SimListener*> listeners_;
  std::uint16_t next_port_ = kFirstPort;
};

}  // namespace coppice::fiber
