// thread_runtime.cpp — puts workers, network, disk and helpers together.
#include "kernel/fiber/thread_runtime.h"

#include <sys/random.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <thread>
#include <vector>

#include "kernel/base/assert.h"
#include "kernel/fiber/asio_net.h"
#include "kernel/fiber/disk_ring.h"
#include "kernel/fiber/disk_threads.h"
#include "kernel/fiber/helper_pool.h"
#include "kernel/fiber/worker.h"

namespace coppice::fiber {

namespace {

constexpr unsigned kAllLanes = (1U << kPriorityCount) - 1;

unsigned cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
}

std::unique_ptr<Disk> make_disk(DiskEngine wanted, HelperPool& helpers) {
  if (wanted != DiskEngine::kRing) return std::make_unique<ThreadDisk>(helpers, std::string());
  const int os_errno = DiskRing::probe();
  if (os_errno == 0) return std::make_unique<RingDisk>();
  return std::make_unique<ThreadDisk>(
      helpers, std::string("io_uring is refused: ") + ::strerrordesc_np(os_errno));
}

std::uint64_t system_seed() {
  std::uint64_t seed = 0;
  const ssize_t got = ::getrandom(&seed, sizeof seed, 0);
  COPPICE_ASSERT(got == sizeof seed);  // never short below 256 bytes
  return seed;
}

struct BlockingJob : HelperJob {
  ParkTicket ticket;
  Entry* entry = nullptr;
};

}  // namespace

class ThreadRuntime::Core {
 public:
  Core(ThreadOptions options, Runtime& owner)
      : group(std::move(options), owner),
        helpers(std::max(1U, group.options.helpers)),
        disk(make_disk(group.options.disk, helpers)),
        net(group),
        rng(group.options.seed != 0 ? group.options.seed : system_seed()) {
    unsigned dedicated = 0;
    for (const Lane& lane : group.options.lanes)
      if (lane.dedicated_threads > 0) dedicated |= 1U << static_cast<unsigned>(lane.priority);
    COPPICE_ASSERT(dedicated != kAllLanes);
    const unsigned shared = group.options.workers != 0 ? group.options.workers : cores();
    for (unsigned i = 0; i < shared; ++i) add_worker(kAllLanes & ~dedicated);
    for (const Lane& lane : group.options.lanes)
      for (unsigned i = 0; i < lane.dedicated_threads; ++i)
        add_worker(1U << static_cast<unsigned>(lane.priority));
  }

  WorkerGroup group;
  HelperPool helpers;
  std::unique_ptr<Disk> disk;
  AsioNet net;
  std::mutex rng_mutex;
  Rng rng;
  std::atomic<std::uint64_t> posted_total = 0;
  std::atomic<bool> running = false;

 private:
  void add_worker(unsigned serves) {
    const auto index = static_cast<unsigned>(group.workers.size());
    group.workers.push_back(std::make_unique<Worker>(group, index, serves));
  }
};

ThreadRuntime::ThreadRuntime(ThreadOptions options)
    : core_(std::make_unique<Core>(std::move(options), *this)) {}

ThreadRuntime::~ThreadRuntime() = default;

Status ThreadRuntime::run(Entry main) {
  COPPICE_ASSERT(!core_->running.exchange(true));
  WorkerGroup& group = core_->group;
  group.posted.store(1);
  Fiber& first = group.fibers.take_one();
  first.prepare({.name = "main", .home = true}, std::move(main), nullptr);
  first.posted = true;
  core_->posted_total.fetch_add(1);
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < group.workers.size(); ++i)
    threads.emplace_back([worker = group.workers[i].get()] { worker->loop(nullptr); });
  std::optional<Watchdog> watchdog;
  if (group.options.stall > Duration::zero() && group.options.on_stall) watchdog.emplace(group);
  group.workers[0]->loop(&first);
  watchdog.reset();
  for (std::thread& thread : threads) thread.join();
  return {};
}

void ThreadRuntime::post(Options options, Entry entry) {
  WorkerGroup& group = core_->group;
  const std::size_t before = group.posted.fetch_add(1);
  COPPICE_ASSERT(before > 0);  // run() is over, or has not begun
  Fiber& fiber = group.fibers.take_one();
  fiber.prepare(options, std::move(entry), nullptr);
  fiber.posted = true;
  core_->posted_total.fetch_add(1);
  group.next_worker(options.priority).post(fiber);
}

Clock& ThreadRuntime::clock() {
  return core_->group.clock;
}
Net& ThreadRuntime::net() {
  return core_->net;
}
Disk& ThreadRuntime::disk() {
  return *core_->disk;
}
unsigned ThreadRuntime::worker_count() const {
  return static_cast<unsigned>(core_->group.workers.size());
}

Rng ThreadRuntime::fork_rng() {
  std::unique_lock lock(core_->rng_mutex);
  return core_->rng.fork();
}

Metrics ThreadRuntime::metrics() const {
  const WorkerGroup& group = core_->group;
  Metrics metrics;
  metrics.fibers_spawned_total = core_->posted_total.load();
  metrics.fibers_live = core_->posted_total.load();
  for (const auto& worker : group.workers) worker->add_to(metrics);
  metrics.stacks_mapped = group.stacks.mapped();
  metrics.stacks_idle = group.stacks.idle();
  metrics.stack_high_water_bytes = group.stacks.high_water_bytes();
  return metrics;
}

void ThreadRuntime::run_on_helper(Entry job) {
  BlockingJob blocking;
  blocking.ticket = prepare_park();
  blocking.entry = &job;
  blocking.run = [](HelperJob& base) noexcept {
    BlockingJob& self = static_cast<BlockingJob&>(base);
    (*self.entry)();
    unpark(ParkTicket(self.ticket));
  };
  core_->helpers.submit(blocking);
  park_shielded(blocking.ticket);
}

}  // namespace coppice::fiber
