// switch.h — the jump between two stacks, and what the sanitizers must hear about it.
//
// Role:     wraps boost::context's raw jump_fcontext. (boost::context::fiber objects are not used:
//           in Boost 1.81 constructing one crashes under ThreadSanitizer.)
// Threads:  a Context is resumed by the thread whose scheduler owns it.
// Holds:    the loop announces a switch before the jump, the other side confirms it after.
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define COPPICE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define COPPICE_ASAN 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define COPPICE_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define COPPICE_TSAN 1
#endif
#endif

#ifdef COPPICE_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef COPPICE_TSAN
#include <sanitizer/tsan_interface.h>
#endif

namespace coppice::fiber {

// One side of a switch: a suspended fiber, or a thread's loop while a fiber runs.
struct Context {
  boost::context::detail::fcontext_t at = nullptr;
#ifdef COPPICE_ASAN
  void* fake_stack = nullptr;
  const void* bottom = nullptr;
  std::size_t size = 0;
#endif
#ifdef COPPICE_TSAN
  void* tsan = nullptr;
#endif
};

// Makes `context` start `entry` on the stack [bottom, bottom + size) at its first resumption.
inline void make_context(Context& context, void* bottom, std::size_t size,
                         void (*entry)(boost::context::detail::transfer_t)) {
  context.at =
      boost::context::detail::make_fcontext(static_cast<std::byte*>(bottom) + size, size, entry);
#ifdef COPPICE_ASAN
  context.fake_stack = nullptr;
  context.bottom = bottom;
  context.size = size;
#endif
#ifdef COPPICE_TSAN
  context.tsan = __tsan_create_fiber(0);
#endif
}

// After the fiber of `context` has ended.
inline void drop_context(Context& context) {
  context.at = nullptr;
#ifdef COPPICE_TSAN
  __tsan_destroy_fiber(context.tsan);
  context.tsan = nullptr;
#endif
}

// From `from` (running) to `to`; returns when somebody switches back. `ending`: nobody will.
inline boost::context::detail::transfer_t switch_context([[maybe_unused]] Context& from,
                                                         Context& to, void* data,
                                                         [[maybe_unused]] bool ending = false) {
#ifdef COPPICE_ASAN
  __sanitizer_start_switch_fiber(ending ? nullptr : &from.fake_stack, to.bottom, to.size);
#endif
#ifdef COPPICE_TSAN
  if (from.tsan == nullptr) from.tsan = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(to.tsan, 0);
#endif
  const auto back = boost::context::detail::jump_fcontext(to.at, data);
#ifdef COPPICE_ASAN
  __sanitizer_finish_switch_fiber(from.fake_stack, nullptr, nullptr);
#endif
  return back;
}

// First thing on a new stack; `from` is the loop that started it.
inline void enter_context([[maybe_unused]] Context& from) {
#ifdef COPPICE_ASAN
  __sanitizer_finish_switch_fiber(nullptr, &from.bottom, &from.size);
#endif
}

// Before a stack is used again, or unmapped.
inline void unpoison_stack([[maybe_unused]] void* bottom, [[maybe_unused]] std::size_t size) {
#ifdef COPPICE_ASAN
  __asan_unpoison_memory_region(bottom, size);
#endif
}

}  // namespace coppice::fiber
