#include "tests/modules/raft/core/cluster.h"

#include <algorithm>

namespace coppice::raft {

Cluster::Cluster(const Members& members, std::uint64_t seed) : seed_(seed) {
  for (const NodeId id : members.all()) {
    Disk& disk = nodes[id].disk;
    disk.members = members;
    // Behind a snapshot, so that a node added later gets one, and with it the first members.
    disk.base = {1, 1};
    disk.hard = {1, 0, 1};
    disk.applied = 1;
    start(id);
  }
}

void Cluster::add_node(NodeId id) {
  nodes[id];
  start(id);
}

void Cluster::start(NodeId id) {
  Node& node = nodes.at(id);
  HardState hard = node.disk.hard;
  hard.commit = std::max(hard.commit, node.disk.applied);
  hard.commit = std::min(hard.commit, node.disk.base.index + node.disk.entries.size());
  node.raft = std::make_unique<Raft>(
      RaftOptions{.id = id, .append_bytes_max = 64, .seed = seed_ * 31 + id + hard.term * 7},
      Restored{hard, node.disk.members, node.disk.base, node.disk.entries, node.disk.applied});
  node.applied = node.disk.applied;
}

void Cluster::crash(NodeId id) {
  Node& node = nodes.at(id);
  node.raft.reset();
  node.writes.clear();
}

void Cluster::handle_ready(NodeId id) {
  Node& node = nodes.at(id);
  while (node.raft && node.raft->has_ready()) {
    Ready ready = node.raft->take_ready();
    if (ready.snapshot) {
      // The state machine takes over somebody's state as of there.
      node.applied = ready.snapshot->index;
    }
    for (const LogEntry& entry : ready.committed) apply(id, node, entry);
    for (Message& message : ready.messages) network.push_back(std::move(message));
    for (const ReadState& read : ready.reads) {
      answered[read.context] = read.index;
      if (read.index < reads.at(read.context))
        violate("read " + std::to_string(read.context) + " misses a committed entry");
    }
    if (ready.hard || !ready.entries.empty() || !ready.after.empty() || ready.snapshot)
      node.writes.push_back({ready.hard, std::move(ready.entries), ready.commit, ready.snapshot,
                             node.raft->members(), std::move(ready.after)});
  }
}

void Cluster::apply(NodeId id, Node& node, const LogEntry& entry) {
  if (entry.index != node.applied + 1)
    violate("node " + std::to_string(id) + " applies " + std::to_string(entry.index) + " after " +
            std::to_string(node.applied));
  node.applied = entry.index;
  node.disk.applied = entry.index;
  node.disk.members = node.raft->members();
  const std::pair what{entry.term, std::string(as_text(entry.payload.view()))};
  const auto [at, first] = applied.try_emplace(entry.index, what);
  if (!first && at->second != what)
    violate("two nodes apply different entries at " + std::to_string(entry.index));
}

bool Cluster::finish_write(NodeId id) {
  Node& node = nodes.at(id);
  if (node.writes.empty()) return false;
  Write write = std::move(node.writes.front());
  node.writes.pop_front();
  Disk& disk = node.disk;
  if (write.hard) disk.hard = *write.hard;
  disk.hard.commit = std::max(disk.hard.commit, write.commit);
  if (write.snapshot) {
    disk.base = *write.snapshot;
    disk.entries.clear();
    disk.applied = std::max(disk.applied, write.snapshot->index);
    disk.members = write.snapshot_members;
  }
  for (const LogEntry& entry : write.entries) {
    if (entry.index <= disk.base.index) continue;  // compacted meanwhile
    disk.entries.resize(
        std::min<std::size_t>(disk.entries.size(), entry.index - disk.base.index - 1));
    disk.entries.push_back(entry);
  }
  if (!write.entries.empty())
    node.raft->persisted(write.entries.back().index, write.entries.back().term);
  for (Message& message : write.after) {
    if (message.to == id) {
      node.raft->step(std::move(message));
    } else {
      network.push_back(std::move(message));
    }
  }
  handle_ready(id);
  return true;
}

void Cluster::finish_all_writes(NodeId id) {
  while (finish_write(id)) {
  }
}

void Cluster::deliver(std::size_t at) {
  Message message = std::move(network[at]);
  network.erase(network.begin() + static_cast<long>(at));
  const auto to = nodes.find(message.to);
  if (to == nodes.end() || !to->second.raft || !connected(message.from, message.to)) return;
  to->second.raft->step(std::move(message));
  handle_ready(to->first);
}

void Cluster::compact(NodeId id, std::uint64_t keep) {
  Node& node = nodes.at(id);
  const std::uint64_t through =
      std::min({node.disk.applied, node.raft->log().persisted(), node.raft->log().applied()});
  if (through < keep + node.disk.base.index) return;
  const std::uint64_t index = through - keep;
  const auto term = node.raft->log().term(index);
  if (!term || index > node.disk.base.index + node.disk.entries.size()) return;
  node.raft->compact(index);
  const std::size_t dropped = index - node.disk.base.index;
  node.disk.entries.erase(node.disk.entries.begin(),
                          node.disk.entries.begin() + static_cast<long>(dropped));
  node.disk.base = {index, *term};
}

NodeId Cluster::leader() const {
  NodeId leader = 0;
  std::uint64_t term = 0;
  for (const auto& [id, node] : nodes)
    if (node.raft && node.raft->role() == Role::kLeader && node.raft->term() > term) {
      leader = id;
      term = node.raft->term();
    }
  return leader;
}

void Cluster::settle() {
  for (bool moved = true; moved;) {
    moved = false;
    while (!network.empty()) {
      deliver(0);
      moved = true;
    }
    for (auto& [id, node] : nodes)
      while (node.raft && finish_write(id)) moved = true;
  }
}

void Cluster::check() {
  for (auto& [id, node] : nodes) {
    if (!node.raft) continue;
    const EntryLog& log = node.raft->log();
    if (node.raft->role() == Role::kLeader) {
      const auto [at, first] = leaders_.try_emplace(node.raft->term(), id);
      if (at->second != id) violate("two leaders in term " + std::to_string(node.raft->term()));
      // What anybody applied in an earlier term, a new leader has.
      if (first)
        for (const auto& [index, what] : applied)
          if (index > log.base().index && log.term(index) != what.first)
            violate("leader " + std::to_string(id) + " lacks committed entry " +
                    std::to_string(index));
    }
    for (std::uint64_t index = log.first_index(); index <= log.last_index(); ++index) {
      const auto [at, first] = before_.try_emplace({index, *log.term(index)}, *log.term(index - 1));
      if (!first && at->second != *log.term(index - 1))
        violate("logs that agree at " + std::to_string(index) + " differ before it");
    }
  }
}

}  // namespace coppice::raft
