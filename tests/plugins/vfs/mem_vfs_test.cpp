// mem_vfs_test.cpp — the contract, and what is special about files in memory.
#include "plugins/vfs/mem/mem_vfs.h"

#include <doctest/doctest.h>
#include "tests/contract/vfs_contract.h"

namespace coppice {
namespace {

using vfs_mem::MemVfs;

class MemFixture final : public VfsFixture {
 public:
  Vfs& vfs() override { return vfs_; }
  std::uint64_t capacity_bytes() const override { return kContractCapacity; }

 private:
  MemVfs vfs_{kContractCapacity};
};

TEST_CASE("the memory vfs keeps the contract") {
  vfs_contract([] { return std::make_unique<MemFixture>(); });
}

TEST_CASE("a removed file takes up memory until its last handle is closed") {
  constexpr std::uint64_t kSize = 16 * kSectorBytes;
  MemVfs vfs(kSize);
  REQUIRE(vfs.create_segment("a", kSize).has_value());
  auto open = vfs.open("a").value();
  REQUIRE(vfs.remove("a").has_value());
  const auto refused = vfs.create_segment("b", kSize);
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().code() == Code::kDiskFull);
  open.reset();
  CHECK(vfs.create_segment("b", kSize).has_value());
}

}  // namespace
}  // namespace coppice
