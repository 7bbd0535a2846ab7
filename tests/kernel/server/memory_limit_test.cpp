// memory_limit_test.cpp — limits of cgroup v1, v2 and the machine, on made-up /proc and /sys.
#include "kernel/server/memory_limit.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "kernel/base/bytes.h"
#include "tests/support/child_process.h"

namespace coppice {
namespace {

struct FakeRoot {
  TempDir dir;
  FakeRoot() { write("proc/meminfo", "MemTotal:       16777216 kB\nMemFree: 1 kB\n"); }
  void write(const std::string& path, std::string_view text) const {
    const std::filesystem::path file(dir / path);
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  std::uint64_t limit() const {
    const auto limit = memory_limit(dir.path());
    REQUIRE(limit);
    return *limit;
  }
};

TEST_CASE("without a cgroup it is the machine's memory") {
  const FakeRoot root;
  CHECK(root.limit() == 16_GiB);
  root.write("proc/self/cgroup", "0::/\n");
  CHECK(root.limit() == 16_GiB);
}

TEST_CASE("cgroup v2: the smallest limit along the path") {
  const FakeRoot root;
  root.write("proc/self/cgroup", "0::/slice/app\n");
  root.write("sys/fs/cgroup/slice/app/memory.max", "max\n");
  CHECK(root.limit() == 16_GiB);
  root.write("sys/fs/cgroup/slice/memory.max", "4294967296\n");
  CHECK(root.limit() == 4_GiB);
  root.write("sys/fs/cgroup/slice/app/memory.max", "268435456\n");
  CHECK(root.limit() == 256_MiB);
}

TEST_CASE("cgroup v2 in a container: the path is the host's, the limit stands at the root") {
  const FakeRoot root;
  root.write("proc/self/cgroup", "0::/docker/0123456789ab\n");
  root.write("sys/fs/cgroup/memory.max", "1073741824\n");
  CHECK(root.limit() == 1_GiB);
}

TEST_CASE("cgroup v1: the memory controller, alone or among others") {
  for (const char* line : {"7:memory:/app\n", "3:cpu,memory:/app\n"}) {
    const FakeRoot root;
    root.write("proc/self/cgroup", std::string("9:cpuset:/other\n") + line + "0::/\n");
    root.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    CHECK(root.limit() == 16_GiB);
    root.write("sys/fs/cgroup/memory/app/memory.limit_in_bytes", "2147483648\n");
    CHECK(root.limit() == 2_GiB);
  }
}

TEST_CASE("a limit above the machine's memory does not count") {
  const FakeRoot root;
  root.write("proc/self/cgroup", "0::/app\n");
  root.write("sys/fs/cgroup/app/memory.max", "99999999999999\n");
  CHECK(root.limit() == 16_GiB);
}

TEST_CASE("files that say nonsense are as if absent; without any there is an error") {
  const FakeRoot root;
  root.write("proc/self/cgroup", "nonsense\n0::\n:\n1:memory\n0::/app\n");
  root.write("sys/fs/cgroup/app/memory.max", "many\n");
  CHECK(root.limit() == 16_GiB);
  root.write("proc/meminfo", "MemTotal: lots\n");
  const auto limit = memory_limit(root.dir.path());
  REQUIRE_FALSE(limit);
  CHECK(limit.error().code() == Code::kNotFound);
}

TEST_CASE("this machine has a limit, and the default total is three quarters of it") {
  const auto limit = memory_limit();
  REQUIRE(limit);
  CHECK(*limit > 64_MiB);
  CHECK(memory_total_of(4_GiB) == 3_GiB);
  CHECK(memory_total_of(UINT64_MAX) > UINT64_MAX / 2);
}

}  // namespace
}  // namespace coppice
