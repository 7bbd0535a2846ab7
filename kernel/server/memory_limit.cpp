// memory_limit.cpp — reading /proc/self/cgroup, the limits along its path, and /proc/meminfo.
#include "kernel/server/memory_limit.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>
#include <string_view>

namespace coppice {

namespace {

std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || rest == text.data()) return {};
  return value;
}

// The number in a limit file; none when it is absent or says "max".
std::optional<std::uint64_t> read_limit(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) return {};
  return parse_number(line);
}

// The smallest limit from `path` up to the mount's root. A path of the host that the container does
// not see has no files; its parents may.
std::uint64_t smallest_limit(const std::string& mount, std::string path, const char* file,
                             std::uint64_t smallest) {
  for (;;) {
    const auto limit = read_limit(mount + path + "/" + file);
    smallest = std::min(smallest, limit.value_or(smallest));
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos) return smallest;
    path.resize(slash);
  }
}

std::optional<std::uint64_t> machine_memory(const std::string& root) {
  constexpr std::string_view kTotal = "MemTotal:";
  std::ifstream file(root + "/proc/meminfo");
  for (std::string line; std::getline(file, line);) {  // "MemTotal:       16315204 kB"
    if (!line.starts_with(kTotal)) continue;
    const std::size_t digit = line.find_first_of("0123456789");
    if (digit == std::string::npos) return {};
    const auto kib = parse_number(std::string_view(line).substr(digit));
    if (!kib || *kib > (UINT64_MAX >> 10)) return {};
    return *kib << 10;
  }
  return {};
}

bool names_memory(std::string_view controllers) {  // "cpu,memory"
  for (;;) {
    const std::size_t comma = controllers.find(',');
    if (controllers.substr(0, comma) == "memory") return true;
    if (comma == std::string_view::npos) return false;
    controllers.remove_prefix(comma + 1);
  }
}

}  // namespace

Result<std::uint64_t> memory_limit(const std::string& root) {
  const auto machine = machine_memory(root);
  std::uint64_t limit = machine.value_or(UINT64_MAX);
  std::ifstream cgroups(root + "/proc/self/cgroup");
  for (std::string line; std::getline(cgroups, line);) {  // "0::/app" or "7:cpu,memory:/app"
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string path = line.substr(second + 1);
    if (controllers.empty()) {
      limit = smallest_limit(root + "/sys/fs/cgroup", path, "memory.max", limit);
    } else if (names_memory(controllers)) {
      limit = smallest_limit(root + "/sys/fs/cgroup/memory", path, "memory.limit_in_bytes", limit);
    }
  }
  if (limit == UINT64_MAX) {
    return fail(Code::kNotFound,
                "neither /proc/meminfo nor a cgroup says how much memory there is");
  }
  return limit;
}

}  // namespace coppice
