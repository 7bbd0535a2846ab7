#include "modules/raft/driver.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "kernel/base/assert.h"
#include "kernel/base/random.h"
#include "kernel/fiber/cancel.h"
#include "modules/raft/wal/payload.h"

namespace coppice::raft {
namespace {

constexpr NodeId kOnlyNode = 1;

Error unknown_outcome(const Error& why) {
  return Error(
      Code::kUnavailable,
      "the log has stopped; it is unknown whether the entry will be there: " + why.to_string());
}

Error stopped_error() {
  return Error(Code::kUnavailable, "the log is not running");
}

}  // namespace

// Lives on the stack of the fiber that waits.
struct Driver::Waiter {
  Proposal& proposal;
  const bool relaxed;
  std::uint64_t index = 0;  // once stamped
  Result<LogPosition> result = LogPosition{};
  fiber::Event done = {};

  void finish(Result<LogPosition> outcome) {
    result = std::move(outcome);
    done.set();
  }
};

struct Driver::LocalWaiter {
  RecordNumber number = 0;
  Status result = {};
  fiber::Event done = {};

  void finish(Status outcome) {
    result = std::move(outcome);
    done.set();
  }
};

struct Driver::AttachRequest {
  Result<ReplayPlan> plan = ReplayPlan{};
  fiber::Event done = {};
};

class Driver::Attached final : public Consensus::Attachment {
 public:
  explicit Attached(Driver& driver) : driver_(driver) {}
  ~Attached() override { driver_.detach(); }

