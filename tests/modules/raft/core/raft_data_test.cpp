// raft_data_test.cpp — stories of small groups, told in testdata/*.txt.
#include <doctest/doctest.h>

#include <memory>
#include <sstream>

#include "tests/modules/raft/core/cluster.h"
#include "tests/support/datadriven.h"

namespace coppice::raft {
namespace {

std::string list(std::string_view name, const std::set<NodeId>& ids) {
  if (ids.empty()) return {};
  std::string text = ' ' + std::string(name);
  for (const NodeId id : ids) text += ' ' + std::to_string(id);
  return text;
}

std::string_view role_name(Role role) {
  switch (role) {
    case Role::kFollower:
      return "follower";
    case Role::kPreCandidate:
      return "pre-candidate";
    case Role::kCandidate:
      return "candidate";
    case Role::kLeader:
      return "leader";
  }
  return "?";
}

std::string_view message_name(MessageType type) {
  constexpr std::string_view kNames[] = {
      "pre-vote",  "pre-vote reply",  "vote",     "vote reply", "append",          "append reply",
      "heartbeat", "heartbeat reply", "snapshot", "read index", "read index reply"};
  return kNames[static_cast<std::size_t>(type)];
}

// "2" or "2 3": nodes; "tick 1 count=5"; "propose 1 text"; ...
class Story {
 public:
  std::string run(const DataCase& one) {
    std::istringstream words(one.command);
    std::string verb;
    words >> verb;
    std::vector<std::string> arguments;
    for (std::string word; words >> word;) arguments.push_back(word);
    if (verb == "group") return start_group(arguments);
    if (verb == "state") return state();
    if (verb == "messages") return messages();
    if (verb == "reads") return reads();
    if (verb == "log") return log(number(arguments[0]));
    act(verb, arguments);
    cluster_->check();
    return cluster_->violations.empty() ? outcome() : cluster_->violations.front();
  }

 private:
  static std::uint64_t number(const std::string& word) { return std::stoull(word); }
  Raft& raft(NodeId id) { return *cluster_->nodes.at(id).raft; }

  std::string start_group(const std::vector<std::string>& arguments) {
    Members members;
    for (const std::string& word : arguments) {
      if (word[0] == 'L') {
        members.learners.insert(number(word.substr(1)));
      } else {
        members.voters.insert(number(word));
      }
    }
    cluster_ = std::make_unique<Cluster>(members, 1);
    return "ok\n";
  }

  void act(const std::string& verb, const std::vector<std::string>& arguments) {
    result_ = Status();
    if (verb == "settle") return cluster_->settle();
    if (verb == "heal") return cluster_->cut.clear();
    if (verb == "lose") return cluster_->network.clear();
    if (verb == "deliver") return deliver_round();
    const NodeId id = number(arguments[0]);
    if (verb == "isolate") return isolate(id);
    if (verb == "crash") return cluster_->crash(id);
    if (verb == "start") return cluster_->start(id);
    if (verb == "new") return cluster_->add_node(id);
    if (verb == "writes") return cluster_->finish_all_writes(id);
    if (verb == "compact") return cluster_->compact(id, 0);
    if (verb == "campaign") raft(id).campaign();
    if (verb == "tick")
      for (std::uint64_t n = arguments.size() > 1 ? number(arguments[1]) : 1; n-- > 0;)
        raft(id).tick();
    if (verb == "propose") propose(id, arguments[1]);
    if (verb == "read") {
      cluster_->reads[number(arguments[1])] = 0;
      result_ = raft(id).read_index(number(arguments[1]));
    }
    if (verb == "change") change(id, arguments);
    cluster_->handle_ready(id);
  }

  // What is on the network now arrives; answers wait for the next round.
  void deliver_round() {
    for (std::size_t n = cluster_->network.size(); n-- > 0;) cluster_->deliver(0);
  }

  void isolate(NodeId id) {
    for (const auto& [other, node] : cluster_->nodes)
      if (other != id) cluster_->cut.insert({std::min(id, other), std::max(id, other)});
  }

  void propose(NodeId id, const std::string& text) {
    const ByteView bytes = as_bytes(text);
    auto index = raft(id).propose({.payload = SharedBytes(ByteBuffer(bytes.begin(), bytes.end()))});
    if (!index) result_ = std::unexpected(std::move(index).error());
  }

  // "+4" a voter, "L4" a learner, "-4" goes.
  void change(NodeId id, const std::vector<std::string>& arguments) {
    MembersChange change;
    for (std::size_t i = 1; i < arguments.size(); ++i) {
      const auto op = arguments[i][0] == '+'   ? MembersChange::Op::kAddVoter
                      : arguments[i][0] == 'L' ? MembersChange::Op::kAddLearner
                                               : MembersChange::Op::kRemove;
      change.steps.push_back({op, number(arguments[i].substr(1))});
    }
    auto index = raft(id).propose_change(change);
    if (!index) result_ = std::unexpected(std::move(index).error());
  }

  std::string outcome() const { return result_ ? "ok\n" : result_.error().to_string() + '\n'; }

  std::string state() const {
    std::string text;
    for (const auto& [id, node] : cluster_->nodes) {
      text += std::to_string(id);
      if (!node.raft) {
        text += " down\n";
        continue;
      }
      const EntryLog& log = node.raft->log();
      text += ' ' + std::string(role_name(node.raft->role())) + " term " +
              std::to_string(node.raft->term()) + " last " + std::to_string(log.last_index()) +
              " commit " + std::to_string(log.commit()) + " applied " +
              std::to_string(log.applied()) + list("voters", node.raft->members().voters) +
              list("outgoing", node.raft->members().outgoing) +
              list("learners", node.raft->members().learners) + '\n';
    }
    return text;
  }

  std::string messages() const {
    std::string text;
    for (const Message& message : cluster_->network)
      text += std::to_string(message.from) + "->" + std::to_string(message.to) + ' ' +
              std::string(message_name(message.type)) + " term " + std::to_string(message.term) +
              " index " + std::to_string(message.index) + " entries " +
              std::to_string(message.entries.size()) + (message.reject ? " rejected" : "") + '\n';
    return text.empty() ? "none\n" : text;
  }

  std::string reads() {
    std::string text;
    for (const auto& [context, index] : cluster_->answered)
      text += std::to_string(context) + " at " + std::to_string(index) + '\n';
    return text.empty() ? "none\n" : text;
  }

  std::string log(NodeId id) {
    const EntryLog& log = raft(id).log();
    std::string text = "base " + std::to_string(log.base().index) + '\n';
    for (std::uint64_t index = log.first_index(); index <= log.last_index(); ++index) {
      const LogEntry& entry = log.at(index);
      const bool change = entry.control && entry.payload.size() != 0;
      text += std::to_string(index) + " term " + std::to_string(entry.term) + ' ' +
              (change          ? "change of the group"
               : entry.control ? "empty"
                               : std::string(as_text(entry.payload.view()))) +
              '\n';
    }
    return text;
  }

  std::unique_ptr<Cluster> cluster_;
  Status result_;
};

TEST_CASE("stories of raft") {
  for (const char* name :
       {"election", "replication", "pre_vote", "check_quorum", "members", "snapshot", "reads"}) {
    Story story;
    run_data_file(std::string("tests/modules/raft/testdata/") + name + ".txt",
                  [&story](const DataCase& one) { return story.run(one); });
  }
}

}  // namespace
}  // namespace coppice::raft
