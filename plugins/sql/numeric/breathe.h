// breathe.h — for the few values so long that one operation on them is felt by others.
//
// Parks:    in maybe_yield(), if a fiber is running.
#pragma once

#include <cstddef>

#include "kernel/base/result.h"
#include "kernel/fiber/fiber.h"

namespace coppice::sql_numeric {

// After work on so many digits: other fibers get a turn; the error is a cancelled statement's.
inline Status breathe(std::size_t digits) {
  constexpr std::size_t kShort = 100, kLong = 4000;
  if (digits < kShort || fiber::current() == nullptr) return {};
  return fiber::maybe_yield(digits < kLong ? 4 : 64);
}

}  // namespace coppice::sql_numeric
