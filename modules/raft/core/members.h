// members.h — who is in the group: voters, learners, and a change under way.
//
// Role:     a change of more than one voter goes through a joint configuration, in which majorities
//           of the old and the new voters are both needed.
// Threads:  values.   Parks: never.
// Errors:   kCorruption for bytes; kInvalidArgument for a change that makes no sense.
// Source:   Ongaro's thesis, section 4.3; etcd-raft confchange.
#pragma once

#include <functional>
#include <set>
#include <vector>

#include "kernel/base/bytes.h"
#include "kernel/base/result.h"
#include "modules/raft/core/types.h"

namespace coppice::raft {

inline constexpr std::size_t kMembersMax = 64;

enum class Vote : std::uint8_t { kPending, kWon, kLost };

struct Members {
  std::set<NodeId> voters;
  std::set<NodeId> outgoing;       // the old voters while joint; else empty
  std::set<NodeId> learners;       // get entries, have no vote
  std::set<NodeId> learners_next;  // old voters that become learners when the joint state is left

  friend bool operator==(const Members&, const Members&) = default;
  bool joint() const { return !outgoing.empty(); }
  bool votes(NodeId id) const { return voters.contains(id) || outgoing.contains(id); }
  bool contains(NodeId id) const { return votes(id) || learners.contains(id); }
  bool alone(NodeId id) const { return !joint() && voters.size() == 1 && voters.contains(id); }
  std::set<NodeId> all() const;

  // The highest index that a majority (both, while joint) has; `match` gives a member's.
  std::uint64_t agreed(const std::function<std::uint64_t(NodeId)>& match) const;
  // `answer`: kPending when the member has not answered.
  Vote tally(const std::function<Vote(NodeId)>& answer) const;
};

struct MembersChange {
  enum class Op : std::uint8_t { kAddVoter = 1, kAddLearner = 2, kRemove = 3 };
  struct Step {
    Op op = Op::kAddVoter;
    NodeId node = 0;
  };
  std::vector<Step> steps;  // none: leave the joint configuration
};

Result<Members> changed(const Members& members, const MembersChange& change);

ByteBuffer encode_members(const Members& members);
Result<Members> decode_members(ByteView bytes);
ByteBuffer encode_change(const MembersChange& change);
Result<MembersChange> decode_change(ByteView bytes);

}  // namespace coppice::raft
