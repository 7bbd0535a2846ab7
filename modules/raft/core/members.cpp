#include "modules/raft/core/members.h"

#include <algorithm>

#include "kernel/base/coding.h"

namespace coppice::raft {
namespace {

std::uint64_t majority_has(const std::set<NodeId>& voters,
                           const std::function<std::uint64_t(NodeId)>& match) {
  if (voters.empty()) return UINT64_MAX;  // the other half of a joint configuration decides
  std::vector<std::uint64_t> indexes;
  for (const NodeId id : voters) indexes.push_back(match(id));
  std::ranges::sort(indexes);
  return indexes[(indexes.size() - 1) / 2];
}

Vote majority_says(const std::set<NodeId>& voters, const std::function<Vote(NodeId)>& answer) {
  if (voters.empty()) return Vote::kWon;
  std::size_t won = 0;
  std::size_t pending = 0;
  for (const NodeId id : voters) {
    const Vote vote = answer(id);
    if (vote == Vote::kWon) ++won;
    if (vote == Vote::kPending) ++pending;
  }
  const std::size_t needed = voters.size() / 2 + 1;
  if (won >= needed) return Vote::kWon;
  return won + pending >= needed ? Vote::kPending : Vote::kLost;
}

Status take_step(Members& members, const MembersChange::Step& step) {
  const NodeId node = step.node;
  if (node == 0) return fail(Code::kInvalidArgument, "node 0 cannot be a member");
  members.learners_next.erase(node);
  switch (step.op) {
    case MembersChange::Op::kAddVoter:
      members.learners.erase(node);
      members.voters.insert(node);
      return {};
    case MembersChange::Op::kAddLearner:
      members.voters.erase(node);
      // An old voter keeps its vote until the joint state is left.
      if (members.outgoing.contains(node)) {
        members.learners_next.insert(node);
      } else {
        members.learners.insert(node);
      }
      return {};
    case MembersChange::Op::kRemove:
      members.voters.erase(node);
      members.learners.erase(node);
      return {};
  }
  return fail(Code::kInvalidArgument, "unknown change of the group");
}

void write_set(ByteWriter& writer, const std::set<NodeId>& ids) {
  writer.varint(ids.size());
  for (const NodeId id : ids) writer.varint(id);
}

std::set<NodeId> read_set(ByteReader& reader) {
  std::set<NodeId> ids;
  const std::uint64_t count = reader.count(1);
  if (count > kMembersMax) reader.fail();
  for (std::uint64_t i = 0; reader.ok() && i < count; ++i) ids.insert(reader.varint());
  return ids;
}

}  // namespace

std::set<NodeId> Members::all() const {
  std::set<NodeId> ids = voters;
  ids.insert(outgoing.begin(), outgoing.end());
  ids.insert(learners.begin(), learners.end());
  return ids;
}

std::uint64_t Members::agreed(const std::function<std::uint64_t(NodeId)>& match) const {
  const std::uint64_t agreed = std::min(majority_has(voters, match), majority_has(outgoing, match));
  return agreed == UINT64_MAX ? 0 : agreed;  // a group without voters agrees on nothing
}

Vote Members::tally(const std::function<Vote(NodeId)>& answer) const {
  const Vote incoming = majority_says(voters, answer);
  const Vote old = majority_says(outgoing, answer);
  if (incoming == old) return incoming;
  if (incoming == Vote::kLost || old == Vote::kLost) return Vote::kLost;
  return Vote::kPending;
}

Result<Members> changed(const Members& members, const MembersChange& change) {
  Members next = members;
  if (change.steps.empty()) {
    if (!members.joint()) return fail(Code::kInvalidArgument, "no change of the group under way");
    next.outgoing.clear();
    next.learners.insert(next.learners_next.begin(), next.learners_next.end());
    next.learners_next.clear();
    return next;
  }
  if (members.joint()) return fail(Code::kConflict, "a change of the group is under way");
  // One step on one voter keeps majorities overlapping; more need the joint configuration.
  if (change.steps.size() > 1) next.outgoing = members.voters;
  for (const MembersChange::Step& step : change.steps) COPPICE_TRY(take_step(next, step));
  if (next.voters.empty()) return fail(Code::kInvalidArgument, "the group would have no voter");
  if (next.all().size() > kMembersMax)
    return fail(Code::kLimitExceeded, "the group would have too many members");
  return next;
}

ByteBuffer encode_members(const Members& members) {
  ByteBuffer bytes;
  ByteWriter writer(bytes);
  write_set(writer, members.voters);
  write_set(writer, members.outgoing);
  write_set(writer, members.learners);
  write_set(writer, members.learners_next);
  return bytes;
}

Result<Members> decode_members(ByteView bytes) {
  ByteReader reader(bytes);
  Members members;
  members.voters = read_set(reader);
  members.outgoing = read_set(reader);
  members.learners = read_set(reader);
  members.learners_next = read_set(reader);
  if (!reader.done()) return fail(Code::kCorruption, "members of a group do not decode");
  return members;
}

ByteBuffer encode_change(const MembersChange& change) {
  ByteBuffer bytes;
  ByteWriter writer(bytes);
  writer.varint(change.steps.size());
  for (const MembersChange::Step& step : change.steps) {
    writer.u8(static_cast<std::uint8_t>(step.op));
    writer.varint(step.node);
  }
  return bytes;
}

Result<MembersChange> decode_change(ByteView bytes) {
  ByteReader reader(bytes);
  MembersChange change;
  const std::uint64_t count = reader.count(2);
  if (count > kMembersMax) reader.fail();
  for (std::uint64_t i = 0; reader.ok() && i < count; ++i) {
    const std::uint8_t op = reader.u8();
    const NodeId node = reader.varint();
    if (op < 1 || op > 3) reader.fail();
    change.steps.push_back({static_cast<MembersChange::Op>(op), node});
  }
  if (!reader.done()) return fail(Code::kCorruption, "change of a group does not decode");
  return change;
}

}  // namespace coppice::raft
