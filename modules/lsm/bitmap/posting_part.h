// posting_part.h — a part: the operations of one key over one range of egids, read in place.
//
// Role:     base ids (inline, sparse or dense), when each was added (run-length, absent once
//           folded), and deltas: operations that a rebuild would fold in. Index blocks hold parts
//           under (key, first egid); PartBuilder makes them from ordered operations.
// Owns:     PartView nothing; PartBuilder the part it is collecting (≤ kPartIdsMax ids).
// Errors:   kCorruption. parse() checks the frame in O(1); content is bounds-checked when touched.
// Holds:    an id is in the base if and only if its *oldest* kept operation is an addition; all of
//           its other operations are deltas. So at any read the newest visible delta of an id
//           decides, else the base does, else an older layer.
// Threads:  views are const; a builder has one user. Parks: never.
#pragma once

#include <optional>
#include <vector>

#include "kernel/base/result.h"
#include "modules/lsm/bitmap/id_set.h"
#include "modules/lsm/bitmap/stamp.h"

namespace coppice::lsm {

inline constexpr std::size_t kPartBytesTarget = 48 << 10;  // a part closes about here
inline constexpr std::uint32_t kPartIdsMax = 1 << 19;      // and never has more ids
inline constexpr std::uint32_t kPartDeltasMax = 1 << 22;   // one egid may have many versions
inline constexpr std::uint32_t kInlineIdsMax = 4;
inline constexpr std::uint32_t kDeltasBeforeFold = 64;  // more of them are folded in
inline constexpr std::uint64_t kPartSpanMax = (1ull << 32) - kDenseChunkIds;
inline constexpr std::uint64_t kPartEgidMax = UINT64_MAX - (1ull << 34);

// Read sequence of the deltas of a part.
class DeltaView {
 public:
  DeltaView() = default;
  DeltaView(ByteView body, std::uint64_t base, std::uint32_t count)
      : body_(body), base_(base), count_(count) {}
  std::uint32_t size() const { return count_; }
  PostingOp operator[](std::uint32_t i) const {
    return {
        base_ + load_le<std::uint32_t>(body_.data() + 4 * std::size_t{i}),
        Stamp{load_le<std::uint64_t>(body_.data() + 4 * std::size_t{count_} + 8 * std::size_t{i})}};
  }

 private:
  ByteView body_;
  std::uint64_t base_ = 0;
  std::uint32_t count_ = 0;
};

// What the directory of an index block says about a part; `newest` goes to the file's properties.
struct PartStats {
  std::uint32_t ids = 0;
  std::uint32_t deltas = 0;
  bool folded = false;  // `ids` is exact at every allowed read
  Hlc newest = Hlc::zero();
};

class PartView {
 public:
  static Result<PartView> parse(ByteView bytes);

  std::uint32_t ids() const { return ids_; }  // of the base
  std::uint32_t deltas() const { return deltas_.size(); }
  bool has_stamps() const { return !stamps_.empty(); }
  bool folded() const { return !has_stamps() && deltas() == 0; }  // ids() is the count, exactly
  Hlc newest_base() const { return newest_base_; }                // zero when folded
  // Smallest and largest egid, deltas included. Precondition: not empty().
  std::uint64_t first() const;
  std::uint64_t last() const;
  bool empty() const { return ids_ == 0 && deltas() == 0; }
  ByteView bytes() const { return bytes_; }
  PartStats stats() const;

  // Appends the ids that are present at `read`, ascending; to `removed`, if given, those whose
  // newest visible operation is a removal (an older layer must not show them).
  Status decode(Hlc read, Ids& present, Ids* removed) const;
  // Marks the unknown ones of the ascending `ids` that this part decides.
  Status probe(Hlc read, IdSpan ids, std::span<Mark> marks) const;
  // Appends all operations in order; folded additions have Stamp::folded().
  Status operations(std::vector<PostingOp>& to) const;

  // The part with `more` operations added to its deltas (both in order, disjoint); bytes of ids and
  // stamps are copied as they are.
  Status append_deltas(std::span<const PostingOp> more, ByteBuffer& to) const;

 private:
  enum class Form : std::uint8_t { kInline = 0, kSparse = 1, kDense = 2 };

  Status decode_base(Ids& to) const;
  Status probe_base(IdSpan ids, std::span<Mark> marks) const;
  Status visible_base(Hlc read, Ids& to) const;
  Status stamps(std::vector<Stamp>& to) const;  // one for each base id

  ByteView bytes_;
  ByteView head_and_ids_;  // everything before the stamps, tag included
  ByteView body_;          // of the ids
  ByteView stamps_;
  DeltaView deltas_;
  Form form_ = Form::kInline;
  std::uint32_t ids_ = 0;
  std::uint64_t base_ = 0;
  std::uint64_t span_ = 0;  // largest − base
  Hlc newest_base_ = Hlc::zero();
};

struct EncodedPart {
  std::uint64_t first_egid = 0;  // the part covers from here to the next part of its key
  ByteView bytes;                // valid until the builder is used again
  PartStats stats;
};

// Collects operations of one key in order (egid ascending, stamp descending).
class PartBuilder {
 public:
  // A key's first part covers from 0, or from the bound that a subcompaction starts at.
  void start_key(std::uint64_t first_egid);
  // True: take close(egid) before adding operations of this egid.
  bool should_close_before(std::uint64_t egid) const;
  void add(PostingOp op);
  bool empty() const { return ids_.empty() && deltas_.empty() && !pending_; }
  // Ends the part; the next one covers from `next_first_egid`.
  EncodedPart close(std::uint64_t next_first_egid);

 private:
  struct StampRun {
    std::uint32_t ids = 0;
    Stamp stamp;
  };
  void settle();  // the pending operation was its egid's oldest

  std::uint64_t first_egid_ = 0;
  std::uint64_t lowest_ = 0;
  std::uint64_t last_egid_ = 0;
  std::optional<PostingOp> pending_;
  std::vector<std::uint64_t> ids_;
  std::vector<StampRun> runs_;
  std::vector<PostingOp> deltas_;
  DenseSize dense_;
  std::vector<std::uint32_t> relative_;
  ByteBuffer bytes_;
};

}  // namespace coppice::lsm
