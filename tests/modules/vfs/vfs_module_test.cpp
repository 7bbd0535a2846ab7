// vfs_module_test.cpp — boots the module around a plugin.
#include <doctest/doctest.h>

#include "interfaces/vfs.h"
#include "kernel/core/inventory.h"
#include "plugins/vfs/mem/mem_vfs.h"
#include "tests/support/kernel_fixture.h"

namespace coppice {
namespace vfs {
void register_in(Inventory& inventory);
}

namespace {

// Takes what the module publishes.
class UserModule final : public Module {
 public:
  static constexpr std::string_view kName = "user";
  static constexpr std::string_view kSummary = "writes a file";
  using Config = NoConfig;
  using Needs = coppice::Needs<Any<Vfs>>;
  using Offers = coppice::Offers<>;
  static Result<std::unique_ptr<UserModule>> create(const NoConfig&, Deps<Needs> deps) {
    return std::make_unique<UserModule>(deps.get<Vfs>("data"));
  }
  explicit UserModule(Vfs& data) : data_(data) {}
  Status start() override {
    auto file = COPPICE_TRY(data_.create("hello"));
    COPPICE_TRY(file->append(as_bytes("x"), IoClass::kFlush));
    return file->sync(IoClass::kFlush);
  }

 private:
  Vfs& data_;
};

TEST_CASE("instances keep their names behind the module, and count in metrics") {
  KernelFixture k;
  vfs::register_in(k.inventory());
  k.use("vfs");
  k.plugin<Vfs, vfs_mem::MemVfs>();
  k.load<UserModule>();
  k.toml("[vfs.data]\nkind = \"mem\"");
  std::string exposed;
  const Status status = k.run([&](Boot&) { exposed = k.metrics().expose(); });
  REQUIRE_MESSAGE(status.has_value(), (status ? "" : status.error().to_string()));
  CHECK(exposed.find("vfs_writes_total{instance=\"data\"} 1") != std::string::npos);
}

}  // namespace
}  // namespace coppice
