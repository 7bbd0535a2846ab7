// raft.h — the consensus algorithm as a pure state machine: inputs in, a Ready out.
//
// Role:     tick(), step(), propose() change the state; take_ready() says what to do about it:
//           write entries and hard state down, send messages, apply what is committed. When a
//           Ready's writes are durable the caller says persisted(), and only then sends the
//           messages that depend on them. Several Readys may be under way at once.
// Owns:     the entries that are not compacted away.
// Threads:  one at a time.   Parks: never; no I/O, no clock: time comes as ticks, randomness as
//           a seed.
// Errors:   kUnavailable (not the leader), kConflict (a change of the group is under way).
// Source:   see types.h; the shape is etcd-raft's (step, tick, ready, advance).
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "kernel/base/random.h"
#include "kernel/base/result.h"
#include "modules/raft/core/log.h"
#include "modules/raft/core/members.h"
#include "modules/raft/core/progress.h"
#include "modules/raft/core/types.h"

namespace coppice::raft {

enum class Role : std::uint8_t { kFollower, kPreCandidate, kCandidate, kLeader };

struct RaftOptions {
  NodeId id = 1;
  unsigned election_ticks = 10;  // a follower waits this long, up to twice, for its leader
  unsigned heartbeat_ticks = 1;
  std::size_t append_bytes_max = 1 << 20;  // of payloads in one message
  std::uint64_t seed = 1;                  // of election timeouts
};

// From the log, at start. The first members of a group are in no entry: a group of several begins
// behind a snapshot, so that whoever joins it later gets them.
struct Restored {
  HardState hard;
  Members members;  // as of `applied`
  LogBase base;
  std::vector<LogEntry> entries;  // after base
  std::uint64_t applied = 0;      // ≥ base
};

struct Ready {
  std::optional<HardState> hard;    // to be written with the entries, if term or vote changed
  std::vector<LogEntry> entries;    // to be written, replacing what was at and after the first
  std::uint64_t commit = 0;         // to be written with them: elections depend on it
  std::vector<Message> messages;    // to be sent now
  std::vector<Message> after;       // to be sent when hard and entries are durable; those to
                                    // oneself go to step()
  std::vector<LogEntry> committed;  // to be applied, in order
  std::vector<ReadState> reads;
  std::optional<LogBase> snapshot;  // to be installed; the log begins anew behind it
};

class Raft {
 public:
  Raft(const RaftOptions& options, Restored restored);

  void tick();
  void step(Message message);  // from a peer; what makes no sense is dropped
  void campaign();             // at once, as if the election timeout had passed

  // The entry's index and term are filled in. Gives the index.
  Result<std::uint64_t> propose(LogEntry entry);
  Result<std::uint64_t> propose_change(const MembersChange& change);
  // The state machine may be read at ReadState.index, once a majority has confirmed the leader.
  Status read_index(std::uint64_t context);

  bool has_ready() const;
  Ready take_ready();
  // The entries of a Ready through (index, term), and its hard state, are durable.
  void persisted(std::uint64_t index, std::uint64_t term) { log_.persisted_to(index, term); }

  void compact(std::uint64_t index) { log_.compact(index); }
  // Entries through it reached the state machine by another way.
  void applied_to(std::uint64_t index) { log_.applied_to(index); }
  void hold_committed(bool hold) { hold_committed_ = hold; }  // nobody is there to apply them
  void report_unreachable(NodeId peer);
  void report_snapshot_failed(NodeId peer);

  NodeId id() const { return options_.id; }
  Role role() const { return role_; }
  NodeId leader() const { return leader_; }
  std::uint64_t term() const { return term_; }
  HardState hard_state() const { return {term_, vote_, log_.commit()}; }
  const EntryLog& log() const { return log_; }
  const Members& members() const { return members_; }
  const Progress* progress(NodeId peer) const;

 private:
  struct PendingRead {
    std::uint64_t context;
    NodeId from;
    std::uint64_t index;
  };

  // raft.cpp: roles and elections
  void become_follower(std::uint64_t term, NodeId leader);
  void become_pre_candidate();
  void become_candidate();
  void become_leader();
  bool will_lose_vote() const;
  void reset(std::uint64_t term);
  bool change_within(std::uint64_t from, std::uint64_t through) const;
  void start_election(bool pre_vote);
  bool step_term(const Message& message);
  void tell_commit(Message& message) const;
  void learn_commit(const Message& message);
  void step_vote_request(const Message& message);
  void step_vote_reply(const Message& message);
  void send(Message message);
  void send_after(Message message);
  void apply_change(const LogEntry& entry);
  void set_members(Members members);

  // follower.cpp
  void step_follower(Message& message);
  void take_append(const Message& message);
  void take_heartbeat(const Message& message);
  void take_snapshot(const Message& message);

  // leader.cpp
  void step_leader(const Message& message);
  void tick_leader();
  void append_own(LogEntry entry);
  void broadcast_append();
  void send_append(NodeId to, bool even_empty);
  bool send_snapshot(NodeId to, Progress& progress);
  void broadcast_heartbeat();
  void take_append_reply(const Message& message, Progress& progress);
  void take_heartbeat_reply(const Message& message, Progress& progress);
  void take_read_index(const Message& message);
  bool advance_commit();
  void check_quorum();
  void answer_reads();
  void answer_read(const PendingRead& read);
  void leave_joint_if_due();

  const RaftOptions options_;
  Rng rng_;
  Role role_ = Role::kFollower;
  std::uint64_t term_;
  NodeId vote_;
  NodeId leader_ = 0;
  HardState written_;  // as of the last Ready
  EntryLog log_;
  Members members_;
  bool hold_committed_ = false;

  unsigned election_elapsed_ = 0;
  unsigned election_timeout_ = 0;
  unsigned heartbeat_elapsed_ = 0;
  std::map<NodeId, Vote> votes_;
  std::map<NodeId, Progress> progress_;     // leader: of everybody, itself included
  std::uint64_t pending_change_ = 0;        // index of the last change proposed or appended
  bool leaving_ = false;                    // that change takes the leader's own vote
  std::vector<PendingRead> pending_reads_;  // leader, oldest first
  std::uint64_t read_sequence_ = 0;

  std::vector<Message> messages_;
  std::vector<Message> after_;
  std::vector<ReadState> reads_;
  std::optional<LogBase> snapshot_;
};

inline constexpr std::size_t kPendingReadsMax = 4096;
inline constexpr std::size_t kCommittedBytesMax = 4 << 20;  // of one Ready

}  // namespace coppice::raft
