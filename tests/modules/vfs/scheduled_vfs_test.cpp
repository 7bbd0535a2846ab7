// scheduled_vfs_test.cpp — decorated storage keeps the contract; who pays; what is cut.
#include "modules/vfs/scheduled_vfs.h"

#include <doctest/doctest.h>

#include <array>

#include "interfaces/meter.h"
#include "kernel/fiber/account.h"
#include "kernel/fiber/fiber.h"
#include "kernel/fiber/sim_runtime.h"
#include "plugins/vfs/mem/mem_vfs.h"
#include "tests/contract/vfs_contract.h"
#include "tests/support/faulty_vfs.h"

namespace coppice::vfs {
namespace {

class FiberFixture : public VfsFixture {
 public:
  void run(const std::function<void()>& body) override {
    fiber::SimRuntime runtime(7);
    REQUIRE(runtime.run([&body] { body(); }).has_value());
  }
  void run_together(int count, const std::function<void(int)>& body) override {
    fiber::TaskGroup group;
    for (int i = 0; i < count; ++i) {
      group.spawn({.name = "test"}, [&body, i] { body(i); });
    }
    group.join();
  }
};

class OverMemory final : public FiberFixture {
 public:
  Vfs& vfs() override { return front_; }
  std::uint64_t capacity_bytes() const override { return kContractCapacity; }

 private:
  vfs_mem::MemVfs backend_{kContractCapacity};
  IoScheduler scheduler_{{}};
  ScheduledVfs front_{backend_, scheduler_};
};

// Operations take virtual time and overlap; a power cut loses what it may.
class OverFaulty final : public FiberFixture {
 public:
  OverFaulty() { reopen({}); }
  Vfs& vfs() override { return *front_; }
  bool restart() override {
    reopen(backend_->clone_disk());
    return true;
  }
  bool power_cut(std::uint64_t seed) override {
    backend_->crash_at(0);
    reopen(backend_->disk_after_crash(seed));
    return true;
  }

 private:
  void reopen(DiskImage disk) {
    front_.reset();
    backend_ = std::make_unique<FaultyVfs>(
        FaultyOptions{.pause = [] { static_cast<void>(fiber::sleep_for(20us)); }}, std::move(disk));
    front_ = std::make_unique<ScheduledVfs>(*backend_, scheduler_);
  }
  std::unique_ptr<FaultyVfs> backend_;
  IoScheduler scheduler_{{}};
  std::unique_ptr<ScheduledVfs> front_;
};

TEST_CASE("memory behind the scheduler keeps the contract") {
  vfs_contract([] { return std::make_unique<OverMemory>(); });
}

TEST_CASE("a faulty disk behind the scheduler keeps the contract, in simulated time") {
  vfs_contract([] { return std::make_unique<OverFaulty>(); });
}

class CountingAccount final : public fiber::Account {
 public:
  CountingAccount() : Account(TenantId{1}) {}
  void count(std::uint8_t resource, std::uint64_t amount) noexcept override {
    used[resource] += amount;
  }
  std::uint64_t of(Resource what) const { return used[static_cast<std::size_t>(what)]; }
  std::array<std::uint64_t, kResourceCount> used{};
};

TEST_CASE("the account of the fiber that asks pays for its I/O") {
  OverMemory fixture;
  CountingAccount account;
  fixture.run([&] {
    fiber::TaskGroup group;
    group.spawn({.name = "payer", .account = &account}, [&] {
      Vfs& vfs = fixture.vfs();
      auto file = vfs.create("f").value();
      const ByteBuffer bytes(10000);
      CHECK(file->append(bytes, IoClass::kFlush).has_value());
      CHECK(file->sync(IoClass::kFlush).has_value());
      const auto opened = vfs.open("f").value();
      ByteBuffer into(300);
      const MutableByteView view(into);
      const std::array<ReadRequest, 3> batch = {ReadRequest{opened.get(), 0, view.first(100)},
                                                ReadRequest{opened.get(), 0, view.first(100)},
                                                ReadRequest{opened.get(), 0, view.first(100)}};
      CHECK(vfs.read(batch, IoClass::kQuery).has_value());
    });
    group.join();
  });
  CHECK(account.of(Resource::kReads) == 3);
  CHECK(account.of(Resource::kReadBytes) == 300);
  CHECK(account.of(Resource::kWrites) == 1);
  CHECK(account.of(Resource::kWriteBytes) == 10000);
  CHECK(account.of(Resource::kLogBytes) == 0);
}

TEST_CASE("background reads are cut to pieces, a query's batch goes as one") {
  vfs_mem::MemVfs backend;
  IoScheduler scheduler({});
  ScheduledVfs front(backend, scheduler);
  fiber::SimRuntime runtime(1);
  REQUIRE(runtime
              .run([&] {
                auto file = front.create("f").value();
                ByteBuffer bytes(1 << 20);
                for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = std::byte(i * 7 >> 3);
                CHECK(file->append(bytes, IoClass::kFlush).has_value());
                CHECK(file->sync(IoClass::kFlush).has_value());
                const auto reads = [&](IoClass c) {
                  return backend.counters().by_class[static_cast<std::size_t>(c)].reads;
                };
                const auto opened = front.open("f").value();
                ByteBuffer into(1 << 20);
                const ReadRequest whole{opened.get(), 0, into};
                CHECK(front.read({&whole, 1}, IoClass::kQuery).has_value());
                CHECK(into == bytes);
                CHECK(reads(IoClass::kQuery) == 1);
                into.assign(into.size(), std::byte{0});
                CHECK(front.read({&whole, 1}, IoClass::kCompaction).has_value());
                CHECK(into == bytes);
                CHECK(reads(IoClass::kCompaction) == 4);
              })
              .has_value());
}

}  // namespace
}  // namespace coppice::vfs