 private:
  Driver& driver_;
};

Driver::Driver(Vfs& vfs, const Clock& clock, const Log& log, Metrics& metrics,
               DriverOptions options)
    : clock_(clock),
      log_(log),
      options_(std::move(options)),
      store_(vfs, options_.segment_bytes),
      entries_total_(metrics.counter("raft_entries_total", "Entries stamped by this node.")),
      payload_bytes_total_(metrics.counter("raft_payload_bytes_total", "Bytes of their payloads.")),
      compressed_saved_total_(metrics.counter("raft_compressed_saved_bytes_total",
                                              "Bytes that compression kept out of the log.")) {}

Driver::~Driver() {
  COPPICE_ASSERT(!driver_task_.joinable() && !apply_task_.joinable());
}

// --- any fiber ---

Status Driver::post(LogWriter::Job job) {
  const fiber::CancelScope shield(nullptr);
  return inbox_.send(std::move(job));
}

Result<LogPosition> Driver::submit(Proposal& proposal, bool relaxed) {
  Waiter waiter{proposal, relaxed};
  if (!post([this, &waiter] { pending_.push_back(&waiter); }))
    return std::unexpected(stopped_error());
  // The proposal is in use until the entry is applied: nobody may run away from it.
  const fiber::CancelScope shield(nullptr);
  static_cast<void>(waiter.done.wait());
  return std::move(waiter.result);
}

Result<LogPosition> Driver::propose(Proposal& proposal) {
  return submit(proposal, false);
}

Result<LogPosition> Driver::propose_relaxed(Proposal& proposal) {
  return submit(proposal, true);
}

Status Driver::append_local(ByteView payload) {
  if (payload.size() > kEntryBytesMax)
    return fail(Code::kLimitExceeded, "a local record is limited to 64 MiB");
  LocalWaiter waiter;
  SharedBytes bytes(ByteBuffer(payload.begin(), payload.end()));
  const Status posted = post([this, &waiter, bytes = std::move(bytes)]() mutable {
    if (failure_) return waiter.finish(std::unexpected(unknown_outcome(*failure_)));
    if (!writer_->admits(bytes.size()))
      return waiter.finish(fail(Code::kDiskFull, "no room for the log"));
    const auto size = static_cast<std::uint32_t>(bytes.size());
    RecordHeader header{.kind = RecordKind::kLocal, .stored_bytes = size, .raw_bytes = size};
    header.index = {raft_->log().last_index()};
    header.term = {raft_->term()};
    waiter.number = writer_->push(header, std::move(bytes));
    local_waiting_.push_back(&waiter);
  });
  if (!posted) return std::unexpected(stopped_error());
  const fiber::CancelScope shield(nullptr);
  static_cast<void>(waiter.done.wait());
  return std::move(waiter.result);
}

void Driver::release_through(LogIndex index) {
  // The driver looks at it on its next round; nobody is in a hurry.
  std::uint64_t seen = release_wanted_.load();
  while (seen < index.value && !release_wanted_.compare_exchange_weak(seen, index.value)) {
  }
}

Consensus::State Driver::state() const {
  const std::scoped_lock lock(state_lock_);
  return state_;
}

Result<std::unique_ptr<Consensus::Attachment>> Driver::attach(StateMachine& machine) {
  AttachRequest request;
  const Status posted = post([this, &request] {
    if (machine_ != nullptr || attach_request_ != nullptr || replaying_) {
      request.plan = fail(Code::kAlreadyExists, "a state machine is attached already");
      request.done.set();
    } else {
      attach_request_ = &request;
    }
  });
  if (!posted) return std::unexpected(stopped_error());
  const fiber::CancelScope shield(nullptr);
  static_cast<void>(request.done.wait());
  const ReplayPlan plan = COPPICE_TRY(std::move(request.plan));
  const Instant begin = clock_.now();
  auto replayed = replay(store_, options_.codecs, plan, machine);
  finish_attach(replayed ? &machine : nullptr, plan);
  const ReplayCount count = COPPICE_TRY(std::move(replayed));
  log_.info("replayed the log", "entries={} local_records={} bytes={} took_ms={}", count.entries,
            count.local_records, count.bytes,
            std::chrono::duration_cast<std::chrono::milliseconds>(clock_.now() - begin).count());
  return std::make_unique<Attached>(*this);
}

void Driver::finish_attach(StateMachine* machine, const ReplayPlan& plan) {
  fiber::Event done;
  const Status posted = post([this, machine, &plan, &done] {
    replaying_ = false;
    if (machine != nullptr) {
      machine_ = machine;
      raft_->applied_to(plan.commit.value);
      raft_->hold_committed(false);
      const std::scoped_lock lock(state_lock_);
      state_.applied = plan.commit;
      state_.applied_hlc = last_entry_hlc_;
    }
    done.set();
  });
  if (posted) static_cast<void>(done.wait());
}

void Driver::detach() {
  fiber::Event done;
  const fiber::CancelScope shield(nullptr);
  if (post([this, &done] { detached_ = &done; })) static_cast<void>(done.wait());
}

// --- start and stop ---

Status Driver::start() {
  Rng rng(options_.seed);
  OpenedLog opened = COPPICE_TRY(open_log(store_, options_.codecs, rng.next() | 1));
  log_.info("opened the log", "segments={} last={} committed={} restated_bytes={} tail=\"{}\"",
            opened.segments.size(), opened.stream.last_index().value, opened.committed.index,
            opened.restated_bytes, opened.tail);
  Restored restored;
  restored.hard.term = std::max(opened.stream.term, opened.stream.last_term).value;
  restored.hard.vote = opened.stream.vote;
  restored.hard.commit = opened.committed.index;
  restored.members.voters = {kOnlyNode};
  restored.base = opened.committed;
  restored.entries = std::move(opened.uncommitted);
  restored.applied = opened.committed.index;
  hlc_.observe(opened.stream.last_hlc);
  last_entry_hlc_ = opened.stream.last_hlc;
  raft_ =
      std::make_unique<Raft>(RaftOptions{.id = kOnlyNode, .seed = rng.next()}, std::move(restored));
  raft_->hold_committed(true);
  writer_ = std::make_unique<LogWriter>(
      store_, std::move(opened),
      LogWriter::Options{options_.pipeline_bytes,
                         [this](LogWriter::Job job) { static_cast<void>(post(std::move(job))); }});
  fiber::Event led;
  led_ = &led;
  driver_task_ =
      fiber::spawn({.name = "raft driver", .priority = fiber::Priority::kLog}, [this] { run(); });
  apply_task_ = fiber::spawn({.name = "raft apply", .priority = fiber::Priority::kLog},
                             [this] { run_apply(); });
  COPPICE_TRY(post([this] { raft_->campaign(); }));
  {
    const fiber::CancelScope shield(nullptr);
    static_cast<void>(led.wait());
  }
  if (!failure_) return {};
  Error error = failure_->clone();
  stop(Deadline::never());
  return std::unexpected(std::move(error).context("starting the log"));
}

void Driver::stop(Deadline deadline) noexcept {
  if (!driver_task_.joinable()) return;
  static_cast<void>(post([this, deadline] {
    stopping_ = true;
    stop_deadline_ = deadline;
  }));
  driver_task_.join();
}

// --- the driver fiber ---

void Driver::run() {
  while (!stopped_) {
    auto received = inbox_.receive(next_timer());
    if (received && received->has_value()) {
      (**received)();
      while (auto more = inbox_.try_receive()) (*more)();
    }
    run_timers();
    work();
  }
  inbox_.close();
  while (auto more = inbox_.try_receive()) (*more)();
  fail_with(stopped_error());
  apply_batches_.close();
  apply_task_.join();  // a machine may be detached only when it is out of apply()
  applying_ = false;
  apply_next_ = {};
  finish_detach();
  writer_->close();
}

void Driver::work() {
  if (writer_->failure()) fail_with(writer_->failure()->clone());
  stamp_pending();
  do {
    drain_ready();
    writer_->set_commit({raft_->log().commit()});
    if (!replaying_) writer_->release_through({release_wanted_.load()});
    writer_->pump();
  } while (take_durable());
  feed_apply();
  start_replay();
  finish_detach();
  publish_state();
  if (led_ != nullptr && (failure_ || (raft_->role() == Role::kLeader &&
                                       raft_->log().commit() == raft_->log().last_index()))) {
    std::exchange(led_, nullptr)->set();
  }
  finish_stop();
}

Instant Driver::next_timer() {
  const Instant now = clock_.now();
  if (!writer_->wants_seal() || failure_) {
    seal_at_ = Instant::never();
  } else if (seal_at_ == Instant::never()) {
    seal_at_ = now + kSealDelay;
  }
  if (!writer_->wants_retry() || failure_) {
    retry_at_ = Instant::never();
  } else if (retry_at_ == Instant::never()) {
    retry_at_ = now + kDiskFullRetryDelay;
  }
  return std::min({seal_at_, retry_at_, stopping_ ? stop_deadline_ : Instant::never()});
}

void Driver::run_timers() {
  const Instant now = clock_.now();
  if (now >= seal_at_) {
    seal_at_ = Instant::never();
    if (writer_->wants_seal()) writer_->seal();
  }
  if (now >= retry_at_) {
    retry_at_ = Instant::never();
    writer_->retry();
  }
}

// --- proposals ---

Status Driver::check_accepting() const {
  if (failure_) return std::unexpected(unknown_outcome(*failure_));
  if (stopping_ || detached_ != nullptr) return std::unexpected(stopped_error());
  if (machine_ == nullptr) return fail(Code::kUnavailable, "no state machine is attached");
  if (raft_->role() != Role::kLeader) return fail(Code::kUnavailable, "not the leader");
  if (!writer_->admits(0)) return fail(Code::kDiskFull, "no room for the log");
  return {};
}

bool Driver::may_stamp() const {
  return writer_->queued_bytes() + stamped_bytes_ <= kQueuedBytesMax &&
         unapplied_bytes_ <= kUnappliedBytesMax;
}

void Driver::stamp_pending() {
  while (!pending_.empty()) {
    Status accepting = check_accepting();
    if (accepting && !may_stamp()) return;
    Waiter& waiter = *pending_.front();
    pending_.pop_front();
    if (accepting) {
      stamp(waiter);
    } else {
      waiter.finish(std::unexpected(std::move(accepting).error()));
    }
  }
}

void Driver::stamp(Waiter& waiter) {
  const LogPosition at{{raft_->log().last_index() + 1}, hlc_.next(clock_.wall_now())};
  auto payload = waiter.proposal.stamp(at);
  if (!payload) return waiter.finish(std::unexpected(std::move(payload).error()));
  const std::size_t size = payload->size();
  if (size > kEntryBytesMax)
    return waiter.finish(fail(Code::kLimitExceeded, "an entry of the log is limited to 64 MiB"));
  if (!writer_->admits(stamped_bytes_ + size))
    return waiter.finish(fail(Code::kDiskFull, "no room for the log"));
  const auto index = raft_->propose(
      {.hlc = at.hlc, .relaxed = waiter.relaxed, .payload = SharedBytes(*std::move(payload))});
  COPPICE_ASSERT(index && *index == at.index.value);
  waiter.index = *index;
  last_entry_hlc_ = at.hlc;
  waiting_.push_back(&waiter);
  stamped_bytes_ += size + kRecordHeaderBytes;
  entries_total_.add();
  payload_bytes_total_.add(size);
}

// --- what the core wants done ---

void Driver::drain_ready() {
  while (raft_->has_ready()) {
    Ready ready = raft_->take_ready();
    COPPICE_ASSERT(ready.messages.empty());  // nobody else is in the group
    if (ready.hard) push_hard_state(*ready.hard);
    for (const LogEntry& entry : ready.entries) push_entry(entry);
    Mark mark{writer_->pushed(), 0, 0, std::move(ready.after)};
    if (!ready.entries.empty()) {
      mark.index = ready.entries.back().index;
      mark.term = ready.entries.back().term;
    }
    marks_.push_back(std::move(mark));
    for (LogEntry& entry : ready.committed) queue_apply(std::move(entry));
  }
  stamped_bytes_ = 0;
  queue_relaxed();
  raft_->compact(std::min(raft_->log().applied(), raft_->log().persisted()));
}

void Driver::push_hard_state(const HardState& hard) {
  ByteBuffer vote = encode_vote(hard.vote);
  const auto size = static_cast<std::uint32_t>(vote.size());
  RecordHeader header{.kind = RecordKind::kHardState, .stored_bytes = size, .raw_bytes = size};
  header.term = {hard.term};
  header.index = {raft_->log().last_index()};
  writer_->push(header, SharedBytes(std::move(vote)));
}

void Driver::push_entry(const LogEntry& entry) {
  RecordHeader header;
  header.kind = entry.control ? RecordKind::kControl : RecordKind::kEntry;
  header.term = {entry.term};
  header.index = {entry.index};
  header.hlc = entry.hlc;
  header.raw_bytes = static_cast<std::uint32_t>(entry.payload.size());
  header.stored_bytes = header.raw_bytes;
  SharedBytes stored = entry.payload;
  if (options_.codec != nullptr) {
    if (auto compressed = compress_payload(*options_.codec, entry.payload.view())) {
      header.compressed = true;
      header.stored_bytes = static_cast<std::uint32_t>(compressed->size());
      compressed_saved_total_.add(header.raw_bytes - header.stored_bytes);
      stored = SharedBytes(*std::move(compressed));
    }
  }
  writer_->push(header, std::move(stored));
}

bool Driver::take_durable() {
  if (failure_) return false;
  bool any = false;
  while (!marks_.empty() && marks_.front().number <= writer_->durable()) {
    Mark mark = std::move(marks_.front());
    marks_.pop_front();
    if (mark.index != 0) raft_->persisted(mark.index, mark.term);
    for (Message& message : mark.after) raft_->step(std::move(message));
    any = true;
  }
  while (!local_waiting_.empty() && local_waiting_.front()->number <= writer_->durable()) {
    local_waiting_.front()->finish({});
    local_waiting_.pop_front();
  }
  return any;
}

// --- apply ---

// In a group of one nothing that was appended is ever superseded, so an entry that asked for it may
// be applied before it is durable, once all before it are applied.
void Driver::queue_relaxed() {
  if (machine_ == nullptr || !raft_->members().alone(raft_->id())) return;
  for (;;) {
    const std::uint64_t next = raft_->log().applied() + 1;
    if (next > raft_->log().last_index() || !raft_->log().at(next).relaxed) return;
    queue_apply(raft_->log().at(next));
    raft_->applied_to(next);
  }
}

void Driver::queue_apply(LogEntry entry) {
  Waiter* waiter = nullptr;
  if (!waiting_.empty() && waiting_.front()->index == entry.index) {
    waiter = waiting_.front();
    waiting_.pop_front();
  }
  if (entry.control) return;
  apply_next_.bytes += entry.payload.size();
  unapplied_bytes_ += entry.payload.size();
  apply_next_.items.push_back({std::move(entry), waiter});
}

void Driver::feed_apply() {
  if (applying_ || apply_next_.items.empty()) return;
  COPPICE_ASSERT(machine_ != nullptr);
  applying_ = true;
  apply_next_.machine = machine_;
  ApplyBatch batch = std::exchange(apply_next_, {});
  const bool sent = apply_batches_.try_send(batch);
  COPPICE_ASSERT(sent);
}

void Driver::applied(std::size_t bytes, std::optional<Error> failure) {
  applying_ = false;
  unapplied_bytes_ -= bytes;
  if (failure) fail_with(*std::move(failure));
}

void Driver::run_apply() {
  for (;;) {
    auto received = apply_batches_.receive();
    if (!received || !received->has_value()) return;
    ApplyBatch batch = **std::move(received);
    std::optional<Error> failure = apply_batch(batch);
    static_cast<void>(post([this, bytes = batch.bytes, failure = std::move(failure)]() mutable {
      applied(bytes, std::move(failure));
    }));
  }
}

std::optional<Error> Driver::apply_batch(ApplyBatch& batch) {
  std::optional<Error> failure;
  for (ApplyItem& item : batch.items) {
    Waiter* waiter = item.waiter;
    if (failure) {
      if (waiter != nullptr) waiter->finish(std::unexpected(unknown_outcome(*failure)));
      continue;
    }
    const LogPosition at{{item.entry.index}, item.entry.hlc};
    Status status = batch.machine->apply({at,
                                          {item.entry.term},
                                          std::move(item.entry.payload),
                                          waiter == nullptr ? nullptr : &waiter->proposal});
    if (!status) {
      failure =
          std::move(status).error().context("applying entry " + std::to_string(at.index.value));
      if (waiter != nullptr) waiter->finish(std::unexpected(unknown_outcome(*failure)));
      continue;
    }
    {
      const std::scoped_lock lock(state_lock_);
      state_.applied = at.index;
      state_.applied_hlc = at.hlc;
    }
    if (waiter != nullptr) waiter->finish(at);
  }
  return failure;
}

// --- attach, detach, stop ---

void Driver::start_replay() {
  if (attach_request_ == nullptr) return;
  if (failure_) {
    attach_request_->plan = std::unexpected(unknown_outcome(*failure_));
  } else {
    // Nothing is accepted without a machine, so the writer comes to rest.
    if (!writer_->idle() || !marks_.empty() || stopping_) return;
    attach_request_->plan =
        ReplayPlan{writer_->segments(), writer_->durable_end(), {raft_->log().commit()}};
    replaying_ = true;
  }
  std::exchange(attach_request_, nullptr)->done.set();
}

void Driver::finish_detach() {
  if (detached_ == nullptr || applying_ || !apply_next_.items.empty() || !waiting_.empty()) return;
  machine_ = nullptr;
  raft_->hold_committed(true);
  std::exchange(detached_, nullptr)->set();
}

void Driver::finish_stop() {
  if (!stopping_) return;
  const bool late = clock_.now() >= stop_deadline_;
  const bool stuck = failure_ || writer_->wants_retry();
  if (!late) {
    if (applying_ || !apply_next_.items.empty() || replaying_) return;
    if (!stuck && writer_->wants_seal()) {
      writer_->seal();
      writer_->pump();
    }
    if (!stuck && !writer_->idle()) return;
  }
  stopped_ = true;
}

void Driver::fail_with(Error error) {
  if (!failure_) {
    if (!stopped_) log_.error("stopped the log", "why=\"{}\"", error.to_string());
    failure_ = std::move(error);
  }
  for (Waiter* waiter : std::exchange(pending_, {}))
    waiter->finish(std::unexpected(unknown_outcome(*failure_)));
  for (Waiter* waiter : std::exchange(waiting_, {}))
    waiter->finish(std::unexpected(unknown_outcome(*failure_)));
  for (LocalWaiter* waiter : std::exchange(local_waiting_, {}))
    waiter->finish(std::unexpected(unknown_outcome(*failure_)));
  start_replay();
}

void Driver::publish_state() {
  const EntryLog& log = raft_->log();
  const std::scoped_lock lock(state_lock_);
  state_.last = {log.last_index()};
  state_.durable = {log.persisted()};
  state_.released = {release_wanted_.load()};
  state_.retained_bytes = writer_->retained_bytes();
}

}  // namespace coppice::raft
