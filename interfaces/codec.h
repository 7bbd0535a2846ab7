// codec.h — block compression.
//
// Role:     chosen per level in the config by instance; on disk a block carries the codec's
// permanent
//           wire id (docs/formats/wire-ids.md), so every codec in the binary can read whatever the
//           config says.
// Threads:  const methods from any worker at once.
// Parks:    never; cost is bounded by the block size, kCodecBytesMax.
#pragma once

#include <cstdint>
#include <string_view>

#include "kernel/base/bytes.h"
#include "kernel/base/result.h"

namespace coppice {

using CodecWireId = std::uint8_t;
inline constexpr std::size_t kCodecBytesMax = 4 << 20;  // raw bytes of one call

class Codec {
 public:
  virtual ~Codec() = default;
  virtual CodecWireId wire_id() const = 0;
  virtual std::string_view name() const = 0;

  virtual std::size_t max_compressed_size(std::size_t raw_bytes) const = 0;

  // Gives the number of bytes written to `to`. kInvalidArgument if `to` is smaller than
  // max_compressed_size(from.size()) or `from` larger than kCodecBytesMax.
  virtual Result<std::size_t> compress(ByteView from, MutableByteView to) const = 0;

  // `to` has exactly the size of the raw bytes (the block's header knows it). kCorruption when
  // `from` is not what compress() gave for that many bytes; never reads or writes out of bounds.
  virtual Status decompress(ByteView from, MutableByteView to) const = 0;
};

}  // namespace coppice
