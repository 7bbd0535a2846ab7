// asio_net.h — the network of the operating system, waited for by Asio.
//
// Role:     implements Net. System calls on sockets are made directly, from whatever worker the
//           fiber runs on; only waiting for readiness goes through Asio, on the socket's home
//           worker.
// Threads:  see net.h.
// Parks:    see net.h.
#pragma once

#include "kernel/fiber/net.h"

namespace coppice::fiber {

struct WorkerGroup;

class AsioNet final : public Net {
 public:
  explicit AsioNet(WorkerGroup& group) : group_(group) {}
  Result<std::unique_ptr<Listener>> listen(std::string_view address, std::uint16_t port) override;
  Result<std::unique_ptr<Socket>> connect(std::string_view address, std::uint16_t port,
                                          Deadline deadline) override;

 private:
  WorkerGroup& group_;
};

}  // namespace coppice::fiber
