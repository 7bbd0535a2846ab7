// input.h — the bytes received so far, cut into messages, within a budget that all connections
// share.
//
// Role:     a message's bytes are counted as they arrive, not as its header claims. One that is
//           longer than the budget leaves room for is thrown away as it comes, and reported when it
//           has ended, so that the stream stays in step.
// Threads:  an Input by one fiber at a time; an InputBudget by all.
// Parks:    never.
#pragma once

#include <atomic>
#include <cstdint>

#include "kernel/base/bytes.h"
#include "kernel/base/result.h"

namespace coppice::pgwire {

class InputBudget {
 public:
  explicit InputBudget(std::uint64_t bytes) : limit_(bytes) {}
  bool take(std::uint64_t bytes);
  void give_back(std::uint64_t bytes) { used_.fetch_sub(bytes, std::memory_order_relaxed); }
  std::uint64_t limit() const { return limit_; }
  std::uint64_t used() const { return used_.load(std::memory_order_relaxed); }

 private:
  const std::uint64_t limit_;
  std::atomic<std::uint64_t> used_ = 0;
};

struct Frame {
  enum class Kind : std::uint8_t {
    kNone,     // not all of it is here yet
    kMessage,  // type and body; views valid until the next call of space()
    kDropped,  // was too long: of this type, its body is gone
    kBad,      // the length cannot be: the stream is lost
  } kind = Kind::kNone;
  char type = 0;
  ByteView body;
};

class Input {
 public:
  static constexpr std::size_t kReadBytes = 16 << 10;  // a read asks for at least this much
  static constexpr std::size_t kFreeBytes = 64 << 10;  // up to here a connection needs no budget

  explicit Input(InputBudget& budget) : budget_(budget) {}
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  ~Input() { release(); }

  // Where the next read goes; call filled() with what came. Invalidates views.
  MutableByteView space();
  void filled(std::size_t bytes);

  // The next frame: before startup without a type byte.
  Frame next(bool startup);

  // Goes on in another buffer and gives the caller the old one, so that views into it stay good:
  // for a statement that reads more input while it runs.
  ByteBuffer detach();
  // Gives the buffer back, if nothing is left in it.
  void release_if_empty();
  std::size_t pending() const { return end_ - begin_; }

 private:
  void release();
  void compact();

  InputBudget& budget_;
  ByteBuffer buffer_;
  std::size_t begin_ = 0, end_ = 0;
  std::size_t charged_ = 0;  // what the budget gave for buffer_
  std::size_t wanted_ = 0;   // bytes of the message under way; 0: unknown
  std::uint64_t drop_ = 0;   // bytes of an overlong message still to come
  char dropped_type_ = 0;
  bool dropping_ = false;
};

}  // namespace coppice::pgwire
