// worker.h — one OS thread of ThreadRuntime and its loop.
//
// Role:     run ready fibers by priority → now and then, and when none is ready: take the inbox,
// fire
//           timers, submit and reap disk requests, poll sockets → steal a start → poll a little
//           longer → sleep in the io_context.
// Owns:     its run queue, io_context, disk ring.
// Threads:  its own, except make_ready(), post() and wake(), which any may call.
// Parks:    never (its fibers do).
#pragma once

#include <pthread.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <memory>
#include <optional>
#include <vector>

#include "kernel/fiber/disk_ring.h"
#include "kernel/fiber/helper_pool.h"
#include "kernel/fiber/run_queue.h"
#include "kernel/fiber/scheduler.h"
#include "kernel/fiber/thread_runtime.h"
#include "kernel/fiber/watchdog.h"

namespace coppice::fiber {

class Worker;

// What the workers of one runtime share.
struct WorkerGroup {
  WorkerGroup(ThreadOptions with, Runtime& owner);
  ~WorkerGroup();
  WorkerGroup(const WorkerGroup&) = delete;
  WorkerGroup& operator=(const WorkerGroup&) = delete;

  // Wakes one sleeping worker that could take a start of `priority` from `from`.
  void call_thief(const Worker& from, Priority priority);
  void stop();                             // all workers leave their loops
  Worker& next_worker(Priority priority);  // round robin among those that serve it

  const ThreadOptions options;
  Runtime& runtime;
  SystemClock clock;
  FiberPool fibers;
  StackPool stacks;
  std::vector<std::unique_ptr<Worker>> workers;
  std::atomic<bool> stopping = false;
  std::atomic<std::size_t> posted = 0;  // fibers of run() and post() that have not ended
  std::atomic<unsigned> sleeping = 0;   // workers in the io_context
  std::atomic<unsigned> searching = 0;  // workers that poll before they sleep
  std::atomic<unsigned> turn = 0;       // of next_worker()
};

class Worker final : public Scheduler {
 public:
  // `serves`: bit i is set when it runs fibers of priority i.
  Worker(WorkerGroup& group, unsigned index, unsigned serves);
  ~Worker() override;

  static Worker& here();  // of the calling thread; must be one

  void loop(Fiber* first);  // until the group stops; `first` may be null

  void start(Fiber& fiber) override;
  Status checkpoint() override;

  void make_ready(Fiber& fiber) override;
  void post(Fiber& fiber);  // to be started or resumed here
  bool wake();              // false: it was not asleep
  // Runs `fn` on this worker's thread: now when that is the caller's, else soon.
  template <class Fn>
  void run_here(Fn fn);

  boost::asio::io_context& io() { return io_; }
  DiskRing& ring() { return ring_; }
  unsigned index() const { return index_; }
  bool serves(Priority priority) const { return (serves_ >> static_cast<unsigned>(priority)) & 1; }
  void add_to(Metrics& metrics) const;

  // --- for the watchdog ---
  bool ask_for_sample(int signal);          // from its thread; false: this one runs no more
  void note_stall(void* context) noexcept;  // in the signal's handler, on this thread
  StallSample& stall_sample() { return sample_; }

 protected:
  void ready_again(Fiber& fiber) override { queue_.push(fiber); }
  void posted_ended() override;

 private:
  void run_one(Fiber& fiber);
  void poll();
  bool take_inbox();
  bool try_steal();
  bool search();  // true: found something
  void sleep();
  bool has_work() const { return !queue_.empty() || inbox_.load() != nullptr; }
  std::size_t steal_min() const;
  void arm_ring_event();
  void set_running(bool running);
  void report_stall(std::string_view name, Ticks held);

  WorkerGroup& group_;
  const unsigned index_;
  const unsigned serves_;
  const Ticks poll_every_;
  const Ticks quantum_contended_;
  const Ticks quantum_alone_;
  const Ticks stall_;
  RunQueue queue_;
  std::atomic<Fiber*> inbox_ = nullptr;  // a stack, newest first
  std::atomic<bool> asleep_ = false;
  Ticks last_poll_ = 0;
  boost::asio::io_context io_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> keep_{
      io_.get_executor()};
  DiskRing ring_;
  std::optional<boost::asio::posix::stream_descriptor> ring_event_;
  bool ring_event_armed_ = false;
  std::mutex thread_mutex_;  // guards running_
  bool running_ = false;
  pthread_t thread_{};
  StallSample sample_;
  std::atomic<bool> stall_noted_ = false;  // in the current stay
  std::atomic<std::uint64_t> steals_ = 0;
  std::atomic<std::uint64_t> remote_wakes_ = 0;
  std::atomic<std::uint64_t> stalls_ = 0;
  std::atomic<std::uint64_t> timers_pending_ = 0;
};

}  // namespace coppice::fiber

#include <boost/asio/post.hpp>

namespace coppice::fiber {

template <class Fn>
void Worker::run_here(Fn fn) {
  if (Scheduler::here() == this) return fn();
  boost::asio::post(io_, std::move(fn));
}

}  // namespace coppice::fiber
