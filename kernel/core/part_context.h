// part_context.h — what the kernel hands to a part while it is created: everything that is not
// deterministic, and everything that is reported.
//
// Role:     the only way to the runtime (clock, network, disk, fibers), randomness, log, metrics.
// Owns:     nothing but its names; every reference outlives the part.
// Threads:  the boot fiber; what it refers to says for itself.   Parks: never.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "kernel/base/random.h"
#include "kernel/base/time.h"
#include "kernel/core/log.h"

namespace coppice {

namespace fiber {
class Runtime;  // kernel/fiber/runtime.h
}
class Metrics;  // kernel/core/metrics.h
class Tracer;   // kernel/core/trace.h

// What parts share; the kernel fills it once.
struct KernelServices {
  fiber::Runtime& runtime;
  const Clock& clock;
  LogHub& logs;
  Metrics& metrics;
  Tracer& tracer;
  std::uint64_t seed;          // of all randomness
  std::uint64_t memory_total;  // the one number that all sizes derive from (DESIGN.md section 6)
  std::string data_dir;        // what a part keeps lives in a folder below, named for the part
};

class PartContext {
 public:
  // `name` is "lsm" or "vfs.data".
  PartContext(const KernelServices& kernel, std::string name)
      : kernel_(kernel), name_(std::move(name)), log_(kernel.logs, name_) {}
  PartContext(const PartContext&) = delete;
  PartContext& operator=(const PartContext&) = delete;

  std::string_view name() const { return name_; }
  fiber::Runtime& runtime() const { return kernel_.runtime; }
  const Clock& clock() const { return kernel_.clock; }
  const Log& log() const { return log_; }  // as long-lived as the part
  Metrics& metrics() const { return kernel_.metrics; }
  Tracer& tracer() const { return kernel_.tracer; }
  std::uint64_t memory_total() const { return kernel_.memory_total; }
  const std::string& data_dir() const { return kernel_.data_dir; }

  // A generator of this part's own. What it gives depends on the seed, the name and `purpose`, and
  // not on which other parts there are or asked before.
  Rng rng(std::string_view purpose = "") const;

 private:
  const KernelServices& kernel_;
  std::string name_;
  Log log_;
};

}  // namespace coppice
