// zstd_codec.h — Zstandard: for what is written once and read for long.
//
// Owns:     up to kZstdContextsMax idle contexts of each direction; making one costs more than
//           compressing a block.
// Source:   RFC 8878; one frame with its content size, without checksum (blocks have their own).
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <string_view>

#include "interfaces/codec.h"
#include "kernel/core/inventory.h"
#include "kernel/core/plugin.h"

namespace coppice::codec_zstd {

inline constexpr std::size_t kZstdContextsMax = 32;

struct ZstdConfig {
  int level = 1;
  static void describe(Fields<ZstdConfig>& f) {
    f.value("level", &ZstdConfig::level, "Compression level; 1 is fastest.").range(1, 12);
  }
};

// Contexts that nobody uses at the moment. Lock-free: a slot is taken and given by one exchange.
template <class Context, void (*kFree)(Context*), Context* (*kMake)()>
class ContextPool {
 public:
  ContextPool() = default;
  ContextPool(const ContextPool&) = delete;
  ContextPool& operator=(const ContextPool&) = delete;
  ~ContextPool() {
    for (auto& slot : slots_) kFree(slot.load());
  }
  Context* take() {
    for (auto& slot : slots_) {
      if (slot.load(std::memory_order_relaxed) == nullptr) continue;
      if (Context* found = slot.exchange(nullptr, std::memory_order_acquire)) return found;
    }
    return kMake();
  }
  void give(Context* context) {
    for (auto& slot : slots_) {
      Context* empty = nullptr;
      if (slot.compare_exchange_strong(empty, context, std::memory_order_release)) return;
    }
    kFree(context);
  }

 private:
  std::array<std::atomic<Context*>, kZstdContextsMax> slots_{};
};

class ZstdCodec final : public Codec {
 public:
  static constexpr std::string_view kKind = "zstd";
  static constexpr CodecWireId kWireId = 2;
  using Config = ZstdConfig;
  static Result<std::unique_ptr<Codec>> create(const ZstdConfig& config, PluginContext&);

  explicit ZstdCodec(int level);
  ~ZstdCodec() override;

  CodecWireId wire_id() const override { return kWireId; }
  std::string_view name() const override { return kKind; }
  std::size_t max_compressed_size(std::size_t raw_bytes) const override;
  Result<std::size_t> compress(ByteView from, MutableByteView to) const override;
  Status decompress(ByteView from, MutableByteView to) const override;

 private:
  struct Contexts;
  const int level_;
  const std::unique_ptr<Contexts> contexts_;
};

void register_in(Inventory& inventory);

}  // namespace coppice::codec_zstd
