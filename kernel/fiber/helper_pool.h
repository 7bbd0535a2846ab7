// helper_pool.h — a few OS threads for calls that block.
//
// Owns:     its threads, started when first needed and joined by the destructor.
// Threads:  submit() any.
// Parks:    never; whoever submits from a fiber parks itself.
// Holds:    the queue is bounded by the fibers that wait in it: a job lives on its fiber's stack.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace coppice::fiber {

struct HelperJob {
  void (*run)(HelperJob&) noexcept = nullptr;  // the job may be gone when this returns
  HelperJob* next = nullptr;
};

class HelperPool {
 public:
  explicit HelperPool(unsigned threads_max) : threads_max_(threads_max) {}
  ~HelperPool();  // finishes what was submitted
  HelperPool(const HelperPool&) = delete;
  HelperPool& operator=(const HelperPool&) = delete;

  void submit(HelperJob& job);
  unsigned threads_max() const { return threads_max_; }

 private:
  void work();

  const unsigned threads_max_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable wanted_;
  HelperJob* first_ = nullptr;
  HelperJob* last_ = nullptr;
  unsigned idle_ = 0;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace coppice::fiber
