// assert.h — asserts that stay on in release: a crash beats corruption.
//
// Role:     programmer errors only. Input from disk, network or SQL is answered with an Error.
// Threads:  any.   Parks: never.
#pragma once

namespace coppice {

// Prints where and what, then aborts. `what` must outlive the call (a literal).
[[noreturn]] void panic(const char* file, int line, const char* what) noexcept;

[[noreturn]] inline void unreachable(const char* file = __builtin_FILE(),
                                     int line = __builtin_LINE()) noexcept {
  panic(file, line, "unreachable code was reached");
}

}  // namespace coppice

#define COPPICE_ASSERT(condition) \
  (static_cast<bool>(condition) ? void() : ::coppice::panic(__FILE__, __LINE__, #condition))

#ifdef COPPICE_DEBUG  // costly checks: dev and sanitizer builds
#define COPPICE_DEBUG_ASSERT(condition) COPPICE_ASSERT(condition)
#else
#define COPPICE_DEBUG_ASSERT(condition) static_cast<void>(sizeof(static_cast<bool>(condition)))
#endif
