// worker.cpp — the loop. Boundary of Asio: handlers of ours do not throw, and a throwing io_context
// ends the process (loop() is noexcept in effect: its callers are thread functions).
#include "kernel/fiber/worker.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "kernel/base/assert.h"
#include "kernel/fiber/tick_rate.h"

namespace coppice::fiber {

namespace {
constexpr Duration kPollEvery = 25us;  // sockets, timers, disk: while fibers keep the worker busy
constexpr Duration kQuantumContended = 100us;
constexpr Duration kQuantumAlone = 1ms;
}  // namespace

Worker::Worker(WorkerGroup& group, unsigned index, unsigned serves)
    : Scheduler(group.runtime, group.clock, group.fibers, group.stacks),
      group_(group),
      index_(index),
      serves_(serves),
      poll_every_(ticks_in(kPollEvery)),
      quantum_contended_(ticks_in(kQuantumContended)),
      quantum_alone_(ticks_in(kQuantumAlone)),
      stall_(group.options.stall > Duration::zero() ? ticks_in(group.options.stall) : UINT64_MAX) {}

Worker::~Worker() = default;

Worker& Worker::here() {
  Scheduler* const scheduler = Scheduler::here();
  COPPICE_ASSERT(scheduler != nullptr);
  return static_cast<Worker&>(*scheduler);  // a thread of ThreadRuntime has no other kind
}

void Worker::loop(Fiber* first) {
  enter();
  if (group_.runtime.disk().engine() == DiskEngine::kRing) {
    const int os_errno = ring_.open();
    COPPICE_ASSERT(os_errno == 0);  // probe() has made one a moment ago
    ring_event_.emplace(io_, ring_.event_fd());
  }
  set_running(true);
  mark_ticks();
  if (first != nullptr) queue_.push(*first);
  while (!group_.stopping.load(std::memory_order_relaxed)) {
    if (inbox_.load(std::memory_order_relaxed) != nullptr) take_inbox();
    if (Fiber* const fiber = queue_.pop()) {
      run_one(*fiber);
      continue;
    }
    poll();
    if (has_work() || search()) continue;
    sleep();
  }
  set_running(false);
  if (ring_event_) ring_event_->release();  // the ring closes it
  leave();
}

void Worker::run_one(Fiber& fiber) {
  const std::string_view name = fiber.name;  // the block may be someone else's afterwards
  stall_noted_.store(false, std::memory_order_relaxed);
  const Ticks took = run(fiber);
  queue_.charge(took);
  if (took > stall_) [[unlikely]]
    report_stall(name, took);
  if (loop_ticks() - last_poll_ > poll_every_) poll();
}

void Worker::poll() {
  take_inbox();
  if (!timers().empty()) {
    timers().fire_due(clock().now());
    timers_pending_.store(timers().size(), std::memory_order_relaxed);
  }
  if (ring_.unsubmitted()) ring_.submit();
  ring_.reap();
  io_.poll();
  mark_ticks();
  last_poll_ = loop_ticks();
}

bool Worker::take_inbox() {
  Fiber* newest = inbox_.exchange(nullptr);
  Fiber* oldest = nullptr;
  while (newest != nullptr) {  // turn it round: first come, first served
    Fiber* const next = newest->next_remote;
    newest->next_remote = oldest;
    oldest = newest;
    newest = next;
  }
  for (Fiber* fiber = oldest; fiber != nullptr;) {
    Fiber* const next = std::exchange(fiber->next_remote, nullptr);
    if (fiber->context.at == nullptr) {
      start(*fiber);
    } else {
      queue_.push(*fiber);
    }
    fiber = next;
  }
  return oldest != nullptr;
}

void Worker::start(Fiber& fiber) {
  if (!serves(fiber.priority)) {
    group_.next_worker(fiber.priority).post(fiber);
  } else if (fiber.home || group_.workers.size() == 1 ||
             group_.options.stealing == Stealing::kNever) {
    queue_.push(fiber);
  } else {
    queue_.push_start(fiber);
    if (group_.sleeping.load() > 0 && queue_.waiting() >= steal_min())
      group_.call_thief(*this, fiber.priority);
  }
}

std::size_t Worker::steal_min() const {
  return group_.options.stealing == Stealing::kTwoWaiting ? 2 : 1;
}

void Worker::make_ready(Fiber& fiber) {
  if (Scheduler::here() == this) {
    queue_.push(fiber);
  } else {
    remote_wakes_.fetch_add(1, std::memory_order_relaxed);
    post(fiber);
  }
}

void Worker::post(Fiber& fiber) {
  Fiber* head = inbox_.load(std::memory_order_relaxed);
  do {
    fiber.next_remote = head;
  } while (!inbox_.compare_exchange_weak(head, &fiber));
  wake();
}

bool Worker::wake() {
  // Sequentially consistent with sleep(): it says that it sleeps and then looks at the inbox, we
  // put something into the inbox and then look whether it sleeps.
  if (!asleep_.load() || !asleep_.exchange(false)) return false;
  boost::asio::post(io_, [] {});
  return true;
}

bool Worker::try_steal() {
  if (group_.options.stealing == Stealing::kNever) return false;
  const std::size_t count = group_.workers.size();
  for (std::size_t i = 1; i < count; ++i) {
    Worker& victim = *group_.workers[(index_ + i) % count];
    if (victim.serves_ != serves_) continue;
    if (Fiber* const fiber = victim.queue_.steal(steal_min())) {
      steals_.fetch_add(1, std::memory_order_relaxed);
      queue_.push(*fiber);
      return true;
    }
  }
  return false;
}

bool Worker::search() {
  if (try_steal()) return true;
  const Ticks until = read_ticks() + ticks_in(group_.options.poll);
  group_.searching.fetch_add(1);
  bool found = false;
  do {
    poll();
    found = has_work() || try_steal() || group_.stopping.load(std::memory_order_relaxed);
  } while (!found && read_ticks() < until);
  group_.searching.fetch_sub(1);
  return found;
}

void Worker::sleep() {
  asleep_.store(true);
  group_.sleeping.fetch_add(1);
  arm_ring_event();
  if (!has_work() && !group_.stopping.load() && !try_steal()) {
    const Instant next = timers().next();
    if (next == Instant::never()) {
      io_.run_one();
    } else {
      const Duration wait = next - clock().now();
      if (wait > Duration::zero()) io_.run_one_for(wait);
    }
  }
  group_.sleeping.fetch_sub(1);
  asleep_.store(false);
  poll();
}

void Worker::arm_ring_event() {
  if (ring_.in_flight() == 0 || ring_event_armed_) return;
  ring_event_armed_ = true;
  ring_event_->async_wait(boost::asio::posix::stream_descriptor::wait_read,
                          [this](const boost::system::error_code&) {
                            ring_event_armed_ = false;
                            ring_.clear_event();
                            // Only the first completion of several signals the event, and that
                            // signal is gone now: look before anyone sleeps on it.
                            ring_.reap();
                          });
}

Status Worker::checkpoint() {
  arm_checkpoint(kCheckEvery);
  COPPICE_ASSERT(current()->no_park == 0);
  COPPICE_TRY(check_current());
  const Ticks held = read_ticks() - stay_started();
  if (held > (has_work() ? quantum_contended_ : quantum_alone_)) suspend(Then::kReady);
  return {};
}

void Worker::posted_ended() {
  if (group_.posted.fetch_sub(1) == 1) group_.stop();
}

void Worker::report_stall(std::string_view name, Ticks held) {
  stalls_.fetch_add(1, std::memory_order_relaxed);
  if (stall_noted_.load(std::memory_order_relaxed)) return;  // the watchdog reports it
  if (group_.options.on_stall) group_.options.on_stall({name, duration_of(held), {}});
}

void Worker::set_running(bool running) {
  std::unique_lock lock(thread_mutex_);
  running_ = running;
  thread_ = ::pthread_self();
}

bool Worker::ask_for_sample(int signal) {
  std::unique_lock lock(thread_mutex_);
  if (!running_) return false;
  sample_.state.store(StallSample::kWanted);
  return ::pthread_kill(thread_, signal) == 0;
}

void Worker::note_stall(void* context) noexcept {
  const Fiber* const fiber = current();
  const Ticks started = stay_started();
  if (fiber == nullptr || started == 0 || sample_.state.load() != StallSample::kWanted) return;
  sample_.name_size = fiber->name.copy(sample_.name.data(), sample_.name.size());
  sample_.held = read_ticks() - started;
  sample_.frame_count =
      walk_frames(context, fiber->stack.bottom(), fiber->stack.top(), sample_.frames);
  stall_noted_.store(true, std::memory_order_relaxed);
  sample_.state.store(StallSample::kTaken);
}

void Worker::add_to(Metrics& metrics) const {
  const auto get = [](const std::atomic<std::uint64_t>& counter) {
    return counter.load(std::memory_order_relaxed);
  };
  metrics.fibers_live += get(spawned_) - get(ended_);
  metrics.fibers_ready += queue_.waiting();
  metrics.fibers_spawned_total += get(spawned_);
  metrics.switches_total += get(switches_);
  metrics.steals_total += get(steals_);
  metrics.remote_wakes_total += get(remote_wakes_);
  metrics.stalls_total += get(stalls_);
  metrics.timers_pending += get(timers_pending_);
}

WorkerGroup::WorkerGroup(ThreadOptions with, Runtime& owner)
    : options(std::move(with)), runtime(owner) {}

WorkerGroup::~WorkerGroup() = default;

void WorkerGroup::call_thief(const Worker& from, Priority priority) {
  if (searching.load() > 0) return;  // somebody is looking already
  for (const auto& worker : workers) {
    if (worker.get() == &from || !worker->serves(priority)) continue;
    if (worker->wake()) return;
  }
}

void WorkerGroup::stop() {
  stopping.store(true);
  for (const auto& worker : workers) worker->wake();
}

Worker& WorkerGroup::next_worker(Priority priority) {
  for (;;) {
    Worker& worker = *workers[turn.fetch_add(1, std::memory_order_relaxed) % workers.size()];
    if (worker.serves(priority)) return worker;
  }
}

}  // namespace coppice::fiber
