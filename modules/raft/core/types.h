// types.h — what the raft core speaks of: entries, messages, hard state.
//
// Threads:  values.   Parks: never.
// Source:   Ongaro and Ousterhout, "In Search of an Understandable Consensus Algorithm", 2014;
//           Ongaro's thesis, 2014 (pre-vote 9.6, check-quorum 6.2, read-index 6.4, joint 4.3); the
//           message shapes follow etcd-raft.
#pragma once

#include <cstdint>
#include <vector>

#include "interfaces/types/hlc.h"
#include "interfaces/types/shared_bytes.h"

namespace coppice::raft {

using NodeId = std::uint64_t;  // 0: nobody

struct LogEntry {
  std::uint64_t index = 0;
  std::uint64_t term = 0;
  Hlc hlc = {};          // zero for control entries
  bool control = false;  // raft's own: empty, or a change of the group
  bool relaxed = false;  // may be applied before it is durable, in a group of one; never stored
  SharedBytes payload = {};
};

struct HardState {
  std::uint64_t term = 0;
  NodeId vote = 0;
  std::uint64_t commit = 0;
  friend bool operator==(const HardState&, const HardState&) = default;
};

// Where a log begins: everything up to `index` is in a snapshot, or compacted away.
struct LogBase {
  std::uint64_t index = 0;
  std::uint64_t term = 0;
  friend bool operator==(const LogBase&, const LogBase&) = default;
};

enum class MessageType : std::uint8_t {
  kPreVote,
  kPreVoteReply,
  kVote,
  kVoteReply,
  kAppend,
  kAppendReply,
  kHeartbeat,
  kHeartbeatReply,
  kSnapshot,  // answered by kAppendReply
  kReadIndex,
  kReadIndexReply,
};

struct Message {
  MessageType type = MessageType::kAppend;
  NodeId from = 0;
  NodeId to = 0;
  std::uint64_t term = 0;
  std::uint64_t index = 0;     // append: the entry before; replies: match; votes: last entry
  std::uint64_t log_term = 0;  // of that entry
  std::uint64_t commit = 0;
  std::uint64_t commit_term = 0;  // votes and their replies: of the entry there
  bool reject = false;
  std::uint64_t hint_index = 0;  // rejected append: where the logs may agree
  std::uint64_t hint_term = 0;
  std::uint64_t context = 0;  // of a read; 0 none
  std::vector<LogEntry> entries = {};
  ByteBuffer members = {};  // snapshot: the group as of `index` (members.h)
};

// The state machine may be read once it has applied through `index`.
struct ReadState {
  std::uint64_t context = 0;
  std::uint64_t index = 0;
};

}  // namespace coppice::raft
