// module.cpp — wires the block cache into the kernel.
#include "kernel/core/inventory.h"
#include "modules/cache/config.h"
#include "modules/cache/sharded_cache.h"

namespace coppice::cache {
namespace {

class CacheModule final : public Module {
 public:
  static constexpr std::string_view kName = "cache";
  static constexpr std::string_view kSummary = "S3-FIFO cache of decoded blocks";
  using Config = CacheConfig;
  using Needs = coppice::Needs<>;
  using Offers = coppice::Offers<BlockCache>;

  static Result<std::unique_ptr<CacheModule>> create(const CacheConfig& config, Deps<Needs> deps) {
    const std::uint64_t capacity =
        config.capacity != 0 ? config.capacity.bytes : deps.memory_total() / 2;
    return std::make_unique<CacheModule>(capacity);
  }
  explicit CacheModule(std::uint64_t capacity_bytes) : cache_(capacity_bytes) {}

  void publish(Publish<Offers> to) { to.offer<BlockCache>(cache_); }

 private:
  ShardedCache cache_;
};

}  // namespace

void register_in(Inventory& inventory);  // named by the generated table of parts

void register_in(Inventory& inventory) {
  inventory.add_module<CacheModule>();
}

}  // namespace coppice::cache
