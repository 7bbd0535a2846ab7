// driver.h — the log at work: one fiber that stamps, writes and hands over to apply.
//
// Role:     implements Consensus on the raft core and the log writer. Everything that changes them
//           runs in the driver fiber, as jobs through one queue, so neither needs a lock. State
//           machine calls run in the apply fiber, so that a machine that parks stops no write.
// Owns:     core, writer, both fibers.
// Threads:  the public methods from any fiber, state() from anywhere.
// Parks:    all but state() and release_through().
// Errors:   see interfaces/consensus.h. An I/O error of a log write, or an error of apply(), stops
//           the log for good: everybody waiting is told that the outcome is unknown.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "interfaces/consensus.h"
#include "kernel/base/spin_lock.h"
#include "kernel/core/log.h"
#include "kernel/core/metrics.h"
#include "kernel/fiber/fiber.h"
#include "kernel/fiber/sync.h"
#include "modules/raft/core/raft.h"
#include "modules/raft/hlc_clock.h"
#include "modules/raft/replay.h"
#include "modules/raft/wal/log_writer.h"

namespace coppice::raft {

struct DriverOptions {
  std::uint64_t segment_bytes = kSegmentBytesMax;
  const Codec* codec = nullptr;      // for large payloads; null: none
  std::vector<const Codec*> codecs;  // all there are, for reading
  std::size_t pipeline_bytes = kPipelineBytes;
  std::uint64_t seed = 1;  // of the log's id and of election timeouts
};

inline constexpr std::size_t kInboxMax = 4096;
inline constexpr std::size_t kQueuedBytesMax = 16 << 20;     // stamped, not written: others wait
inline constexpr std::size_t kUnappliedBytesMax = 64 << 20;  // handed to apply, not done with
inline constexpr Duration kSealDelay = 40ms;                 // with the write itself, within 50 ms
inline constexpr Duration kDiskFullRetryDelay = 100ms;

class Driver final : public Consensus {
 public:
  // All outlive the driver.
  Driver(Vfs& vfs, const Clock& clock, const Log& log, Metrics& metrics, DriverOptions options);
  ~Driver() override;  // stopped, or never started

  // Recovers the log; when it returns this node leads and has committed all it recovered.
  Status start();
  void stop(Deadline deadline) noexcept;

  Result<LogPosition> propose(Proposal& proposal) override;
  Result<LogPosition> propose_relaxed(Proposal& proposal) override;
  Status append_local(ByteView payload) override;
  Result<std::unique_ptr<Attachment>> attach(StateMachine& machine) override;
  void release_through(LogIndex index) override;
  State state() const override;

 private:
  class Attached;
  struct Waiter;
  struct LocalWaiter;
  struct AttachRequest;
  struct Mark {  // of a Ready: what follows once its records are durable
    RecordNumber number;
    std::uint64_t index;
    std::uint64_t term;
    std::vector<Message> after;
  };
  struct ApplyItem {
    LogEntry entry;
    Waiter* waiter;
  };
  struct ApplyBatch {
    StateMachine* machine = nullptr;
    std::vector<ApplyItem> items;
    std::size_t bytes = 0;
  };

  // Any fiber.
  Status post(LogWriter::Job job);
  Result<LogPosition> submit(Proposal& proposal, bool relaxed);
  void detach();
  void finish_attach(StateMachine* machine, const ReplayPlan& plan);

  // The driver fiber.
  void run();
  void work();
  void run_timers();
  Instant next_timer();
  void stamp_pending();
  void stamp(Waiter& waiter);
  Status check_accepting() const;
  bool may_stamp() const;
  void drain_ready();
  void push_entry(const LogEntry& entry);
  void push_hard_state(const HardState& hard);
  bool take_durable();
  void queue_relaxed();
  void queue_apply(LogEntry entry);
  void feed_apply();
  void start_replay();
  void finish_detach();
  void finish_stop();
  void fail_with(Error error);
  void publish_state();
  void applied(std::size_t bytes, std::optional<Error> failure);

  // The apply fiber.
  void run_apply();
  std::optional<Error> apply_batch(ApplyBatch& batch);

  const Clock& clock_;
  const Log& log_;
  const DriverOptions options_;
  SegmentStore store_;
  Counter& entries_total_;
  Counter& payload_bytes_total_;
  Counter& compressed_saved_total_;

  // Of the driver fiber.
  std::unique_ptr<Raft> raft_;
  std::unique_ptr<LogWriter> writer_;
  HlcClock hlc_{Hlc::zero()};
  std::deque<Waiter*> pending_;  // not stamped yet
  std::deque<Waiter*> waiting_;  // in the log, by index
  std::deque<LocalWaiter*> local_waiting_;
  std::deque<Mark> marks_;
  std::size_t stamped_bytes_ = 0;  // since the last drain_ready()
  ApplyBatch apply_next_;
  bool applying_ = false;
  std::size_t unapplied_bytes_ = 0;
  StateMachine* machine_ = nullptr;
  AttachRequest* attach_request_ = nullptr;
  bool replaying_ = false;
  fiber::Event* detached_ = nullptr;  // somebody waits to be detached
  Hlc last_entry_hlc_;
  bool stopping_ = false;
  bool stopped_ = false;
  Deadline stop_deadline_ = Deadline::never();
  std::optional<Error> failure_;
  fiber::Event* led_ = nullptr;  // start() waits
  Instant seal_at_ = Instant::never();
  Instant retry_at_ = Instant::never();

  fiber::Channel<LogWriter::Job> inbox_{kInboxMax};
  fiber::Channel<ApplyBatch> apply_batches_{1};
  fiber::Task driver_task_;
  fiber::Task apply_task_;

  std::atomic<std::uint64_t> release_wanted_ = 0;  // an index; by anybody
  mutable SpinLock state_lock_;                    // guards what follows; held for a copy
  State state_;
};

}  // namespace coppice::raft
