// settings.cpp — the rows of the kernel's own config sections.
#include "kernel/core/settings.h"

#include <algorithm>

#include "kernel/base/bytes.h"
#include "kernel/base/names.h"

namespace coppice {

namespace {

constexpr unsigned kBigMachineCores = 8;  // from here on the log lane gets a thread of its own

std::vector<std::string_view> lane_names() {
  std::vector<std::string_view> names;
  for (const fiber::Lane& lane : fiber::kLanes) names.push_back(lane.name);
  return names;
}

}  // namespace

void KernelSection::describe(Fields<KernelSection>& f) {
  f.value("modules", &KernelSection::modules, "The modules to run, in any order.");
  f.value("stop_timeout", &KernelSection::stop_timeout,
          "How long an orderly stop may take; what is not done by then is dropped, as in a crash.")
      .range(10ms, 10min);
}

void MemorySection::describe(Fields<MemorySection>& f) {
  f.value(
       "total", &MemorySection::total,
       "The memory that the process may use; all other sizes derive from it. \"auto\" is 75 % of "
       "what the cgroup or the machine allows.")
      .range(64_MiB, 64_TiB)
      .flag("memory");
}

void ServerSection::describe(Fields<ServerSection>& f) {
  f.value("data_dir", &ServerSection::data_dir, "Where everything is kept; made when absent.")
      .must("not be empty", [](const std::string& path) { return !path.empty(); })
      .flag("data");
}

void LogSection::describe(Fields<LogSection>& f) {
  f.choice("level", &LogSection::level,
           {{"trace", LogLevel::kTrace},
            {"debug", LogLevel::kDebug},
            {"info", LogLevel::kInfo},
            {"warn", LogLevel::kWarn},
            {"error", LogLevel::kError},
            {"off", LogLevel::kOff}},
           "The lowest level that is written.");
  f.value("file", &LogSection::file, "Where to; empty is standard error.");
  f.value("queue_records", &LogSection::queue_records,
          "Records that wait for the disk at most; past that the oldest are dropped and counted.")
      .range(64, 65536);
}

void LaneSection::describe(Fields<LaneSection>& f) {
  f.value("dedicated_threads", &LaneSection::dedicated_threads,
          "Threads that only this lane runs on, beside the shared workers. \"auto\" is one for the "
          "lane log on 8 cores and more, else none.")
      .range(0, 64);
}

void FiberSection::describe(Fields<FiberSection>& f) {
  using fiber::DiskEngine;
  using fiber::Stealing;
  f.value("workers", &FiberSection::workers,
          "Worker threads. \"auto\" is one for each core that the process may use.")
      .range(1, 1024);
  f.choice("stealing", &FiberSection::stealing,
           {{"never", Stealing::kNever},
            {"always", Stealing::kAlways},
            {"two_waiting", Stealing::kTwoWaiting}},
           "When an idle worker takes a fiber that has not started from another worker.");
  f.value("poll", &FiberSection::poll, "How long an idle worker polls before it sleeps.")
      .range(0ns, 10ms);
  f.value("helpers", &FiberSection::helpers, "Threads for calls that block; started when needed.")
      .range(1, 256);
  f.choice("disk", &FiberSection::disk,
           {{"ring", DiskEngine::kRing}, {"threads", DiskEngine::kThreads}},
           "How files are read and written: io_uring, or helper threads where it is forbidden.");
  f.value("stall", &FiberSection::stall,
          "A fiber that holds its thread longer is reported with its stack; 0 is off.")
      .range(0ns, 1h);
  f.sections("lanes", &FiberSection::lanes, "Lanes: log, query, flush, background.");
}

void FiberSection::check(const FiberSection& config, Complaints& complaints) {
  const std::vector<std::string_view> names = lane_names();
  for (const auto& [name, lane] : config.lanes) {
    if (std::ranges::find(names, name) == names.end()) {
      complaints.add("lanes", "no lane \"" + name + "\"; lanes are: " + join_names(names));
    }
  }
}

std::vector<SettingsSection> settings_sections() {
  return {
      {"kernel", "What runs.", describe_config<KernelSection>(),
       [](Settings& s) -> void* { return &s.kernel; }},
      {"memory", "The one number that sizes derive from.", describe_config<MemorySection>(),
       [](Settings& s) -> void* { return &s.memory; }},
      {"server", "Where data is kept.", describe_config<ServerSection>(),
       [](Settings& s) -> void* { return &s.server; }},
      {"log", "What is said, and where to.", describe_config<LogSection>(),
       [](Settings& s) -> void* { return &s.log; }},
      {"fiber", "Threads and scheduling.", describe_config<FiberSection>(),
       [](Settings& s) -> void* { return &s.fiber; }},
  };
}

fiber::ThreadOptions to_thread_options(const FiberSection& config, unsigned cores) {
  fiber::ThreadOptions options;
  options.workers = config.workers.value_or(cores);
  options.stealing = config.stealing;
  options.poll = config.poll;
  options.helpers = config.helpers;
  options.disk = config.disk;
  options.stall = config.stall;
  for (fiber::Lane& lane : options.lanes) {
    const bool big = cores >= kBigMachineCores && lane.priority == fiber::Priority::kLog;
    const auto said = config.lanes.find(std::string(lane.name));
    const auto threads = said == config.lanes.end() ? std::nullopt : said->second.dedicated_threads;
    lane.dedicated_threads = threads.value_or(big ? 1U : 0U);
  }
  return options;
}

}  // namespace coppice
