// disk_test.cpp — both engines read, write and sync alike.
#include "kernel/fiber/disk.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include "kernel/base/random.h"
#include "kernel/fiber/os_error.h"
#include "tests/kernel/fiber/runtimes.h"

namespace coppice::fiber {

namespace {

class TemporaryFile {
 public:
  TemporaryFile() : path_("/tmp/coppice-disk-test-XXXXXX") { fd_ = ::mkstemp(path_.data()); }
  ~TemporaryFile() {
    ::close(fd_);
    ::unlink(path_.c_str());
  }
  int fd() const { return fd_; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int fd_;
};

// On each engine that this system has.
template <class Main>
void on_engines(Main main) {
  for (const DiskEngine engine : {DiskEngine::kRing, DiskEngine::kThreads}) {
    CAPTURE(static_cast<int>(engine));
    ThreadRuntime threads({.workers = 2, .stealing = Stealing::kAlways, .disk = engine});
    if (threads.disk().engine() != engine) {
      CHECK_FALSE(threads.disk().engine_reason().empty());
      MESSAGE("no io_uring here: " << threads.disk().engine_reason());
      continue;
    }
    CHECK(threads.run([&] { main(threads.disk()); }).has_value());
  }
}

ByteBuffer random_bytes(std::size_t size, std::uint64_t seed) {
  Rng rng(seed);
  ByteBuffer bytes(size);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(rng.next());
  return bytes;
}

}  // namespace

TEST_CASE("what is written is read, in one batch, past the end too") {
  on_engines([](Disk& disk) {
    TemporaryFile file;
    const ByteBuffer content = random_bytes(1'000'000, 1);
    const std::array<ByteView, 3> parts = {ByteView(content).first(10), ByteView(),
                                           ByteView(content).subspan(10)};
    CHECK(disk.write({.fd = file.fd(), .offset = 0, .parts = parts, .durable = true}).has_value());
    CHECK(disk.sync(file.fd(), DiskSync::kData).has_value());
    CHECK(disk.sync(file.fd(), DiskSync::kAll).has_value());
    Rng rng(2);
    std::vector<ByteBuffer> buffers;
    std::vector<DiskRead> reads;
    for (int i = 0; i < 1000; ++i) {  // more than the ring has room for
      buffers.emplace_back(1 + rng.below(5000));
      reads.push_back({.fd = file.fd(), .offset = rng.below(1'000'000), .into = buffers.back()});
    }
    CHECK(disk.read(reads).has_value());
    for (const DiskRead& read : reads) {
      const std::size_t expected = std::min(read.into.size(), content.size() - read.offset);
      REQUIRE(read.bytes == expected);
      CHECK(std::equal(read.into.begin(), read.into.begin() + static_cast<std::ptrdiff_t>(expected),
                       content.begin() + static_cast<std::ptrdiff_t>(read.offset)));
    }
    std::array<std::byte, 8> beyond{};
    DiskRead past{.fd = file.fd(), .offset = 2'000'000, .into = beyond};
    CHECK(disk.read(std::span(&past, 1)).has_value());
    CHECK(past.bytes == 0);
    CHECK(disk.read({}).has_value());
  });
}

TEST_CASE("an error names the first that failed and spares the others") {
  on_engines([](Disk& disk) {
    TemporaryFile file;
    const ByteBuffer content = random_bytes(4096, 3);
    const ByteView part(content);
    CHECK(disk.write({.fd = file.fd(), .offset = 0, .parts = std::span(&part, 1)}).has_value());
    std::array<std::array<std::byte, 16>, 3> into{};
    std::array<DiskRead, 3> reads = {{{.fd = file.fd(), .offset = 0, .into = into[0]},
                                      {.fd = -1, .offset = 77, .into = into[1]},
                                      {.fd = file.fd(), .offset = 16, .into = into[2]}}};
    const Status status = disk.read(reads);
    REQUIRE_FALSE(status.has_value());
    CHECK(status.error().code() == Code::kIo);
    CHECK(status.error().message().find("77") != std::string::npos);
    CHECK(reads[0].bytes == 16);
    CHECK(reads[1].os_errno == EBADF);
    CHECK(reads[2].bytes == 16);
    const int read_only = ::open(file.path().c_str(), O_RDONLY);
    CHECK_FALSE(
        disk.write({.fd = read_only, .offset = 0, .parts = std::span(&part, 1)}).has_value());
    ::close(read_only);
    CHECK_FALSE(disk.sync(-1, DiskSync::kAll).has_value());
    const int full = ::open("/dev/full", O_WRONLY);
    const Status refused = disk.write({.fd = full, .offset = 0, .parts = std::span(&part, 1)});
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code() == Code::kDiskFull);
    ::close(full);
  });
}

TEST_CASE("many fibers on both workers use the disk at once") {
  on_engines([](Disk& disk) {
    TemporaryFile file;
    TaskGroup group;
    for (std::uint64_t i = 0; i < 64; ++i)
      group.spawn({.name = "user"}, [&disk, &file, i] {
        const ByteBuffer content = random_bytes(3000, i);
        const ByteView part(content);
        for (int k = 0; k < 5; ++k) {
          CHECK(disk.write({.fd = file.fd(), .offset = i * 3000, .parts = std::span(&part, 1)})
                    .has_value());
          ByteBuffer back(3000);
          DiskRead read{.fd = file.fd(), .offset = i * 3000, .into = back};
          CHECK(disk.read(std::span(&read, 1)).has_value());
          CHECK(back == content);
          CHECK(sleep_for(10us).has_value());
        }
      });
    group.join();
  });
}

TEST_CASE("the fallback can be forced and says so") {
  ThreadRuntime threads({.workers = 1, .disk = DiskEngine::kThreads});
  CHECK(threads.disk().engine() == DiskEngine::kThreads);
}

TEST_CASE("errno becomes a code and a readable text") {
  CHECK(os_error(ENOENT, "opening x").to_string() ==
        "opening x: No such file or directory (ENOENT)");
  CHECK(os_error_code(ENOSPC) == Code::kDiskFull);
  CHECK(os_error_code(EIO) == Code::kIo);
  CHECK(os_error(99999, "y").to_string() == "y: unknown error (99999)");
}

}  // namespace coppice::fiber
