// payload.h — compression of large record payloads, in frames.
//
// Role:     payloads above kCompressFrom are compressed if a sample of them says so. Frames keep
//           each call of the codec within its limit, and let the caller give way in between.
// Threads:  any.   Parks: never.
// Errors:   kCorruption; kUnsupported for a codec that this binary lacks.
// Source:   docs/formats/wal.md.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "interfaces/codec.h"
#include "kernel/base/bytes.h"
#include "kernel/base/result.h"

namespace coppice::raft {

inline constexpr std::size_t kCompressFrom = 16 << 10;
inline constexpr std::size_t kFrameBytes = 1 << 20;  // raw bytes of all frames but the last

// Nothing when the payload is better stored as it is: small, or not compressible.
std::optional<ByteBuffer> compress_payload(const Codec& codec, ByteView raw);

// `codecs`: all of this binary.
Result<ByteBuffer> decompress_payload(std::span<const Codec* const> codecs, ByteView stored,
                                      std::size_t raw_bytes);

}  // namespace coppice::raft
