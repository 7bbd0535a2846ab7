// none_codec.h — bytes as they are, for data that does not compress.
#pragma once

#include <memory>
#include <string_view>

#include "interfaces/codec.h"
#include "kernel/core/inventory.h"
#include "kernel/core/plugin.h"

namespace coppice::codec_none {

class NoneCodec final : public Codec {
 public:
  static constexpr std::string_view kKind = "none";
  static constexpr CodecWireId kWireId = 0;
  using Config = NoConfig;
  static Result<std::unique_ptr<Codec>> create(const NoConfig&, PluginContext&);

  CodecWireId wire_id() const override { return kWireId; }
  std::string_view name() const override { return kKind; }
  std::size_t max_compressed_size(std::size_t raw_bytes) const override { return raw_bytes; }
  Result<std::size_t> compress(ByteView from, MutableByteView to) const override;
  Status decompress(ByteView from, MutableByteView to) const override;
};

void register_in(Inventory& inventory);

}  // namespace coppice::codec_none
