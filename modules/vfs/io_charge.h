// io_charge.h — who pays for I/O: the account of the fiber that asks for it.
//
// Threads:  a fiber, for itself.   Parks: never.
#pragma once

#include <cstdint>

#include "interfaces/meter.h"
#include "kernel/fiber/account.h"
#include "kernel/fiber/fiber.h"

namespace coppice::vfs {

inline void charge(Resource what, std::uint64_t amount) {
  if (fiber::Account* account = fiber::current_account()) {
    account->count(static_cast<std::uint8_t>(what), amount);
  }
}

inline void charge_read(std::uint64_t requests, std::uint64_t bytes) {
  charge(Resource::kReads, requests);
  charge(Resource::kReadBytes, bytes);
}

inline void charge_write(std::uint64_t bytes) {
  charge(Resource::kWrites, 1);
  charge(Resource::kWriteBytes, bytes);
}

}  // namespace coppice::vfs
