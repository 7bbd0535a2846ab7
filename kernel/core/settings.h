// settings.h — the kernel's own config sections: [kernel] [memory] [server] [log] [fiber].
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/core/config.h"
#include "kernel/core/log.h"
#include "kernel/fiber/thread_runtime.h"

namespace coppice {

struct KernelSection {
  std::vector<std::string> modules;
  Duration stop_timeout = 10s;
  static void describe(Fields<KernelSection>& f);
};

struct MemorySection {
  std::optional<Size> total;
  static void describe(Fields<MemorySection>& f);
};

struct ServerSection {
  std::string data_dir = "data";
  static void describe(Fields<ServerSection>& f);
};

struct LogSection {
  LogLevel level = LogLevel::kInfo;
  std::string file;
  std::uint32_t queue_records = 4096;
  static void describe(Fields<LogSection>& f);
};

struct LaneSection {
  std::optional<unsigned> dedicated_threads;
  static void describe(Fields<LaneSection>& f);
};

struct FiberSection {
  std::optional<unsigned> workers;
  fiber::Stealing stealing = fiber::Stealing::kTwoWaiting;
  Duration poll = 5us;
  unsigned helpers = 4;
  fiber::DiskEngine disk = fiber::DiskEngine::kRing;
  Duration stall = 10ms;
  std::map<std::string, LaneSection> lanes;
  static void describe(Fields<FiberSection>& f);
  static void check(const FiberSection& config, Complaints& complaints);
};

struct Settings {
  KernelSection kernel;
  MemorySection memory;
  ServerSection server;
  LogSection log;
  FiberSection fiber;
};

// The sections above by name, for decoding, the reference page and --explain.
struct SettingsSection {
  std::string_view name;
  std::string_view summary;
  std::shared_ptr<const FieldTable> table;
  void* (*in)(Settings& settings);
};
std::vector<SettingsSection> settings_sections();

// `cores` is what the process may use; big machines get threads of their own for a lane on "auto".
fiber::ThreadOptions to_thread_options(const FiberSection& config, unsigned cores);

}  // namespace coppice
