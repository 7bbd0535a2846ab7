// disk_threads.cpp — blocking calls on helper threads.
#include "kernel/fiber/disk_threads.h"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <vector>

#include "kernel/base/assert.h"
#include "kernel/fiber/disk_io.h"
#include "kernel/fiber/park.h"

namespace coppice::fiber {

namespace {

// One call of a fiber, done by one or more helpers; the last one wakes it.
struct Waiting {
  ParkTicket ticket;
  std::atomic<std::size_t> remaining;
  void done() {
    const ParkTicket waiter = ticket;  // the fiber may be gone after the decrement
    if (remaining.fetch_sub(1, std::memory_order_acq_rel) == 1) unpark(waiter);
  }
};

struct ReadJob : HelperJob {
  Waiting* waiting = nullptr;
  std::span<DiskRead> reads;
};

void run_reads(HelperJob& base) noexcept {
  ReadJob& job = static_cast<ReadJob&>(base);
  for (DiskRead& read : job.reads) {
    ssize_t result = 0;
    do {
      const MutableByteView into = rest_of(read);
      result =
          ::pread(read.fd, into.data(), into.size(), static_cast<off_t>(read.offset + read.bytes));
      if (result < 0) result = -errno;
    } while (continue_read(read, static_cast<int>(result)));
  }
  job.waiting->done();
}

template <class Call>
struct CallJob : HelperJob {
  Waiting* waiting = nullptr;
  Call* call = nullptr;
  static void run_it(HelperJob& base) noexcept {
    CallJob& job = static_cast<CallJob&>(base);
    (*job.call)();
    job.waiting->done();
  }
};

template <class Call>
void run_on(HelperPool& helpers, Call call) {
  Waiting waiting{prepare_park(), 1};
  CallJob<Call> job;
  job.run = &CallJob<Call>::run_it;
  job.waiting = &waiting;
  job.call = &call;
  helpers.submit(job);
  park_shielded(waiting.ticket);
}

}  // namespace

Status ThreadDisk::read(std::span<DiskRead> reads) {
  COPPICE_ASSERT(reads.size() <= kDiskBatchMax);
  if (reads.empty()) return {};
  reset(reads);
  const std::size_t count = std::min<std::size_t>(reads.size(), helpers_.threads_max());
  std::vector<ReadJob> jobs(count);
  Waiting waiting{prepare_park(), count};
  std::size_t begin = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t end = reads.size() * (i + 1) / count;
    jobs[i].run = &run_reads;
    jobs[i].waiting = &waiting;
    jobs[i].reads = reads.subspan(begin, end - begin);
    helpers_.submit(jobs[i]);
    begin = end;
  }
  park_shielded(waiting.ticket);
  return first_error(reads);
}

Status ThreadDisk::write(const DiskWrite& write) {
  int failed = 0;
  run_on(helpers_, [&] {
    WriteCursor cursor(write);
    while (!cursor.done() && failed == 0) {
      const ssize_t written =
          ::pwritev2(write.fd, cursor.parts(), static_cast<int>(cursor.count()),
                     static_cast<off_t>(cursor.offset()), write.durable ? RWF_DSYNC : 0);
      const int os_errno = errno;
      if (written > 0) {
        cursor.advance(static_cast<std::size_t>(written));
      } else if (written == 0) {
        failed = EIO;
      } else if (os_errno != EINTR && os_errno != EAGAIN) {
        failed = os_errno;
      }
    }
  });
  if (failed != 0) return write_error(failed);
  return {};
}

Status ThreadDisk::sync(int fd, DiskSync what) {
  int failed = 0;
  run_on(helpers_, [&] {
    const int result = what == DiskSync::kData ? ::fdatasync(fd) : ::fsync(fd);
    if (result != 0) failed = errno;
  });
  if (failed != 0) return sync_error(failed);
  return {};
}

}  // namespace coppice::fiber
