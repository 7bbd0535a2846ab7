// io_scheduler.h — who may use the disk now.
//
// Role:     classes W > P0 > P1 > P2 > P3 as in SILK (Balmau et al., ATC 2019): the log and
//           queries are never held back; the others share a number of requests under way that
//           follows the latency queries see (depth_control.h), strictly by class, and a byte rate
//           if one is set. Requests are at most kPieceBytes, so a query never waits for long ones.
// Threads:  any fiber.
// Parks:    begin(), for the background classes.
// Errors:   kCancelled, kDeadlineExceeded of the fiber that waits.
// Holds:    time comes from the fiber's clock alone: the same in the simulator for the same seed.
#pragma once

#include <array>
#include <cstdint>

#include "interfaces/vfs.h"
#include "kernel/fiber/sync.h"
#include "modules/vfs/depth_control.h"
#include "modules/vfs/token_bucket.h"

namespace coppice::vfs {

inline constexpr std::size_t kPieceBytes = 256 << 10;

struct IoSchedulerOptions {
  Duration query_latency_target = 1ms;
  std::uint64_t background_bytes_per_second = 0;  // 0: no limit
};

class IoScheduler {
 public:
  explicit IoScheduler(const IoSchedulerOptions& options)
      : depth_(options.query_latency_target), rate_(options.background_bytes_per_second) {}

  static bool is_background(IoClass io_class) { return io_class > IoClass::kQuery; }

  // A request under way; ends with the object.
  class [[nodiscard]] Slot {
   public:
    Slot() = default;
    Slot(IoScheduler* scheduler) : scheduler_(scheduler) {}  // NOLINT: made by begin() alone
    Slot(Slot&& other) noexcept : scheduler_(std::exchange(other.scheduler_, nullptr)) {}
    Slot& operator=(Slot&&) = delete;
    ~Slot() {
      if (scheduler_ != nullptr) scheduler_->end();
    }

   private:
    IoScheduler* scheduler_ = nullptr;
  };

  // Waits for its turn, if the class has to. `bytes` is at most about kPieceBytes.
  Result<Slot> begin(IoClass io_class, std::uint64_t bytes);

  // How long a batch of a query's reads took.
  void observe_query_read(Duration latency);

  struct State {
    unsigned depth = 0;  // background requests allowed
    unsigned under_way = 0;
    unsigned waiting = 0;
  };
  State state();

 private:
  static constexpr std::size_t kBackgroundClasses = 3;
  static std::size_t index_of(IoClass io_class) {
    return static_cast<std::size_t>(io_class) - static_cast<std::size_t>(IoClass::kFlush);
  }
  // These hold mutex_.
  bool has_turn(std::size_t index);
  void wake_next();
  void end();  // takes mutex_

  fiber::Mutex mutex_;
  DepthControl depth_;
  TokenBucket rate_;
  unsigned under_way_ = 0;
  std::array<unsigned, kBackgroundClasses> waiting_{};
  std::array<fiber::Condition, kBackgroundClasses> turns_;
};

}  // namespace coppice::vfs
