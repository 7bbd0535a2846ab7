// disk_ring.cpp — io_uring, driven by the worker's loop.
#include "kernel/fiber/disk_ring.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <vector>

#include "kernel/base/assert.h"
#include "kernel/fiber/disk_io.h"
#include "kernel/fiber/worker.h"

namespace coppice::fiber {

DiskRing::~DiskRing() {
  if (!is_open()) return;
  COPPICE_ASSERT(in_flight_ == 0);
  ::io_uring_queue_exit(&ring_);
  ::close(event_fd_);
}

int DiskRing::probe() {
  io_uring ring{};
  const int result = ::io_uring_queue_init(2, &ring, kFlags);
  if (result < 0) return -result;
  ::io_uring_queue_exit(&ring);
  return 0;
}

int DiskRing::open() {
  if (const int result = ::io_uring_queue_init(kEntries, &ring_, kFlags); result < 0)
    return -result;
  event_fd_ = ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  const int os_errno = errno;
  if (event_fd_ < 0) {
    ::io_uring_queue_exit(&ring_);
    return os_errno;
  }
  const int result = ::io_uring_register_eventfd(&ring_, event_fd_);
  COPPICE_ASSERT(result == 0);
  return 0;
}

io_uring_sqe* DiskRing::next(DiskOp& op) {
  io_uring_sqe* sqe = ::io_uring_get_sqe(&ring_);
  while (sqe == nullptr) {
    submit();
    sqe = ::io_uring_get_sqe(&ring_);
  }
  ++unsubmitted_;
  ::io_uring_sqe_set_data(sqe, &op);
  return sqe;
}

void DiskRing::read(DiskOp& op, int fd, std::uint64_t offset, MutableByteView into) {
  io_uring_sqe* const sqe = next(op);
  ::io_uring_prep_read(sqe, fd, into.data(), static_cast<unsigned>(into.size()), offset);
  ::io_uring_sqe_set_data(sqe, &op);  // the prep functions clear it
}

void DiskRing::write(DiskOp& op, int fd, std::uint64_t offset, const iovec* parts, unsigned count,
                     int rwf_flags) {
  io_uring_sqe* const sqe = next(op);
  ::io_uring_prep_writev2(sqe, fd, parts, count, offset, rwf_flags);
  ::io_uring_sqe_set_data(sqe, &op);
}

void DiskRing::sync(DiskOp& op, int fd, bool data_only) {
  io_uring_sqe* const sqe = next(op);
  ::io_uring_prep_fsync(sqe, fd, data_only ? IORING_FSYNC_DATASYNC : 0);
  ::io_uring_sqe_set_data(sqe, &op);
}

void DiskRing::submit() {
  while (unsubmitted_ > 0) {
    const int submitted = ::io_uring_submit(&ring_);
    if (submitted > 0) {
      unsubmitted_ -= static_cast<unsigned>(submitted);
      in_flight_ += static_cast<std::size_t>(submitted);
    } else {
      // Too much has completed that was not looked at yet, or the kernel is short of memory.
      COPPICE_ASSERT(submitted == 0 || submitted == -EBUSY || submitted == -EAGAIN ||
                     submitted == -EINTR);
      if (reap() == 0 && in_flight_ == 0) return;
    }
  }
}

std::size_t DiskRing::reap() {
  if (in_flight_ == 0) return 0;
  ::io_uring_get_events(&ring_);  // DEFER_TASKRUN: completions are posted in here
  std::size_t count = 0;
  unsigned head = 0;
  io_uring_cqe* cqe = nullptr;
  io_uring_for_each_cqe(&ring_, head, cqe) {
    DiskOp& op = *static_cast<DiskOp*>(::io_uring_cqe_get_data(cqe));
    op.result = cqe->res;
    ++count;
    if (--op.batch->remaining == 0) unpark(op.batch->ticket);
  }
  ::io_uring_cq_advance(&ring_, static_cast<unsigned>(count));
  in_flight_ -= count;
  return count;
}

void DiskRing::clear_event() {
  std::uint64_t count = 0;
  if (::read(event_fd_, &count, sizeof count) < 0) return;  // it was clear
}

namespace {
// Runs one operation to its end; bytes or -errno.
template <class Prepare>
int run_one(Prepare prepare) {
  DiskBatch batch{prepare_park(), 1};
  DiskOp op{&batch};
  prepare(Worker::here().ring(), op);
  park_shielded(batch.ticket);
  return op.result;
}
}  // namespace

Status RingDisk::read(std::span<DiskRead> reads) {
  COPPICE_ASSERT(reads.size() <= kDiskBatchMax);
  reset(reads);
  std::array<DiskOp, 16> few;
  std::vector<DiskOp> many(reads.size() > few.size() ? reads.size() : 0);
  const std::span<DiskOp> ops = many.empty() ? std::span(few).first(reads.size()) : std::span(many);
  std::vector<std::size_t> again;  // nearly always stays empty
  DiskRing& ring = Worker::here().ring();
  if (reads.empty()) return {};
  DiskBatch batch{prepare_park(), reads.size()};
  for (std::size_t i = 0; i < reads.size(); ++i) {
    ops[i] = {&batch};
    ring.read(ops[i], reads[i].fd, reads[i].offset, reads[i].into);
  }
  park_shielded(batch.ticket);
  for (std::size_t i = 0; i < reads.size(); ++i)
    if (continue_read(reads[i], ops[i].result)) again.push_back(i);
  while (!again.empty()) {
    batch = {prepare_park(), again.size()};
    for (const std::size_t i : again)
      ring.read(ops[i], reads[i].fd, reads[i].offset + reads[i].bytes, rest_of(reads[i]));
    park_shielded(batch.ticket);
    std::erase_if(again, [&](std::size_t i) { return !continue_read(reads[i], ops[i].result); });
  }
  return first_error(reads);
}

Status RingDisk::write(const DiskWrite& write) {
  WriteCursor cursor(write);
  while (!cursor.done()) {
    const int result = run_one([&](DiskRing& ring, DiskOp& op) {
      ring.write(op, write.fd, cursor.offset(), cursor.parts(), cursor.count(),
                 write.durable ? RWF_DSYNC : 0);
    });
    if (result == -EINTR || result == -EAGAIN) continue;
    if (result < 0) return write_error(-result);
    if (result == 0) return write_error(EIO);
    cursor.advance(static_cast<std::size_t>(result));
  }
  return {};
}

Status RingDisk::sync(int fd, DiskSync what) {
  const int result =
      run_one([&](DiskRing& ring, DiskOp& op) { ring.sync(op, fd, what == DiskSync::kData); });
  if (result < 0) return sync_error(-result);
  return {};
}

}  // namespace coppice::fiber
