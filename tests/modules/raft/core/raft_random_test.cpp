// raft_random_test.cpp — groups of cores under drops, duplicates, reorderings, partitions, crashes,
// compactions and changes of the group, one seed after the other.
#include <doctest/doctest.h>

#include "kernel/base/random.h"
#include "tests/modules/raft/core/cluster.h"
#include "tests/support/seeds.h"

namespace coppice::raft {
namespace {

class RandomRun {
 public:
  explicit RandomRun(std::uint64_t seed)
      : rng_(seed), cluster_(first_members(rng_.below(3) * 2 + 1), seed) {}

  void run(int steps) {
    for (int i = 0; i < steps && cluster_.violations.empty(); ++i) {
      one_step();
      if (i % 8 == 0) cluster_.check();
    }
    heal();
  }
  Cluster& cluster() { return cluster_; }

 private:
  static Members first_members(std::uint64_t size) {
    Members members;
    for (NodeId id = 1; id <= size; ++id) members.voters.insert(id);
    return members;
  }

  NodeId any() {
    auto at = cluster_.nodes.begin();
    std::advance(at, static_cast<long>(rng_.below(cluster_.nodes.size())));
    return at->first;
  }
  Raft* raft(NodeId id) { return cluster_.nodes.at(id).raft.get(); }

  void one_step() {
    const std::uint64_t dice = rng_.below(1000);
    const NodeId id = any();
    if (dice < 300) {
      if (Raft* node = raft(id)) node->tick();
    } else if (dice < 650) {
      deliver_some();
    } else if (dice < 850) {
      if (raft(id)) cluster_.finish_write(id);
    } else if (dice < 930) {
      propose();
    } else if (dice < 950) {
      partition();
    } else if (dice < 965) {
      crash_or_start(id);
    } else if (dice < 975) {
      if (raft(id)) cluster_.compact(id, rng_.below(5));
    } else if (dice < 985) {
      read(id);
    } else {
      change_group();
    }
    if (raft(id)) cluster_.handle_ready(id);
  }

  void deliver_some() {
    if (cluster_.network.empty()) return;
    const std::size_t at = rng_.below(cluster_.network.size());
    if (rng_.chance(0.05)) cluster_.network.push_back(cluster_.network[at]);
    if (rng_.chance(0.1)) {
      cluster_.network.erase(cluster_.network.begin() + static_cast<long>(at));
    } else {
      cluster_.deliver(at);
    }
    // A network forgets: what lies around for long is lost.
    if (cluster_.network.size() > 500) cluster_.network.erase(cluster_.network.begin());
  }

  void propose() {
    const NodeId leader = cluster_.leader();
    if (leader == 0) return;
    const std::string text = std::to_string(++proposed_);
    const ByteView bytes = as_bytes(text);
    static_cast<void>(
        raft(leader)->propose({.payload = SharedBytes(ByteBuffer(bytes.begin(), bytes.end()))}));
    cluster_.handle_ready(leader);
  }

  void partition() {
    cluster_.cut.clear();
    if (rng_.chance(0.5)) return;
    const NodeId alone = any();
    for (const auto& [id, node] : cluster_.nodes)
      if (id != alone && rng_.chance(0.8))
        cluster_.cut.insert({std::min(id, alone), std::max(id, alone)});
  }

  void crash_or_start(NodeId id) {
    if (raft(id)) {
      cluster_.crash(id);
    } else {
      cluster_.start(id);
    }
  }

  void read(NodeId id) {
    if (!raft(id)) return;
    const std::uint64_t newest = cluster_.applied.empty() ? 0 : cluster_.applied.rbegin()->first;
    cluster_.reads[++read_context_] = newest;
    static_cast<void>(raft(id)->read_index(read_context_));
  }

  void change_group() {
    const NodeId leader = cluster_.leader();
    if (leader == 0) return;
    MembersChange change;
    for (std::uint64_t n = rng_.below(3) + 1; n-- > 0;) {
      const NodeId node = rng_.below(6) + 1;
      change.steps.push_back({static_cast<MembersChange::Op>(rng_.below(3) + 1), node});
      if (!cluster_.nodes.contains(node)) cluster_.add_node(node);
    }
    static_cast<void>(raft(leader)->propose_change(change));
    cluster_.handle_ready(leader);
  }

  // Without faults the group finds a leader, and everybody in it applies the same.
  void heal() {
    if (!cluster_.violations.empty()) return;
    cluster_.cut.clear();
    for (auto& [id, node] : cluster_.nodes)
      if (!node.raft) cluster_.start(id);
    for (int round = 0; round < 400 && !agreed(); ++round) {
      for (auto& [id, node] : cluster_.nodes) {
        node.raft->tick();
        cluster_.handle_ready(id);
      }
      cluster_.settle();
      cluster_.check();
      if (round == 200) propose();
    }
    if (!agreed())
      cluster_.violations.push_back("no agreement after all faults are gone\n" + describe());
  }

  static std::string list(std::string_view name, const std::set<NodeId>& ids) {
    std::string text(name);
    for (const NodeId id : ids) text += ' ' + std::to_string(id);
    return text;
  }
  std::string describe() const {
    std::string text;
    for (const auto& [id, node] : cluster_.nodes) {
      const Raft& each = *node.raft;
      text += "node " + std::to_string(id) + " role " +
              std::to_string(static_cast<int>(each.role())) + " term " +
              std::to_string(each.term()) + " log " + std::to_string(each.log().base().index) +
              ".." + std::to_string(each.log().last_index()) + " commit " +
              std::to_string(each.log().commit()) + list(" voters", each.members().voters) +
              list(" outgoing", each.members().outgoing) +
              list(" learners", each.members().learners) + '\n';
    }
    return text;
  }

  bool agreed() {
    const NodeId leader = cluster_.leader();
    if (leader == 0) return false;
    const Raft& first = *raft(leader);
    if (first.log().applied() != first.log().last_index() || first.members().joint()) return false;
    const std::set<NodeId> members = first.members().all();
    for (const NodeId id : members)
      if (!raft(id) || raft(id)->log().applied() != first.log().applied()) return false;
    return true;
  }

  Rng rng_;
  Cluster cluster_;
  std::uint64_t proposed_ = 0;
  std::uint64_t read_context_ = 0;
};

TEST_CASE("random faults break none of raft's promises") {
  const std::uint64_t seeds = seed_count(1000);
  std::uint64_t applied = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    RandomRun run(seed);
    run.run(1500);
    applied += run.cluster().applied.size();
    if (!run.cluster().violations.empty())
      FAIL("seed " << seed << ": " << run.cluster().violations.front());
  }
  CHECK(applied > seeds * 10);  // the runs did something
}

}  // namespace
}  // namespace coppice::raft
