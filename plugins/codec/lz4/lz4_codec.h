// lz4_codec.h — LZ4: little compression for almost no CPU.
//
// Source:   https://github.com/lz4/lz4, doc/lz4_Block_format.md: one block, no frame.
#pragma once

#include <memory>
#include <string_view>

#include "interfaces/codec.h"
#include "kernel/core/inventory.h"
#include "kernel/core/plugin.h"

namespace coppice::codec_lz4 {

class Lz4Codec final : public Codec {
 public:
  static constexpr std::string_view kKind = "lz4";
  static constexpr CodecWireId kWireId = 1;
  using Config = NoConfig;
  static Result<std::unique_ptr<Codec>> create(const NoConfig&, PluginContext&);

  CodecWireId wire_id() const override { return kWireId; }
  std::string_view name() const override { return kKind; }
  std::size_t max_compressed_size(std::size_t raw_bytes) const override;
  Result<std::size_t> compress(ByteView from, MutableByteView to) const override;
  Status decompress(ByteView from, MutableByteView to) const override;
};

void register_in(Inventory& inventory);

}  // namespace coppice::codec_lz4
