// server.h — boot phases 3 to 5 on the real runtime, from a plan to the end of the process.
//
// Owns:     log, metrics, tracer, runtime and all parts while it runs.
// Threads:  called by main(); blocks until the server has stopped.
#pragma once

#include <cstdint>

#include "kernel/base/result.h"
#include "kernel/core/boot_plan.h"

namespace coppice {

// Runs until SIGTERM or SIGINT. An error has been logged when it is returned.
Status run_server(BootPlan plan, std::uint64_t memory_total);

}  // namespace coppice
