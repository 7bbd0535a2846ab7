// process_memory.cpp — the second number of /proc/self/statm, in pages.
#include "kernel/base/process_memory.h"

#include <fstream>

namespace coppice {

std::uint64_t resident_bytes() {
  constexpr std::uint64_t kPageBytes = 4096;
  std::ifstream statm("/proc/self/statm");
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  statm >> size >> resident;
  return resident * kPageBytes;
}

}  // namespace coppice
