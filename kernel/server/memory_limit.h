// memory_limit.h — how much memory this process may use: of the cgroup, v1 or v2, or the machine.
//
// Parks:    never, but reads files of /proc and /sys: boot only.
#pragma once

#include <cstdint>
#include <string>

#include "kernel/base/result.h"

namespace coppice {

// The smallest limit of this process's cgroup, its parents and the machine. `root` stands for "/"
// (tests give a folder). kNotFound when not even the machine's memory can be read.
// Source: Linux Documentation/admin-guide/cgroup-v2.rst (memory.max) and cgroup-v1/memory.rst.
Result<std::uint64_t> memory_limit(const std::string& root = "");

// What [memory] total = "auto" means: three quarters of the limit.
constexpr std::uint64_t memory_total_of(std::uint64_t limit) {
  return limit / 4 * 3;
}

}  // namespace coppice
