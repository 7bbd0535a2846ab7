// index_merge.h — many sources of one index tree merged into parts: flush and compaction.
//
// Role:     a pure iterator. Operations meet the parts of the oldest source by egid range: a part
//           that nothing touches is copied as it is, a few operations become its deltas, more
//           rebuild it. What no read at or above `snap` can see is dropped; at the bottom removals
//           vanish and additions lose their timestamps.
// Owns:     its inputs, one decoded part of each, one part being built.
// Errors:   what the inputs give.
// Threads:  one user. Parks: where its inputs do.
#pragma once

#include <deque>
#include <memory>
#include <optional>

#include "modules/lsm/memtable/index_run.h"
#include "modules/lsm/sstable/index_posting_file.h"

namespace coppice::lsm {

// Pieces of a source: (key, first egid) ascending, each with a part or with operations.
class IndexInput {
 public:
  struct Piece {
    std::optional<PartView> part;
    std::span<const PostingOp> operations;
  };
  virtual ~IndexInput() = default;
  // To the next piece; false at the end. Starts before the first one.
  virtual Result<bool> next() = 0;
  virtual ByteView key() const = 0;
  virtual Egid first_egid() const = 0;
  virtual Result<Piece> piece() = 0;  // valid until next()
};

// `run` from the first key at or above `low` on.
std::unique_ptr<IndexInput> run_input(IndexRunRef run, ByteView low = {});
// A file from the part that covers `low` on. Operations above `cap` are not seen (a branch).
// `file` and `blocks` must outlive the input.
std::unique_ptr<IndexInput> file_input(const IndexFile& file, IndexBlocks& blocks,
                                       IndexPosition low = {}, Hlc cap = Hlc::max());

struct IndexMergeOptions {
  Hlc snap = Hlc::zero();             // T_snap
  bool bottom = false;                // nothing older than the inputs exists in the range
  IndexPosition low;                  // inclusive
  std::optional<IndexPosition> high;  // exclusive
};

class IndexMerge {
 public:
  IndexMerge(std::vector<std::unique_ptr<IndexInput>> newest_first, IndexMergeOptions options);

  // To the next part; false at the end.
  Result<bool> next();
  ByteView key() const { return key_; }
  Egid first_egid() const { return out_.front().first_egid; }
  ByteView part() const { return out_.front().bytes; }
  const PartStats& stats() const { return out_.front().stats; }

  struct Counters {
    std::uint64_t copied = 0, appended = 0, rebuilt = 0;  // parts of the oldest source
  };
  const Counters& counters() const { return counters_; }

 private:
  // One input; its operations on the current key as a stream.
  struct Source {
    std::unique_ptr<IndexInput> input;
    bool more = false;  // input stands at a piece
    std::vector<PostingOp> ops;
    std::size_t at = 0;
    bool on_key = false;
  };
  struct Output {
    Egid first_egid;
    ByteBuffer bytes;
    PartStats stats;
  };

  Result<bool> start_key();
  Status start_range();
  void end_range();
  Status decide();
  Status rebuild();
  Status fill(Source& source);
  Result<std::optional<PostingOp>> pop_overlay(Egid end);
  bool inside(Egid egid) const { return egid >= low_egid_ && egid < high_egid_; }
  void emit(Egid first_egid, ByteView bytes, const PartStats& stats);
  std::optional<PostingOp> fold(PostingOp op);
  bool worth_folding(const PartView& part) const;

  std::vector<Source> sources_;  // newest first
  IndexMergeOptions options_;
  Counters counters_;
  std::deque<Output> out_;
  ByteBuffer key_;
  bool started_ = false;
  bool finished_ = false;

  // The current key.
  Source* base_ = nullptr;  // the oldest source that has it
  Egid low_egid_ = 0, high_egid_ = UINT64_MAX;
  bool key_open_ = false;

  // The current range: one piece of the base and what falls into it.
  bool range_open_ = false;
  bool rebuilding_ = false;
  Egid range_first_ = 0, range_end_ = UINT64_MAX;
  ByteBuffer part_bytes_;  // of the base's piece, if it is a part
  std::optional<PartView> part_;
  std::vector<PostingOp> base_ops_;
  std::size_t base_at_ = 0;
  std::vector<PostingOp> pending_;  // overlay operations read ahead
  std::size_t pending_at_ = 0;
  PartBuilder builder_;

  // fold(): what is known of the current egid.
  std::optional<PostingOp> last_;
  bool sealed_ = false;
};

}  // namespace coppice::lsm
