// assert.cpp — the end of a process that found itself wrong.
#include "kernel/base/assert.h"

#include <cstdio>
#include <cstdlib>

namespace coppice {

void panic(const char* file, int line, const char* what) noexcept {
  std::fprintf(stderr, "%s:%d: panic: %s\n", file, line, what);
  std::fflush(stderr);
  std::abort();
}

}  // namespace coppice
