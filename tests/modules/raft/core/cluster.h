// cluster.h — a group of raft cores in memory, with a disk each and a network between them.
//
// Role:     the test drives it step by step: which message arrives, which write becomes durable,
//           who crashes. After every step the invariants of raft are checked.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "modules/raft/core/raft.h"

namespace coppice::raft {

class Cluster {
 public:
  struct Disk {  // what a crash leaves
    HardState hard;
    LogBase base;
    std::vector<LogEntry> entries;
    Members members;  // as of applied
    std::uint64_t applied = 0;
  };
  struct Write {  // submitted, not durable yet
    std::optional<HardState> hard;
    std::vector<LogEntry> entries;
    std::uint64_t commit = 0;
    std::optional<LogBase> snapshot;
    Members snapshot_members;
    std::vector<Message> after;
  };
  struct Node {
    Disk disk;
    std::deque<Write> writes;
    std::unique_ptr<Raft> raft;  // null: down
    std::uint64_t applied = 0;
  };

  Cluster(const Members& members, std::uint64_t seed);

  void start(NodeId id);
  void crash(NodeId id);
  void add_node(NodeId id);  // an empty one, to be added to the group by a change
  void handle_ready(NodeId id);
  bool finish_write(NodeId id);  // the oldest; false: none
  void finish_all_writes(NodeId id);
  void deliver(std::size_t message);
  void compact(NodeId id, std::uint64_t keep);
  void check();  // what holds at every moment

  bool connected(NodeId a, NodeId b) const {
    return !cut.contains({std::min(a, b), std::max(a, b)});
  }
  NodeId leader() const;  // of the highest term; 0 none
  // Everything delivered and durable, no faults, until nothing moves.
  void settle();

  std::map<NodeId, Node> nodes;
  std::vector<Message> network;
  std::set<std::pair<NodeId, NodeId>> cut;
  std::map<std::uint64_t, std::pair<std::uint64_t, std::string>> applied;  // by index, of anybody
  std::map<std::uint64_t, std::uint64_t> reads;                            // context → least index
  std::map<std::uint64_t, std::uint64_t> answered;                         // context → index
  std::vector<std::string> violations;

 private:
  void apply(NodeId id, Node& node, const LogEntry& entry);
  void violate(const std::string& what) { violations.push_back(what); }

  std::uint64_t seed_;
  std::map<std::uint64_t, NodeId> leaders_;  // by term
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t>
      before_;  // (index, term) → term of index-1
};

}  // namespace coppice::raft
