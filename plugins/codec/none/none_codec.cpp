// none_codec.cpp — a checked copy.
#include "plugins/codec/none/none_codec.h"

namespace coppice::codec_none {

Result<std::unique_ptr<Codec>> NoneCodec::create(const NoConfig&, PluginContext&) {
  return std::make_unique<NoneCodec>();
}

Result<std::size_t> NoneCodec::compress(ByteView from, MutableByteView to) const {
  if (from.size() > kCodecBytesMax || to.size() < from.size()) {
    return fail(Code::kInvalidArgument, "none: input too large or output too small");
  }
  if (!from.empty()) std::memcpy(to.data(), from.data(), from.size());
  return from.size();
}

Status NoneCodec::decompress(ByteView from, MutableByteView to) const {
  if (from.size() != to.size()) {
    return fail(Code::kCorruption, "none: stored size is not the raw size");
  }
  if (!from.empty()) std::memcpy(to.data(), from.data(), from.size());
  return {};
}

void register_in(Inventory& inventory) {
  inventory.add_plugin<Codec, NoneCodec>();
}

}  // namespace coppice::codec_none
