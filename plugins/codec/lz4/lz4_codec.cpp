// lz4_codec.cpp — the only file that sees lz4.h.
#include "plugins/codec/lz4/lz4_codec.h"

#include <lz4.h>

#include <algorithm>

namespace coppice::codec_lz4 {
namespace {

const char* as_chars(const std::byte* bytes) {
  return reinterpret_cast<const char*>(bytes);
}

}  // namespace

Result<std::unique_ptr<Codec>> Lz4Codec::create(const NoConfig&, PluginContext&) {
  return std::make_unique<Lz4Codec>();
}

std::size_t Lz4Codec::max_compressed_size(std::size_t raw_bytes) const {
  return raw_bytes + raw_bytes / 255 + 16;  // LZ4_COMPRESSBOUND, for any size
}

Result<std::size_t> Lz4Codec::compress(ByteView from, MutableByteView to) const {
  if (from.size() > kCodecBytesMax || to.size() < max_compressed_size(from.size())) {
    return fail(Code::kInvalidArgument, "lz4: input too large or output too small");
  }
  const std::size_t room = std::min<std::size_t>(to.size(), max_compressed_size(kCodecBytesMax));
  const int written =
      LZ4_compress_default(as_chars(from.data()), reinterpret_cast<char*>(to.data()),
                           static_cast<int>(from.size()), static_cast<int>(room));
  if (written <= 0) return fail(Code::kInternal, "lz4: compression failed");
  return static_cast<std::size_t>(written);
}

Status Lz4Codec::decompress(ByteView from, MutableByteView to) const {
  if (to.size() > kCodecBytesMax || from.size() > max_compressed_size(kCodecBytesMax)) {
    return fail(Code::kCorruption, "lz4: block larger than any that was written");
  }
  const int read = LZ4_decompress_safe(as_chars(from.data()), reinterpret_cast<char*>(to.data()),
                                       static_cast<int>(from.size()), static_cast<int>(to.size()));
  if (read < 0 || static_cast<std::size_t>(read) != to.size()) {
    return fail(Code::kCorruption, "lz4: not a block of this size");
  }
  return {};
}

void register_in(Inventory& inventory) {
  inventory.add_plugin<Codec, Lz4Codec>();
}

}  // namespace coppice::codec_lz4
