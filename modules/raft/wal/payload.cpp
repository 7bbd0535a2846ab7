#include "modules/raft/wal/payload.h"

#include <algorithm>
#include <string>

#include "interfaces/consensus.h"
#include "kernel/base/coding.h"

namespace coppice::raft {
namespace {

constexpr std::size_t kSampleBytes = 4 << 10;
constexpr std::size_t kSavedPercentMin = 10;
constexpr std::uint32_t kFrameIsRaw = 1u << 31;

bool worth_it(std::size_t raw, std::size_t compressed) {
  return compressed <= raw - raw * kSavedPercentMin / 100;
}

bool sample_compresses(const Codec& codec, ByteView raw, ByteBuffer& scratch) {
  const ByteView sample = raw.subspan((raw.size() - kSampleBytes) / 2, kSampleBytes);
  const auto size = codec.compress(sample, scratch);
  return size && worth_it(sample.size(), *size);
}

}  // namespace

std::optional<ByteBuffer> compress_payload(const Codec& codec, ByteView raw) {
  if (raw.size() <= kCompressFrom) return std::nullopt;
  ByteBuffer scratch(codec.max_compressed_size(std::min(raw.size(), kFrameBytes)));
  if (!sample_compresses(codec, raw, scratch)) return std::nullopt;
  ByteBuffer stored;
  ByteWriter writer(stored);
  writer.u8(codec.wire_id());
  for (ByteView rest = raw; !rest.empty();) {
    const ByteView frame = rest.first(std::min(rest.size(), kFrameBytes));
    const auto size = codec.compress(frame, scratch);
    const bool smaller = size && *size < frame.size();
    const ByteView bytes = smaller ? ByteView(scratch).first(*size) : frame;
    const auto length = static_cast<std::uint32_t>(bytes.size());
    writer.u32(smaller ? length : length | kFrameIsRaw);
    writer.bytes(bytes);
    rest = rest.subspan(frame.size());
  }
  if (!worth_it(raw.size(), stored.size())) return std::nullopt;
  return stored;
}

Result<ByteBuffer> decompress_payload(std::span<const Codec* const> codecs, ByteView stored,
                                      std::size_t raw_bytes) {
  ByteReader reader(stored);
  const CodecWireId id = reader.u8();
  const auto codec =
      std::ranges::find_if(codecs, [id](const Codec* each) { return each->wire_id() == id; });
  if (codec == codecs.end())
    return fail(Code::kUnsupported, "no codec with wire id " + std::to_string(id));
  if (raw_bytes > kEntryBytesMax) return fail(Code::kCorruption, "record length out of range");
  ByteBuffer raw(raw_bytes);
  for (MutableByteView rest = raw; !rest.empty();) {
    const MutableByteView frame = rest.first(std::min(rest.size(), kFrameBytes));
    const std::uint32_t length = reader.u32();
    const ByteView bytes = reader.bytes(length & ~kFrameIsRaw);
    if (!reader.ok()) return fail(Code::kCorruption, "compressed record is too short");
    if ((length & kFrameIsRaw) == 0) {
      COPPICE_TRY((*codec)->decompress(bytes, frame));
    } else {
      if (bytes.size() != frame.size()) return fail(Code::kCorruption, "frame of a wrong length");
      std::ranges::copy(bytes, frame.begin());
    }
    rest = rest.subspan(frame.size());
  }
  if (!reader.done()) return fail(Code::kCorruption, "compressed record is too long");
  return raw;
}

}  // namespace coppice::raft
