// progress.h — what the leader knows about one follower, and how fast it feeds it.
//
// Source:   etcd-raft tracker: probe one at a time until a match is found, then replicate a window
//           optimistically; a follower behind the log's base waits for its snapshot.
#pragma once

#include <algorithm>
#include <cstdint>

namespace coppice::raft {

inline constexpr std::size_t kInflightAppendsMax = 64;

struct Progress {
  enum class State : std::uint8_t { kProbe, kReplicate, kSnapshot };

  State state = State::kProbe;
  std::uint64_t match = 0;
  std::uint64_t next = 1;
  std::uint64_t snapshot = 0;      // sent, in state kSnapshot
  std::size_t inflight = 0;        // appends sent and not answered, in state kReplicate
  bool probe_sent = false;         // in state kProbe: wait for the answer
  bool active = false;             // heard of since the last check
  std::uint64_t read_context = 0;  // the latest read it has acknowledged

  bool paused() const {
    switch (state) {
      case State::kProbe:
        return probe_sent;
      case State::kReplicate:
        return inflight >= kInflightAppendsMax;
      case State::kSnapshot:
        return true;
    }
    return true;
  }
  void probe_from(std::uint64_t index) {
    state = State::kProbe;
    probe_sent = false;
    inflight = 0;
    next = std::max(index, match + 1);
  }
  void replicate() {
    state = State::kReplicate;
    probe_sent = false;
    inflight = 0;
    next = match + 1;
  }
  void wait_for_snapshot(std::uint64_t index) {
    state = State::kSnapshot;
    snapshot = index;
    inflight = 0;
  }
};

}  // namespace coppice::raft
