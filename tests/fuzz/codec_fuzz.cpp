// codec_fuzz.cpp — hostile bytes into every decompressor; round trips of anything.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernel/base/assert.h"
#include "plugins/codec/lz4/lz4_codec.h"
#include "plugins/codec/none/none_codec.h"
#include "plugins/codec/zstd/zstd_codec.h"

namespace {

void fuzz_one(const coppice::Codec& codec, coppice::ByteView bytes, std::size_t raw_size) {
  coppice::ByteBuffer out(raw_size);
  const coppice::Status status = codec.decompress(bytes, out);
  COPPICE_ASSERT(status || status.error().code() == coppice::Code::kCorruption);

  coppice::ByteBuffer packed(codec.max_compressed_size(bytes.size()));
  const auto size = codec.compress(bytes, packed);
  COPPICE_ASSERT(size.has_value());
  packed.resize(*size);
  coppice::ByteBuffer again(bytes.size());
  COPPICE_ASSERT(codec.decompress(packed, again).has_value());
  COPPICE_ASSERT(std::equal(again.begin(), again.end(), bytes.begin()));
}

}  // namespace

// The first two bytes say how many raw bytes are expected.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::size_t raw_size = data[0] | (static_cast<std::size_t>(data[1]) << 8);
  const coppice::ByteView bytes = std::as_bytes(std::span(data + 2, size - 2));
  static const coppice::codec_none::NoneCodec none;
  static const coppice::codec_lz4::Lz4Codec lz4;
  static const coppice::codec_zstd::ZstdCodec zstd(1);
  fuzz_one(none, bytes, raw_size);
  fuzz_one(lz4, bytes, raw_size);
  fuzz_one(zstd, bytes, raw_size);
  return 0;
}
