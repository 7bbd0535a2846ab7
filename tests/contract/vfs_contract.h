// vfs_contract.h — what every Vfs promises, as one suite: plugins, decorators and stubs run it.
//
//   TEST_CASE("the memory vfs keeps the contract") {
//     vfs_contract([] { return std::make_unique<MemFixture>(); });
//   }
#pragma once

#include <functional>
#include <memory>

#include "interfaces/vfs.h"

namespace coppice {

// A fresh, empty Vfs and what may be done with it from outside.
class VfsFixture {
 public:
  virtual ~VfsFixture() = default;
  virtual Vfs& vfs() = 0;

  // Runs `body` where a Vfs may be called (in a fiber, if the implementation parks).
  virtual void run(const std::function<void()>& body) { body(); }
  // Runs body(0) … body(count - 1) side by side and waits for all; called from within run().
  virtual void run_together(int count, const std::function<void(int)>& body);

  // Closes the Vfs and opens it again on the same storage; false if that cannot be.
  virtual bool restart() { return false; }
  // The same by way of a power cut, decided by `seed`.
  virtual bool power_cut(std::uint64_t /*seed*/) { return false; }
  // Bytes that fit at most; 0 if there is no limit that a test could reach.
  virtual std::uint64_t capacity_bytes() const { return 0; }
};

inline constexpr std::uint64_t kContractCapacity = 8 << 20;  // what a limited fixture should give

void vfs_contract(const std::function<std::unique_ptr<VfsFixture>()>& make);

}  // namespace coppice
