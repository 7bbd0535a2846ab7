// consensus.h — the replicated log: propose, wait until durable, apply in order.
//
// Role:     every change of the database is an entry in one log. On a single node the group has one
//           member and the log is the WAL; the same calls serve a cluster.
// Threads:  propose() from any fiber; StateMachine methods from the apply fiber, one at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "interfaces/types/hlc.h"
#include "interfaces/types/shared_bytes.h"
#include "kernel/base/ids.h"
#include "kernel/base/result.h"

namespace coppice {

using LogIndex = StrongId<struct LogIndexTag>;  // first entry is 1; 0 means none
using Term = StrongId<struct TermTag>;

struct LogPosition {
  LogIndex index;
  Hlc hlc;  // strictly increasing with index
};

// What somebody wants in the log. Bytes are made in stamp(), when the place in the log is known:
// egids are given out there, and schema epochs checked.
class Proposal {
 public:
  virtual ~Proposal() = default;
  // Called once, in log order, on the leader, with no other stamp() under way. Must not park and
  // must be short. An error refuses the proposal: nothing reaches the log and propose() returns it.
  virtual Result<ByteBuffer> stamp(LogPosition at) = 0;
};

struct Entry {
  LogPosition at;
  Term term;
  SharedBytes payload;
  Proposal* local =
      nullptr;  // on the node that proposed it, outside replay: the object, alive during apply()
};

// Who the entries are for. Attached by its owner in start(); see attach().
class StateMachine {
 public:
  virtual ~StateMachine() = default;
  // Entries come in log order, each once, durable before they come; only one that was proposed
  // relaxed may come sooner, so what is derived from entries goes to disk no further than
  // State::durable. Indexes increase, with gaps: the log has entries of its own. Replay gives those
  // after applied_through(). An error is fatal to the node: the log stops (kCorruption names the
  // entry).
  virtual Status apply(const Entry& entry) = 0;
  // This node's own records (manifest deltas of local disks), in log order among the entries, only
  // during replay: whoever appended one has acted on it already. Every one that the log still has,
  // whatever applied_through() says; the machine knows by a number of its own which are old.
  virtual Status replay_local(ByteView payload) = 0;
  // What replay may skip: everything up to here is in the state machine's own files.
  virtual LogIndex applied_through() const = 0;
};

class Consensus {
 public:
  virtual ~Consensus() = default;

  // Parks until the entry is durable on a quorum and applied here. Errors: what stamp() gave;
  // kUnavailable (not the leader, stopping; after a crash of the log: it is unknown whether the
  // entry will be there); kDiskFull (nothing was written; later proposals may succeed);
  // kLimitExceeded (payload above kEntryBytesMax).
  virtual Result<LogPosition> propose(Proposal& proposal) = 0;
  // The same, but returns once the entry is applied, before it is durable (synchronous_commit =
  // off). It still waits for the entries before it.
  virtual Result<LogPosition> propose_relaxed(Proposal& proposal) = 0;

  // Appends a record of this node alone; parks until durable. Errors as propose().
  virtual Status append_local(ByteView payload) = 0;

  // Replays to `machine` what lies behind applied_through(), in the calling fiber, then delivers
  // live. One machine at a time; without one, proposals are refused (kUnavailable). Parks until
  // replay is done. Errors: kAlreadyExists; kCorruption (the log is damaged, or does not reach from
  // applied_through() on); the machine's own. The handle's destructor detaches, after the running
  // apply() ended.
  class Attachment {
   public:
    virtual ~Attachment() = default;
  };
  virtual Result<std::unique_ptr<Attachment>> attach(StateMachine& machine) = 0;

  // Entries up to `index`, and local records before the one after it, are no longer needed for
  // replay on this node; their segments are recycled in time. Does not park.
  virtual void release_through(LogIndex index) = 0;

  struct State {
    LogIndex last, durable, applied, released;
    std::uint64_t retained_bytes = 0;  // of log that a restart would read
    Hlc applied_hlc;
  };
  virtual State state() const = 0;
};

inline constexpr std::size_t kEntryBytesMax = 64 << 20;

}  // namespace coppice
