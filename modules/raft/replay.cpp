#include "modules/raft/replay.h"

#include <deque>
#include <string>
#include <utility>

namespace coppice::raft {
namespace {

// Hands records over once nothing later can supersede them.
class Feeder final : public LogVisitor {
 public:
  Feeder(Codecs codecs, StateMachine& machine)
      : codecs_(codecs), machine_(machine), applied_(machine.applied_through()) {}

  Status on_progress(LogOffset, LogIndex commit) override {
    commit_ = std::max(commit_, commit);
    return feed();
  }

  Status on_record(const ScannedRecord& scanned) override {
    const RecordHeader& header = scanned.header;
    if (header.kind != RecordKind::kLocal && !has_own_index(header.kind)) return {};
    if (has_own_index(header.kind)) supersede(header.index);
    if (header.kind == RecordKind::kEntry && header.index <= applied_) return {};
    if (header.kind == RecordKind::kControl) return {};
    held_.push_back(
        {header, SharedBytes(ByteBuffer(scanned.payload.begin(), scanned.payload.end()))});
    return feed();
  }

  Status finish(LogIndex commit) {
    commit_ = std::max(commit_, commit);
    COPPICE_TRY(feed());
    // Entries behind the commit are delivered when they are committed; local records are not.
    for (const Held& held : held_)
      if (held.header.kind == RecordKind::kLocal) COPPICE_TRY(hand_over(held));
    return {};
  }

  const ReplayCount& count() const { return count_; }

 private:
  struct Held {
    RecordHeader header;
    SharedBytes stored;
  };

  void supersede(LogIndex index) {
    std::erase_if(held_, [index](const Held& held) {
      return has_own_index(held.header.kind) && held.header.index >= index;
    });
  }

  Status feed() {
    while (!held_.empty()) {
      const Held& held = held_.front();
      if (has_own_index(held.header.kind) && held.header.index > commit_) return {};
      COPPICE_TRY(hand_over(held));
      held_.pop_front();
    }
    return {};
  }

  Status hand_over(const Held& held) {
    const SharedBytes payload = COPPICE_TRY(unpack(held.header, held.stored, codecs_));
    if (held.header.kind == RecordKind::kLocal) {
      ++count_.local_records;
      return machine_.replay_local(payload.view());
    }
    ++count_.entries;
    return machine_.apply(
        {{held.header.index, held.header.hlc}, held.header.term, payload, nullptr});
  }

  const Codecs codecs_;
  StateMachine& machine_;
  const LogIndex applied_;
  LogIndex commit_ = {};
  std::deque<Held> held_;  // as many as were under way when their followers were written
  ReplayCount count_;
};

}  // namespace

Result<ReplayCount> replay(SegmentStore& store, Codecs codecs, const ReplayPlan& plan,
                           StateMachine& machine) {
  const LogIndex applied = machine.applied_through();
  const LogIndex first = plan.segments.front().stream.next_index;
  if (first.value > applied.value + 1)
    return fail(Code::kCorruption, "the log begins at entry " + std::to_string(first.value) +
                                       ", but entry " + std::to_string(applied.value + 1) +
                                       " is needed");
  if (applied > plan.commit)
    return fail(Code::kCorruption, "the log ends at entry " + std::to_string(plan.commit.value) +
                                       ", but entry " + std::to_string(applied.value) +
                                       " was applied from it");
  Feeder feeder(codecs, machine);
  LogScanner scanner(feeder);
  for (std::size_t i = 0; i < plan.segments.size(); ++i) {
    const bool newest = i + 1 == plan.segments.size();
    const AlignedBuffer image = COPPICE_TRY(store.read(plan.segments[i]));
    COPPICE_TRY(scanner.scan(plan.segments[i], image.view(),
                             newest ? plan.end : plan.segments[i + 1].base));
  }
  COPPICE_TRY(scanner.finish());
  if (scanner.position() != plan.end)
    return fail(Code::kCorruption, "the log ends before what is known to be durable");
  COPPICE_TRY(feeder.finish(plan.commit));
  ReplayCount count = feeder.count();
  count.bytes = plan.end - plan.segments.front().base;
  return count;
}

}  // namespace coppice::raft
