// leader.cpp — Raft as the leader: replication, commit, check-quorum, reads.
#include <algorithm>
#include <utility>

#include "kernel/base/assert.h"
#include "modules/raft/core/raft.h"

namespace coppice::raft {

// --- proposals ---

void Raft::append_own(LogEntry entry) {
  entry.index = log_.last_index() + 1;
  entry.term = term_;
  log_.append(std::move(entry));
  // The leader's own copy counts like a follower's: once it is durable.
  after_.push_back({.type = MessageType::kAppendReply,
                    .from = options_.id,
                    .to = options_.id,
                    .term = term_,
                    .index = log_.last_index()});
}

Result<std::uint64_t> Raft::propose(LogEntry entry) {
  if (role_ != Role::kLeader) return fail(Code::kUnavailable, "not the leader");
  // Once the change that removes it is in its log, a leader adds nothing: a longer log than that of
  // those who stay could deny them the vote that they still need from it.
  if (leaving_) return fail(Code::kUnavailable, "leaving the group");
  append_own(std::move(entry));
  broadcast_append();
  return log_.last_index();
}

Result<std::uint64_t> Raft::propose_change(const MembersChange& change) {
  if (role_ != Role::kLeader) return fail(Code::kUnavailable, "not the leader");
  if (pending_change_ > log_.applied())
    return fail(Code::kConflict, "a change of the group is under way");
  const Members next = COPPICE_TRY(changed(members_, change));
  pending_change_ = log_.last_index() + 1;
  auto index = propose({.control = true, .payload = SharedBytes(encode_change(change))});
  leaving_ = !next.votes(options_.id);
  return index;
}

void Raft::leave_joint_if_due() {
  if (role_ != Role::kLeader || !members_.joint() || pending_change_ > log_.applied()) return;
  static_cast<void>(propose_change({}));  // it cannot be refused here
}

// --- replication ---

void Raft::broadcast_append() {
  for (const auto& [id, progress] : progress_)
    if (id != options_.id) send_append(id, false);
}

void Raft::send_append(NodeId to, bool even_empty) {
  Progress& progress = progress_.at(to);
  if (progress.paused()) return;
  const std::uint64_t before = progress.next - 1;
  const auto before_term = log_.term(before);
  if (!before_term) {
    send_snapshot(to, progress);
    return;
  }
  Message message{.type = MessageType::kAppend,
                  .to = to,
                  .index = before,
                  .log_term = *before_term,
                  .commit = log_.commit()};
  if (progress.next <= log_.last_index())
    message.entries = log_.slice(progress.next, log_.last_index(), options_.append_bytes_max);
  if (message.entries.empty() && !even_empty) return;
  if (progress.state == Progress::State::kReplicate && !message.entries.empty()) {
    progress.next = message.entries.back().index + 1;
    ++progress.inflight;
  } else if (progress.state == Progress::State::kProbe) {
    progress.probe_sent = true;
  }
  send(std::move(message));
}

bool Raft::send_snapshot(NodeId to, Progress& progress) {
  if (!progress.active) return false;  // it could not take it
  progress.wait_for_snapshot(log_.base().index);
  send({.type = MessageType::kSnapshot,
        .to = to,
        .index = log_.base().index,
        .log_term = log_.base().term,
        .members = encode_members(members_)});
  return true;
}

void Raft::broadcast_heartbeat() {
  const std::uint64_t context = pending_reads_.empty() ? 0 : read_sequence_;
  for (const auto& [id, progress] : progress_) {
    if (id == options_.id) continue;
    send({.type = MessageType::kHeartbeat,
          .to = id,
          .commit = std::min(progress.match, log_.commit()),
          .context = context});
  }
}

void Raft::tick_leader() {
  ++heartbeat_elapsed_;
  if (election_elapsed_ >= options_.election_ticks) {
    election_elapsed_ = 0;
    check_quorum();
    if (role_ != Role::kLeader) return;
  }
  if (heartbeat_elapsed_ >= options_.heartbeat_ticks) {
    heartbeat_elapsed_ = 0;
    broadcast_heartbeat();
  }
}

// A leader that a majority has not answered for an election timeout may have a successor.
void Raft::check_quorum() {
  const Vote outcome = members_.tally([this](NodeId id) {
    return id == options_.id || progress_.at(id).active ? Vote::kWon : Vote::kLost;
  });
  for (auto& [id, progress] : progress_) {
    progress.active = id == options_.id;
    // A snapshot that nobody reported as failed may be lost all the same. Whoever carries it drops
    // the repetition while the first is still on its way.
    if (progress.state == Progress::State::kSnapshot) progress.probe_from(progress.match + 1);
  }
  if (outcome != Vote::kWon) become_follower(term_, 0);
}

bool Raft::advance_commit() {
  const std::uint64_t agreed = members_.agreed([this](NodeId id) {
    const auto found = progress_.find(id);
    return found == progress_.end() ? 0 : found->second.match;
  });
  // Only an entry of this term commits by counting; earlier ones come along.
  if (agreed <= log_.commit() || !log_.matches(agreed, term_)) return false;
  log_.commit_to(agreed);
  answer_reads();
  return true;
}

// --- replies ---

void Raft::step_leader(const Message& message) {
  const auto found = progress_.find(message.from);
  if (message.type == MessageType::kReadIndex) {
    take_read_index(message);
    return;
  }
  if (found == progress_.end()) return;
  if (message.type == MessageType::kAppendReply) {
    take_append_reply(message, found->second);
  } else if (message.type == MessageType::kHeartbeatReply) {
    take_heartbeat_reply(message, found->second);
  }
}

void Raft::take_append_reply(const Message& message, Progress& progress) {
  progress.active = true;
  const bool self = message.from == options_.id;
  if (message.index > log_.last_index()) return;  // of an entry that never was
  if (message.reject) {
    if (self || message.index <= progress.match) return;  // late
    if (progress.state == Progress::State::kProbe && message.index != progress.next - 1) return;
    // Skip whole terms that the follower cannot have.
    const LogBase at = log_.last_not_above(message.hint_index, message.hint_term);
    progress.probe_from(std::min(message.index, at.index + 1));
    send_append(message.from, true);
    return;
  }
  if (progress.inflight > 0) --progress.inflight;
  const bool advanced = message.index > progress.match;
  progress.match = std::max(progress.match, message.index);
  progress.next = std::max(progress.next, progress.match + 1);
  if (self) {
    if (advance_commit()) broadcast_append();
    return;
  }
  if (progress.state == Progress::State::kProbe) {
    progress.replicate();
  } else if (progress.state == Progress::State::kSnapshot && progress.match >= progress.snapshot) {
    progress.replicate();
  }
  if (advanced && advance_commit()) {
    for (const auto& [id, each] : progress_)
      if (id != options_.id) send_append(id, true);  // tells the new commit
    return;
  }
  send_append(message.from, false);
}

void Raft::take_heartbeat_reply(const Message& message, Progress& progress) {
  progress.active = true;
  progress.probe_sent = false;
  // The window may have been lost; one answer frees a place in it.
  if (progress.inflight >= kInflightAppendsMax) --progress.inflight;
  if (progress.match < log_.last_index()) send_append(message.from, true);
  if (message.context != 0) {
    progress.read_context = std::max(progress.read_context, message.context);
    answer_reads();
  }
}

void Raft::report_unreachable(NodeId peer) {
  const auto found = progress_.find(peer);
  if (role_ != Role::kLeader || found == progress_.end()) return;
  // What was sent ahead is probably lost.
  if (found->second.state == Progress::State::kReplicate)
    found->second.probe_from(found->second.match + 1);
}

void Raft::report_snapshot_failed(NodeId peer) {
  const auto found = progress_.find(peer);
  if (role_ != Role::kLeader || found == progress_.end()) return;
  if (found->second.state == Progress::State::kSnapshot)
    found->second.probe_from(found->second.match + 1);
}

// --- reads ---

Status Raft::read_index(std::uint64_t context) {
  if (role_ == Role::kLeader) {
    take_read_index({.type = MessageType::kReadIndex, .from = options_.id, .context = context});
    return {};
  }
  if (leader_ == 0) return fail(Code::kUnavailable, "no leader is known");
  send({.type = MessageType::kReadIndex, .to = leader_, .context = context});
  return {};
}

void Raft::take_read_index(const Message& message) {
  if (pending_reads_.size() >= kPendingReadsMax) return;  // the asker's deadline answers
  // The read waits for its own round of heartbeats: an answer to an earlier one proves nothing.
  ++read_sequence_;
  pending_reads_.push_back({message.context, message.from, 0});
  pending_reads_.back().index = log_.commit();
  broadcast_heartbeat();
  answer_reads();
}

void Raft::answer_read(const PendingRead& read) {
  if (read.from == options_.id) {
    reads_.push_back({read.context, read.index});
  } else {
    send({.type = MessageType::kReadIndexReply,
          .to = read.from,
          .index = read.index,
          .context = read.context});
  }
}

void Raft::answer_reads() {
  if (pending_reads_.empty()) return;
  // Before an entry of its own term is committed a leader does not know how far the log is.
  if (!log_.matches(log_.commit(), term_)) return;
  const std::uint64_t confirmed = members_.agreed([this](NodeId id) {
    if (id == options_.id) return read_sequence_;
    const auto found = progress_.find(id);
    return found == progress_.end() ? 0 : found->second.read_context;
  });
  // The pending ones are numbered read_sequence_ - size + 1 … read_sequence_.
  while (!pending_reads_.empty() && read_sequence_ - pending_reads_.size() + 1 <= confirmed) {
    PendingRead read = pending_reads_.front();
    pending_reads_.erase(pending_reads_.begin());
    read.index = std::max(read.index, log_.commit());
    answer_read(read);
  }
}

}  // namespace coppice::raft
