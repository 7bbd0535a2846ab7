// follower.cpp — Raft as a follower: appends, heartbeats, snapshots.
#include <algorithm>

#include "modules/raft/core/raft.h"

namespace coppice::raft {

void Raft::step_follower(Message& message) {
  switch (message.type) {
    case MessageType::kAppend:
      take_append(message);
      return;
    case MessageType::kHeartbeat:
      take_heartbeat(message);
      return;
    case MessageType::kSnapshot:
      take_snapshot(message);
      return;
    case MessageType::kReadIndexReply:
      reads_.push_back({message.context, message.index});
      return;
    case MessageType::kReadIndex:  // not the leader: the asker's deadline answers
    case MessageType::kPreVote:
    case MessageType::kPreVoteReply:
    case MessageType::kVote:
    case MessageType::kVoteReply:
    case MessageType::kAppendReply:
    case MessageType::kHeartbeatReply:
      return;
  }
}

void Raft::take_append(const Message& message) {
  election_elapsed_ = 0;
  leader_ = message.from;
  Message reply{.type = MessageType::kAppendReply, .to = message.from};
  if (message.index < log_.commit()) {
    reply.index = log_.commit();  // so far the logs agree for certain
    send_after(std::move(reply));
    return;
  }
  if (const auto matched = log_.merge(message.index, message.log_term, message.entries)) {
    log_.commit_to(std::min(message.commit, *matched));
    reply.index = *matched;
  } else {
    const LogBase hint = log_.last_not_above(message.index, message.log_term);
    reply.index = message.index;
    reply.reject = true;
    reply.hint_index = hint.index;
    reply.hint_term = hint.term;
  }
  send_after(std::move(reply));
}

void Raft::take_heartbeat(const Message& message) {
  election_elapsed_ = 0;
  leader_ = message.from;
  // The leader caps it by what it knows to match here.
  log_.commit_to(std::min(message.commit, log_.last_index()));
  send({.type = MessageType::kHeartbeatReply, .to = message.from, .context = message.context});
}

void Raft::take_snapshot(const Message& message) {
  election_elapsed_ = 0;
  leader_ = message.from;
  Message reply{.type = MessageType::kAppendReply, .to = message.from};
  reply.index = log_.commit();
  auto members = decode_members(message.members);
  if (message.index > log_.commit() && members && log_.matches(message.index, message.log_term)) {
    // It is all here already; only the news that it is committed is missing.
    log_.commit_to(message.index);
    reply.index = log_.commit();
  } else if (message.index > log_.commit() && members) {
    log_.reset_to({message.index, message.log_term});
    snapshot_ = log_.base();
    set_members(*std::move(members));
    reply.index = message.index;
  }
  send_after(std::move(reply));
}

}  // namespace coppice::raft
