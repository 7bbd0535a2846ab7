// helper_pool.cpp — threads that wait for jobs.
#include "kernel/fiber/helper_pool.h"

namespace coppice::fiber {

HelperPool::~HelperPool() {
  {
    std::unique_lock lock(mutex_);
    stopping_ = true;
  }
  wanted_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void HelperPool::submit(HelperJob& job) {
  std::unique_lock lock(mutex_);
  job.next = nullptr;
  (last_ != nullptr ? last_->next : first_) = &job;
  last_ = &job;
  if (idle_ > 0) {
    wanted_.notify_one();
  } else if (threads_.size() < threads_max_) {
    threads_.emplace_back([this] { work(); });
  }
}

void HelperPool::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    while (first_ == nullptr) {
      if (stopping_) return;
      ++idle_;
      wanted_.wait(lock);
      --idle_;
    }
    HelperJob& job = *first_;
    first_ = job.next;
    if (first_ == nullptr) last_ = nullptr;
    lock.unlock();
    job.run(job);
    lock.lock();
  }
}

}  // namespace coppice::fiber
