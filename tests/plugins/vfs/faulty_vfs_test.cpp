// faulty_vfs_test.cpp — the stub keeps the contract, and its faults do what they say.
#include "tests/support/faulty_vfs.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <thread>

#include <doctest/doctest.h>
#include "kernel/base/aligned_buffer.h"
#include "tests/contract/vfs_contract.h"

namespace coppice {
namespace {

class FaultyFixture final : public VfsFixture {
 public:
  Vfs& vfs() override { return *vfs_; }
  std::uint64_t capacity_bytes() const override { return kContractCapacity; }
  bool restart() override {
    reopen(vfs_->clone_disk());
    return true;
  }
  bool power_cut(std::uint64_t seed) override {
    vfs_->crash_at(0);
    reopen(vfs_->disk_after_crash(seed));
    return true;
  }

 private:
  void reopen(DiskImage disk) {
    vfs_ = std::make_unique<FaultyVfs>(FaultyOptions{.capacity_bytes = kContractCapacity},
                                       std::move(disk));
  }
  std::unique_ptr<FaultyVfs> vfs_ =
      std::make_unique<FaultyVfs>(FaultyOptions{.capacity_bytes = kContractCapacity});
};

template <class T>
Code code_of(const Result<T>& result) {
  REQUIRE_FALSE(result.has_value());
  return result.error().code();
}

AlignedBuffer sectors(std::size_t count, int fill) {
  AlignedBuffer buffer(count * kSectorBytes);
  std::ranges::fill(buffer.view(), static_cast<std::byte>(fill));
  return buffer;
}

Status put(Vfs& vfs, std::string_view name, std::string_view text) {
  auto file = COPPICE_TRY(vfs.create(name));
  COPPICE_TRY(file->append(as_bytes(text), IoClass::kFlush));
  return file->sync(IoClass::kFlush);
}

TEST_CASE("the faulty vfs without faults keeps the contract") {
  vfs_contract([] { return std::make_unique<FaultyFixture>(); });
}

TEST_CASE("a rule fails the operation it names, as often as it says") {
  FaultyVfs vfs;
  vfs.add_rule({.op = FileOp::kSync, .name_contains = "sst", .skip = 1, .times = 2});
  CHECK(put(vfs, "log", "x").has_value());
  CHECK(put(vfs, "1.sst", "x").has_value());
  CHECK(code_of(put(vfs, "2.sst", "x")) == Code::kIo);
  CHECK(code_of(put(vfs, "3.sst", "x")) == Code::kIo);
  CHECK(put(vfs, "4.sst", "x").has_value());
  vfs.add_rule({.fault = Fault::kDiskFull, .op = FileOp::kAppend});
  CHECK(code_of(put(vfs, "5.sst", "x")) == Code::kDiskFull);
  vfs.add_rule({.op = FileOp::kOpen, .times = UINT64_MAX});
  CHECK(code_of(vfs.open("log")) == Code::kIo);
  vfs.clear_rules();
  CHECK(vfs.open("log").has_value());
}

TEST_CASE("a rule by chance is decided by the seed alone") {
  const auto outcomes = [](std::uint64_t seed) {
    FaultyVfs vfs({.seed = seed});
    vfs.add_rule({.op = FileOp::kCreate, .times = UINT64_MAX, .chance = 0.5});
    std::string outcome;
    for (int i = 0; i < 32; ++i) {
      outcome += vfs.create("f" + std::to_string(i)).has_value() ? '1' : '0';
    }
    return outcome;
  };
  CHECK(outcomes(1) == outcomes(1));
  CHECK(outcomes(1) != outcomes(2));
  CHECK(outcomes(1).find('0') != std::string::npos);
  CHECK(outcomes(1).find('1') != std::string::npos);
}

TEST_CASE("a flipped bit of a read is one bit, of the medium is there to stay") {
  FaultyVfs vfs;
  REQUIRE(put(vfs, "f", std::string(100, 'a')).has_value());
  const auto file = vfs.open("f").value();
  const auto bits_wrong = [&] {
    ByteBuffer into(100);
    const ReadRequest request{file.get(), 0, into};
    REQUIRE(vfs.read({&request, 1}, IoClass::kQuery).has_value());
    int wrong = 0;
    for (const std::byte b : into)
      wrong += std::popcount(static_cast<unsigned>(b ^ std::byte{'a'}));
    return wrong;
  };
  vfs.add_rule({.fault = Fault::kBitFlip, .op = FileOp::kRead});
  CHECK(bits_wrong() == 1);
  CHECK(bits_wrong() == 0);
  CHECK(vfs.flip_bit("f", 99, 7));
  CHECK_FALSE(vfs.flip_bit("f", 100, 0));
  CHECK(bits_wrong() == 1);
  FaultyVfs after({}, vfs.disk_after_crash(1));
  ByteBuffer into(100);
  const auto again = after.open("f").value();
  const ReadRequest request{again.get(), 0, into};
  REQUIRE(after.read({&request, 1}, IoClass::kQuery).has_value());
  CHECK(into[99] == (std::byte{'a'} ^ std::byte{0x80}));
}

TEST_CASE("a torn segment write fails and leaves whole sectors, some old and some new") {
  FaultyVfs vfs;
  auto segment = vfs.create_segment("s", 64 * kSectorBytes).value();
  vfs.add_rule({.fault = Fault::kTorn, .op = FileOp::kWrite});
  const AlignedBuffer ones = sectors(64, 1);
  CHECK(code_of(segment->write(0, ones.view(), true, IoClass::kLog)) == Code::kIo);
  ByteBuffer into(segment->size());
  const ReadRequest request{segment.get(), 0, into};
  REQUIRE(vfs.read({&request, 1}, IoClass::kLog).has_value());
  std::size_t written = 0;
  for (std::size_t at = 0; at < into.size(); at += kSectorBytes) {
    const auto sector = ByteView(into).subspan(at, kSectorBytes);
    CHECK(std::ranges::count(sector, sector.front()) == kSectorBytes);
    written += sector.front() == std::byte{1} ? 1 : 0;
  }
  CHECK(written > 0);
  CHECK(written < 64);
}

// The loop that users of the stub write: an append-only list of numbers in a segment, one sector
// each, acknowledged when the durable write returned.
TEST_CASE("crash after every step: what was acknowledged survives") {
  constexpr int kWrites = 6;
  const auto workload = [](FaultyVfs& vfs) {
    auto segment = vfs.create_segment("s", kWrites * kSectorBytes);
    if (!segment) return 0;
    for (int i = 0; i < kWrites; ++i) {
      const AlignedBuffer buffer = sectors(1, i + 1);
      const auto offset = static_cast<std::uint64_t>(i) * kSectorBytes;
      if (!(*segment)->write(offset, buffer.view(), true, IoClass::kLog)) return i;
    }
    return kWrites;
  };
  FaultyVfs whole;
  REQUIRE(workload(whole) == kWrites);
  REQUIRE(whole.steps() == 1 + 2 * kWrites);
  bool seen_more_than_acknowledged = false;
  for (std::uint64_t step = 1; step <= whole.steps(); ++step) {
    FaultyVfs vfs;
    vfs.crash_at(step);
    const int acknowledged = workload(vfs);
    CHECK(vfs.crashed());
    CHECK(code_of(vfs.open("s")) == Code::kIo);
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      FaultyVfs after({}, vfs.disk_after_crash(seed));
      const auto segment = after.open("s");
      REQUIRE(segment.has_value());
      ByteBuffer into((*segment)->size());
      const ReadRequest request{segment->get(), 0, into};
      REQUIRE(after.read({&request, 1}, IoClass::kLog).has_value());
      int found = 0;
      while (found < kWrites &&
             into[static_cast<std::size_t>(found) * kSectorBytes] == std::byte(found + 1)) {
        ++found;
      }
      CHECK(found >= acknowledged);
      CHECK(found <= acknowledged + 1);
      seen_more_than_acknowledged = seen_more_than_acknowledged || found > acknowledged;
    }
  }
  CHECK(seen_more_than_acknowledged);
}

TEST_CASE("operations overlap in the pause, and a power cut finds two writes under way") {
  std::atomic<int> under_way = 0;
  std::atomic<int> most = 0;
  FaultyVfs vfs({.pause = [&] {
    const int now = ++under_way;
    int seen = most.load();
    while (seen < now && !most.compare_exchange_weak(seen, now)) {
    }
    for (int i = 0; i < 100 && most < 2; ++i) std::this_thread::yield();
    --under_way;
  }});
  auto segment = vfs.create_segment("s", 2 * kSectorBytes).value();
  std::atomic<int> done = 0;
  for (int round = 0; round < 200 && most < 2; ++round) {
    std::array<std::jthread, 2> writers;
    for (std::size_t i = 0; i < 2; ++i) {
      writers[i] = std::jthread([&, i] {
        const AlignedBuffer buffer = sectors(1, 1);
        done += segment->write(i * kSectorBytes, buffer.view(), true, IoClass::kLog) ? 1 : 0;
      });
    }
  }
  CHECK(most >= 2);
  CHECK(done >= 2);
}

TEST_CASE("a file renamed before it was synced may be empty after a power cut") {
  bool seen_short = false;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    FaultyVfs vfs;
    auto file = vfs.create("tmp").value();
    REQUIRE(file->append(as_bytes("contents"), IoClass::kFlush).has_value());
    file.reset();
    REQUIRE(vfs.rename("tmp", "final").has_value());
    FaultyVfs after({}, vfs.disk_after_crash(seed));
    const auto found = after.open("final");
    REQUIRE(found.has_value());  // the rename itself is durable
    seen_short = seen_short || (*found)->size() < 8;
  }
  CHECK(seen_short);
}

}  // namespace
}  // namespace coppice
