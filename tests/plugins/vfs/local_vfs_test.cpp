// local_vfs_test.cpp — the contract on both disk engines, and what is special about real folders.
#include "plugins/vfs/local/local_vfs.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "kernel/fiber/fiber.h"
#include "kernel/fiber/thread_runtime.h"
#include "tests/contract/vfs_contract.h"
#include "tests/support/temp_folder.h"

namespace coppice {
namespace {

using vfs_local::DurabilityChoice;
using vfs_local::LocalVfs;
using vfs_local::LocalVfsConfig;

class LinesSink final : public LogSink {
 public:
  explicit LinesSink(std::vector<std::string>& lines) : lines_(lines) {}
  void write(const LogRecord& record) noexcept override {
    lines_.push_back(format_log_line(record));
  }

 private:
  std::vector<std::string>& lines_;
};

// A LocalVfs in a folder of its own; survives into a second one on the same folder.
class LocalFixture final : public VfsFixture {
 public:
  explicit LocalFixture(fiber::DiskEngine engine = fiber::DiskEngine::kRing,
                        LocalVfsConfig config = {.durable_writes = DurabilityChoice::kDsync})
      : engine_(engine), config_(std::move(config)) {
    make();
  }
  Vfs& vfs() override { return *vfs_; }
  void run(const std::function<void()>& body) override {
    fiber::ThreadRuntime runtime({.workers = 2, .disk = engine_, .stall = {}});
    REQUIRE(runtime.run([&body] { body(); }).has_value());
  }
  void run_together(int count, const std::function<void(int)>& body) override {
    fiber::TaskGroup group;
    for (int i = 0; i < count; ++i) {
      group.spawn({.name = "test"}, [&body, i] { body(i); });
    }
    group.join();
  }
  bool restart() override {
    vfs_.reset();
    make();
    return true;
  }
  const std::string& path() const { return folder_.path(); }
  const std::vector<std::string>& log_lines() const { return lines_; }
  std::unique_ptr<LocalVfs> another() {
    return std::make_unique<LocalVfs>(config_, folder_.path() + "/root", Log(logs_, "vfs.test"));
  }

 private:
  void make() { vfs_ = another(); }
  const fiber::DiskEngine engine_;
  const LocalVfsConfig config_;
  const TempFolder folder_;
  const SystemClock clock_;
  std::vector<std::string> lines_;
  LogHub logs_{clock_, std::make_unique<LinesSink>(lines_), LogLevel::kInfo};
  std::unique_ptr<LocalVfs> vfs_;
};

Status put(Vfs& vfs, std::string_view name, std::string_view text) {
  auto file = COPPICE_TRY(vfs.create(name));
  COPPICE_TRY(file->append(as_bytes(text), IoClass::kFlush));
  return file->sync(IoClass::kFlush);
}

TEST_CASE("the local vfs on io_uring keeps the contract") {
  vfs_contract([] { return std::make_unique<LocalFixture>(fiber::DiskEngine::kRing); });
}

TEST_CASE("the local vfs on helper threads keeps the contract") {
  vfs_contract([] { return std::make_unique<LocalFixture>(fiber::DiskEngine::kThreads); });
}

TEST_CASE("the local vfs through the page cache and with fdatasync keeps the contract") {
  vfs_contract([] {
    return std::make_unique<LocalFixture>(
        fiber::DiskEngine::kRing,
        LocalVfsConfig{.direct_io = false, .durable_writes = DurabilityChoice::kFdatasync});
  });
}

TEST_CASE("two instances never share a folder") {
  LocalFixture fixture;
  fixture.run([&] {
    REQUIRE(fixture.vfs().list("").has_value());
    const auto second = fixture.another();
    const auto refused = second->list("");
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code() == Code::kUnavailable);
    CHECK(refused.error().message().find(fixture.path()) != std::string::npos);
  });
}

TEST_CASE("nothing is touched before the first call") {
  LocalFixture fixture;
  CHECK_FALSE(std::filesystem::exists(fixture.path() + "/root"));
  fixture.run([&] { CHECK(fixture.vfs().list("").has_value()); });
  CHECK(std::filesystem::exists(fixture.path() + "/root/LOCK~"));
}

TEST_CASE(
    "files on disk are exactly as long as what was appended, and segments have their blocks") {
  LocalFixture fixture;
  fixture.run([&] {
    REQUIRE(put(fixture.vfs(), "a/b", std::string(5000, 'x')).has_value());
    REQUIRE(fixture.vfs().create_segment("s", 1 << 20).has_value());
  });
  CHECK(std::filesystem::file_size(fixture.path() + "/root/a/b") == 5000);
  struct stat info{};
  REQUIRE(::stat((fixture.path() + "/root/s").c_str(), &info) == 0);
  CHECK(info.st_size == 1 << 20);
  CHECK(info.st_blocks * 512 >= 1 << 20);
}

TEST_CASE("segments that were being filled when the process died are gone, strangers stay hidden") {
  LocalFixture fixture;
  const std::string root = fixture.path() + "/root";
  std::filesystem::create_directories(root + "/sub");
  std::ofstream(root + "/new-7~") << "half";
  std::ofstream(root + "/name with spaces") << "not ours";
  REQUIRE(::symlink("/etc/hostname", (root + "/link").c_str()) == 0);
  fixture.run([&] {
    const auto files = fixture.vfs().list("");
    REQUIRE(files.has_value());
    CHECK(files->empty());
    CHECK_FALSE(fixture.vfs().open("link").has_value());
  });
  CHECK_FALSE(std::filesystem::exists(root + "/new-7~"));
  CHECK(std::filesystem::exists(root + "/name with spaces"));
}

TEST_CASE("a refused segment leaves nothing behind") {
  LocalFixture fixture;
  fixture.run([&] {
    REQUIRE(put(fixture.vfs(), "taken", "x").has_value());
    const auto refused = fixture.vfs().create_segment("taken", 8192);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code() == Code::kAlreadyExists);
  });
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(fixture.path() + "/root")) {
    files += entry.path().filename() == "LOCK~" ? 0 : 1;
  }
  CHECK(files == 1);
}

