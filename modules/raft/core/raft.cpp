#include "modules/raft/core/raft.h"

#include <algorithm>
#include <utility>

#include "kernel/base/assert.h"

namespace coppice::raft {
namespace {

bool is_vote_request(MessageType type) {
  return type == MessageType::kVote || type == MessageType::kPreVote;
}

bool is_vote(MessageType type) {
  return is_vote_request(type) || type == MessageType::kVoteReply ||
         type == MessageType::kPreVoteReply;
}

bool is_from_leader(MessageType type) {
  return type == MessageType::kAppend || type == MessageType::kHeartbeat ||
         type == MessageType::kSnapshot;
}

}  // namespace

Raft::Raft(const RaftOptions& options, Restored restored)
    : options_(options),
      rng_(options.seed),
      term_(restored.hard.term),
      vote_(restored.hard.vote),
      written_(restored.hard),
      log_(restored.base, std::move(restored.entries), restored.hard.commit, restored.applied),
      members_(std::move(restored.members)) {
  COPPICE_ASSERT(options.id != 0);
  for (const NodeId id : members_.all()) progress_[id];
  reset(term_);
}

const Progress* Raft::progress(NodeId peer) const {
  const auto found = progress_.find(peer);
  return found == progress_.end() ? nullptr : &found->second;
}

// --- roles ---

void Raft::reset(std::uint64_t term) {
  if (term_ != term) {
    term_ = term;
    vote_ = 0;
  }
  leader_ = 0;
  election_elapsed_ = 0;
  heartbeat_elapsed_ = 0;
  election_timeout_ =
      options_.election_ticks + static_cast<unsigned>(rng_.below(options_.election_ticks));
  votes_.clear();
  pending_reads_.clear();
  pending_change_ = 0;
  leaving_ = false;
  for (auto& [id, progress] : progress_) {
    progress = Progress{};
    progress.next = log_.last_index() + 1;
    if (id == options_.id) progress.match = log_.persisted();
  }
}

void Raft::become_follower(std::uint64_t term, NodeId leader) {
  reset(term);
  role_ = Role::kFollower;
  leader_ = leader;
}

void Raft::become_pre_candidate() {
  // Neither term nor vote change: whoever cannot win disturbs nobody.
  votes_.clear();
  leader_ = 0;
  role_ = Role::kPreCandidate;
}

void Raft::become_candidate() {
  reset(term_ + 1);
  vote_ = options_.id;
  role_ = Role::kCandidate;
}

void Raft::become_leader() {
  reset(term_);
  role_ = Role::kLeader;
  leader_ = options_.id;
  // Any change among the entries not applied yet counts as under way.
  pending_change_ = log_.last_index();
  leaving_ = will_lose_vote();
  for (auto& [id, progress] : progress_) progress.active = id == options_.id;
  // Entries of earlier terms are committed through one of this term.
  append_own({.control = true});
  broadcast_append();
}

// By a change that is in the log and not applied yet.
bool Raft::will_lose_vote() const {
  Members members = members_;
  for (std::uint64_t index = log_.applied() + 1; index <= log_.last_index(); ++index) {
    const LogEntry& entry = log_.at(index);
    if (!entry.control || entry.payload.size() == 0) continue;
    const auto change = decode_change(entry.payload.view());
    if (!change) continue;
    if (auto next = changed(members, *change)) members = *std::move(next);
  }
  return !members.votes(options_.id);
}

void Raft::campaign() {
  if (role_ == Role::kLeader || !members_.votes(options_.id)) return;
  start_election(true);
}

// Is there a change of the group in (from, through]?
bool Raft::change_within(std::uint64_t from, std::uint64_t through) const {
  for (std::uint64_t index = from + 1; index <= through; ++index)
    if (log_.at(index).control && log_.at(index).payload.size() != 0) return true;
  return false;
}

void Raft::start_election(bool pre_vote) {
  // With a change committed and not applied it would count by a group that is no longer: the next
  // change is proposed only after this one was applied, and comes with the news that it is
  // committed, so whoever has the next one in its log knows better.
  if (change_within(log_.applied(), log_.commit())) return;
  if (pre_vote) {
    become_pre_candidate();
  } else {
    become_candidate();
  }
  const MessageType type = pre_vote ? MessageType::kPreVote : MessageType::kVote;
  const std::uint64_t term = pre_vote ? term_ + 1 : term_;
  for (const NodeId to : members_.all()) {
    if (!members_.votes(to)) continue;
    if (to == options_.id) {
      // One's own vote counts once it is durable, as everybody's does.
      const auto reply = pre_vote ? MessageType::kPreVoteReply : MessageType::kVoteReply;
      after_.push_back({.type = reply, .from = to, .to = to, .term = term});
      continue;
    }
    Message request{.type = type,
                    .to = to,
                    .term = term,
                    .index = log_.last_index(),
                    .log_term = log_.last_term()};
    tell_commit(request);
    send(std::move(request));
  }
}

void Raft::tick() {
  ++election_elapsed_;
  if (role_ == Role::kLeader) {
    tick_leader();
    return;
  }
  if (election_elapsed_ < election_timeout_ || !members_.votes(options_.id)) return;
  election_elapsed_ = 0;
  start_election(true);
}

// --- messages ---

void Raft::send(Message message) {
  message.from = options_.id;
  if (message.term == 0) message.term = term_;
  messages_.push_back(std::move(message));
}

// Says something about what this node has written down: it must be true first.
void Raft::send_after(Message message) {
  message.from = options_.id;
  if (message.term == 0) message.term = term_;
  after_.push_back(std::move(message));
}

// Votes carry the commit: a member that has not heard of its own promotion may deny the only
// candidate its vote, for the sake of a longer log, and could not stand itself (raft-rs has the
// same remedy).
void Raft::tell_commit(Message& message) const {
  message.commit = log_.commit();
  message.commit_term = log_.term(message.commit).value_or(0);
}

void Raft::learn_commit(const Message& message) {
  if (role_ == Role::kLeader || message.commit <= log_.commit()) return;
  if (!log_.matches(message.commit, message.commit_term)) return;
  log_.commit_to(message.commit);
  if (role_ != Role::kFollower && change_within(log_.applied(), log_.commit()))
    become_follower(term_, 0);
}

void Raft::step(Message message) {
  if (is_vote(message.type)) learn_commit(message);
  if (!step_term(message)) return;
  if (is_vote_request(message.type)) {
    step_vote_request(message);
    return;
  }
  switch (role_) {
    case Role::kLeader:
      step_leader(message);
      return;
    case Role::kCandidate:
    case Role::kPreCandidate:
      if (message.type == MessageType::kVoteReply || message.type == MessageType::kPreVoteReply) {
        step_vote_reply(message);
        return;
      }
      if (!is_from_leader(message.type)) return;
      become_follower(message.term, message.from);
      step_follower(message);
      return;
    case Role::kFollower:
      step_follower(message);
      return;
  }
}

// Brings the terms in line; false when the message is done with.
bool Raft::step_term(const Message& message) {
  if (message.term > term_) {
    if (is_vote_request(message.type)) {
      // Check-quorum's lease: as long as a leader is heard of, nobody else gets a vote.
      const bool leader_lives = leader_ != 0 && election_elapsed_ < options_.election_ticks;
      if (leader_lives) return false;
    }
    const bool only_asked = message.type == MessageType::kPreVote;
    const bool granted = message.type == MessageType::kPreVoteReply && !message.reject;
    if (!only_asked && !granted)
      become_follower(message.term, is_from_leader(message.type) ? message.from : 0);
    return true;
  }
  if (message.term == term_) return true;
  if (message.type == MessageType::kAppend || message.type == MessageType::kHeartbeat) {
    // A leader that was cut off learns of the newer term by this.
    send({.type = MessageType::kAppendReply, .to = message.from});
  } else if (message.type == MessageType::kPreVote) {
    send({.type = MessageType::kPreVoteReply, .to = message.from, .reject = true});
  }
  return false;
}

void Raft::step_vote_request(const Message& message) {
  const bool pre_vote = message.type == MessageType::kPreVote;
  const bool free =
      vote_ == message.from || (vote_ == 0 && leader_ == 0) || (pre_vote && message.term > term_);
  const bool granted = free && log_.up_to_date(message.index, message.log_term);
  Message reply{.type = pre_vote ? MessageType::kPreVoteReply : MessageType::kVoteReply,
                .to = message.from,
                .term = granted ? message.term : term_,
                .reject = !granted};
  tell_commit(reply);
  if (granted && !pre_vote) {
    election_elapsed_ = 0;
    vote_ = message.from;
  }
  send_after(std::move(reply));
}

void Raft::step_vote_reply(const Message& message) {
  const bool pre_vote = role_ == Role::kPreCandidate;
  if ((message.type == MessageType::kPreVoteReply) != pre_vote) return;
  if (!message.reject && message.term != (pre_vote ? term_ + 1 : term_)) return;
  votes_.try_emplace(message.from, message.reject ? Vote::kLost : Vote::kWon);
  const Vote outcome = members_.tally([this](NodeId id) {
    const auto found = votes_.find(id);
    return found == votes_.end() ? Vote::kPending : found->second;
  });
  if (outcome == Vote::kLost) {
    become_follower(term_, 0);
  } else if (outcome == Vote::kWon) {
    if (pre_vote) {
      start_election(false);
    } else {
      become_leader();
    }
  }
}

// --- the group ---

void Raft::set_members(Members members) {
  members_ = std::move(members);
  const std::set<NodeId> all = members_.all();
  std::erase_if(progress_, [&all](const auto& each) { return !all.contains(each.first); });
  for (const NodeId id : all) {
    const auto [at, added] = progress_.try_emplace(id);
    if (!added) continue;
    at->second.next = log_.last_index() + 1;
    at->second.active = true;  // it gets one election timeout to show up
  }
  if (role_ != Role::kLeader) return;
  if (!members_.votes(options_.id)) {
    become_follower(term_, 0);
    return;
  }
  if (advance_commit()) broadcast_append();
}

void Raft::apply_change(const LogEntry& entry) {
  if (!entry.control || entry.payload.size() == 0) return;
  const auto change = decode_change(entry.payload.view());
  if (!change) return;
  // Every node takes the same decision about the same entry.
  if (auto next = changed(members_, *change)) set_members(*std::move(next));
}

// --- ready ---

bool Raft::has_ready() const {
  return !messages_.empty() || !after_.empty() || !reads_.empty() || snapshot_ ||
         log_.has_unhanded() || (!hold_committed_ && log_.has_committed()) ||
         written_.term != term_ || written_.vote != vote_;
}

Ready Raft::take_ready() {
  Ready ready;
  if (written_.term != term_ || written_.vote != vote_) ready.hard = hard_state();
  ready.entries = log_.take_unhanded();
  ready.commit = log_.commit();
  if (!hold_committed_) ready.committed = log_.take_committed(kCommittedBytesMax);
  ready.messages = std::exchange(messages_, {});
  ready.after = std::exchange(after_, {});
  ready.reads = std::exchange(reads_, {});
  ready.snapshot = std::exchange(snapshot_, std::nullopt);
  written_ = hard_state();
  // May give more to do: has_ready() is true again then.
  for (const LogEntry& entry : ready.committed) apply_change(entry);
  if (!ready.committed.empty()) leave_joint_if_due();
  return ready;
}

}  // namespace coppice::raft
