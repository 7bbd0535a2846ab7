// zstd_codec.cpp — the only file that sees zstd.h.
#include "plugins/codec/zstd/zstd_codec.h"

#include <zstd.h>

#include "kernel/base/assert.h"

namespace coppice::codec_zstd {
namespace {

ZSTD_CCtx* make_compressor() {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  COPPICE_ASSERT(context != nullptr);  // out of memory, as anywhere else
  return context;
}
ZSTD_DCtx* make_decompressor() {
  ZSTD_DCtx* context = ZSTD_createDCtx();
  COPPICE_ASSERT(context != nullptr);
  return context;
}
void free_compressor(ZSTD_CCtx* context) {
  ZSTD_freeCCtx(context);
}
void free_decompressor(ZSTD_DCtx* context) {
  ZSTD_freeDCtx(context);
}

}  // namespace

struct ZstdCodec::Contexts {
  ContextPool<ZSTD_CCtx, free_compressor, make_compressor> compressors;
  ContextPool<ZSTD_DCtx, free_decompressor, make_decompressor> decompressors;
};

ZstdCodec::ZstdCodec(int level) : level_(level), contexts_(std::make_unique<Contexts>()) {}
ZstdCodec::~ZstdCodec() = default;

Result<std::unique_ptr<Codec>> ZstdCodec::create(const ZstdConfig& config, PluginContext&) {
  return std::make_unique<ZstdCodec>(config.level);
}

std::size_t ZstdCodec::max_compressed_size(std::size_t raw_bytes) const {
  return ZSTD_compressBound(raw_bytes);
}

Result<std::size_t> ZstdCodec::compress(ByteView from, MutableByteView to) const {
  if (from.size() > kCodecBytesMax || to.size() < max_compressed_size(from.size())) {
    return fail(Code::kInvalidArgument, "zstd: input too large or output too small");
  }
  ZSTD_CCtx* context = contexts_->compressors.take();
  const std::size_t written =
      ZSTD_compressCCtx(context, to.data(), to.size(), from.data(), from.size(), level_);
  contexts_->compressors.give(context);
  if (ZSTD_isError(written)) return fail(Code::kInternal, ZSTD_getErrorName(written));
  return written;
}

Status ZstdCodec::decompress(ByteView from, MutableByteView to) const {
  if (to.size() > kCodecBytesMax || from.size() > max_compressed_size(kCodecBytesMax)) {
    return fail(Code::kCorruption, "zstd: block larger than any that was written");
  }
  // In one pass, so that the output is the window: no allocation by a hostile header.
  ZSTD_DCtx* context = contexts_->decompressors.take();
  const std::size_t read =
      ZSTD_decompressDCtx(context, to.data(), to.size(), from.data(), from.size());
  contexts_->decompressors.give(context);
  if (ZSTD_isError(read)) {
    return fail(Code::kCorruption, std::string("zstd: ") + ZSTD_getErrorName(read));
  }
  if (read != to.size()) return fail(Code::kCorruption, "zstd: not a block of this size");
  return {};
}

void register_in(Inventory& inventory) {
  inventory.add_plugin<Codec, ZstdCodec>();
}

}  // namespace coppice::codec_zstd