TEST_CASE("the way of durable writes is measured, and said in the log") {
  LocalFixture fixture(fiber::DiskEngine::kRing, LocalVfsConfig{});
  fixture.run([&] { CHECK(fixture.vfs().list("").has_value()); });
  const auto said = [&](std::string_view text) {
    return std::ranges::any_of(fixture.log_lines(), [&](const std::string& line) {
      return line.find(text) != std::string::npos;
    });
  };
  CHECK(said("measured durable writes"));
  CHECK(said("opened folder"));
}

TEST_CASE("a root that cannot be made is an error of the first call") {
  LocalFixture fixture;
  std::ofstream(fixture.path() + "/root") << "a file";
  fixture.run([&] {
    const auto refused = fixture.vfs().create("x");
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().to_string().find(fixture.path()) != std::string::npos);
  });
}

// Larger than the pool of bounce buffers, at an odd offset, from several fibers.
TEST_CASE("unaligned reads larger than the bounce pool make progress side by side") {
  LocalFixture fixture;
  fixture.run([&] {
    constexpr std::size_t kSize = vfs_local::kPoolBytes + 12345;
    ByteBuffer bytes(kSize);
    for (std::size_t i = 0; i < kSize; ++i) bytes[i] = static_cast<std::byte>(i * 31 >> 7);
    auto file = fixture.vfs().create("big").value();
    REQUIRE(file->append(bytes, IoClass::kFlush).has_value());
    REQUIRE(file->sync(IoClass::kFlush).has_value());
    const auto opened = fixture.vfs().open("big").value();
    std::atomic<int> wrong = 0;
    fixture.run_together(3, [&](int fiber) {
      const std::size_t offset = 1 + static_cast<std::size_t>(fiber);
      ByteBuffer into(kSize - 10);
      const ReadRequest request{opened.get(), offset, into};
      const bool good =
          fixture.vfs().read({&request, 1}, IoClass::kCompaction).has_value() &&
          std::equal(into.begin(), into.end(), bytes.begin() + std::ptrdiff_t(offset));
      wrong += good ? 0 : 1;
    });
    CHECK(wrong == 0);
  });
}

}  // namespace
}  // namespace coppice
