// log_writer.h — writes the log: batches, at most two units in flight, one segment after another.
//
// Role:     records are pushed in log order; pump() turns what is queued into writes. Whatever is
//           queued when the last write ends goes out with the next (natural batching); a second
//           write starts beside the first only for kPipelineBytes and more.
// Owns:     the segment under way, its buffers, and the fibers that write.
// Threads:  every method by the driver fiber, where `post` also brings what its fibers have done;
//           after that, pump().
// Parks:    close() alone. Writing is done by fibers of its own.
// Errors:   a full disk is waited out: nothing is lost, admits() refuses more. Any other failure of
//           a write stops the log for good (failure()): after a failed sync nobody knows what is on
//           the disk, and asking again may get a lie for an answer.
// Source:   Rebello et al., "Can Applications Recover from fsync Failures?", USENIX ATC 2020.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernel/base/aligned_buffer.h"
#include "kernel/fiber/fiber.h"
#include "modules/raft/wal/recovery.h"
#include "modules/raft/wal/unit_builder.h"

namespace coppice::raft {

inline constexpr std::size_t kUnitsInFlightMax = 2;
inline constexpr std::size_t kPipelineBytes = 256 << 10;
inline constexpr std::size_t kFreeFilesMax = 2;

using RecordNumber = std::uint64_t;  // of pushed records, from 1

class LogWriter {
 public:
  using Job = std::move_only_function<void()>;
  struct Options {
    std::size_t pipeline_bytes = kPipelineBytes;  // tests: 0
    std::function<void(Job)> post;                // runs the job in the driver fiber; may park
  };

  LogWriter(SegmentStore& store, OpenedLog log, Options options);
  ~LogWriter();  // closed

  RecordNumber push(const RecordHeader& header, SharedBytes stored);
  void pump();

  // Everything up to it is durable.
  RecordNumber durable() const { return durable_number_; }
  RecordNumber pushed() const { return pushed_number_; }
  std::size_t queued_bytes() const { return queue_.bytes(); }
  bool idle() const { return queue_.empty() && flights_.empty() && !beginning_; }
  const std::optional<Error>& failure() const { return failure_; }

  // Room for a record of that size, as far as the disk is known to be full.
  bool admits(std::size_t payload_bytes) const;
  // The disk was full: tries again what failed for that.
  bool wants_retry() const { return full_ || spare_full_; }
  void retry();

  // Idle, and the last acknowledged record has no witness yet.
  bool wants_seal() const { return idle() && unsealed_end_ > sealed_through_; }
  void seal();

  void set_commit(LogIndex commit) { commit_ = commit; }
  // Entries through it are no longer needed.
  void release_through(LogIndex index);

  const std::vector<SegmentHeader>& segments() const { return segments_; }  // oldest first
  LogOffset durable_end() const { return durable_end_; }
  std::uint64_t retained_bytes() const { return end_ - segments_.front().base; }

  // Waits for the writes under way; what is queued stays unwritten.
  void close();

 private:
  struct Flight {
    UnitHeader header;
    AlignedBuffer buffer;
    std::shared_ptr<SegmentFile> file;
    std::uint64_t file_offset = 0;
    RecordNumber last_number = 0;  // finished in it
    bool holds_records = false;    // not only a seal
    bool done = false;
    bool refused = false;  // the disk was full
  };

  struct Begun {
    SegmentHeader header;
    Status status;
    std::unique_ptr<SegmentFile> file;
    std::string left_over;  // a file that the attempt did not use up
  };

  void start_unit(std::uint64_t room);
  void write(const std::shared_ptr<Flight>& flight);
  void unit_done(Flight& flight, Status status);
  void advance_durable();
  AlignedBuffer take_buffer(std::size_t bytes);

  void begin_segment();
  Status take_and_begin(const std::string& source, Begun& begun);
  void segment_begun(Begun& begun);
  void make_spare_if_due();
  void recycle_below(Generation oldest);
  void remove_file(std::string name);
  void spawn(std::string_view name, fiber::Priority priority, Job job);
  void fail_with(Error error);

  SegmentStore& store_;
  const Options options_;
  RecordQueue queue_;
  std::vector<SegmentHeader> segments_;
  std::shared_ptr<SegmentFile> file_;  // of segments_.back()
  LogOffset end_;                      // where the next unit goes
  LogOffset durable_end_;
  LogOffset unsealed_end_ = 0;    // of the last unit with records
  LogOffset sealed_through_ = 0;  // the highest durable_through on the disk
  LogIndex commit_;
  Generation oldest_;  // still needed; as the next unit says
  Generation newest_generation_;

  std::deque<std::shared_ptr<Flight>> flights_;
  std::vector<AlignedBuffer> buffers_;  // to be used again
  RecordNumber pushed_number_ = 0;
  RecordNumber laid_number_ = 0;
  RecordNumber durable_number_ = 0;

  std::vector<std::string> free_files_;
  std::uint32_t newest_spare_;
  bool beginning_ = false;
  bool making_spare_ = false;
  bool full_ = false;        // a write or a new segment was refused, and is due again
  bool spare_full_ = false;  // a spare was refused
  std::optional<Error> failure_;
  fiber::TaskGroup jobs_;
};

}  // namespace coppice::raft
