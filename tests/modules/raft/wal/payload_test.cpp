// payload_test.cpp — compression of large payloads: when, round trips, damage.
#include "modules/raft/wal/payload.h"

#include <doctest/doctest.h>

#include <string>

#include "kernel/base/random.h"
#include "plugins/codec/zstd/zstd_codec.h"

namespace coppice::raft {
namespace {

const codec_zstd::ZstdCodec kZstd(1);
const Codec* const kCodecs[] = {&kZstd};

ByteBuffer noise(std::size_t size) {
  Rng rng(1);
  ByteBuffer bytes(size);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(rng.next());
  return bytes;
}

ByteBuffer text(std::size_t size) {
  ByteBuffer bytes;
  while (bytes.size() < size) append(bytes, as_bytes("order " + std::to_string(bytes.size())));
  bytes.resize(size);
  return bytes;
}

TEST_CASE("small payloads and noise are stored as they are") {
  CHECK_FALSE(compress_payload(kZstd, text(kCompressFrom)));
  CHECK(compress_payload(kZstd, text(kCompressFrom + 1)));
  CHECK_FALSE(compress_payload(kZstd, noise(1 << 20)));
  // The sample promises what the rest does not keep.
  ByteBuffer mixed = noise(1 << 20);
  std::ranges::copy(text(8 << 10), mixed.begin() + (mixed.size() - (8 << 10)) / 2);
  CHECK_FALSE(compress_payload(kZstd, mixed));
}

TEST_CASE("payloads of any number of frames come back") {
  for (const std::size_t size :
       {kCompressFrom + 1, kFrameBytes - 1, kFrameBytes, kFrameBytes + 1, 3 * kFrameBytes + 77}) {
    CAPTURE(size);
    const ByteBuffer raw = text(size);
    const auto stored = compress_payload(kZstd, raw);
    REQUIRE(stored);
    CHECK(stored->size() < raw.size() / 2);
    const auto back = decompress_payload(kCodecs, *stored, raw.size());
    REQUIRE(back);
    CHECK(*back == raw);
  }
}

TEST_CASE("a frame that does not shrink is kept raw among those that do") {
  ByteBuffer raw = text(4 * kFrameBytes);
  std::ranges::copy(noise(kFrameBytes), raw.begin());
  const auto stored = compress_payload(kZstd, raw);
  REQUIRE(stored);
  CHECK(*decompress_payload(kCodecs, *stored, raw.size()) == raw);
}

TEST_CASE("damaged frames are errors") {
  const ByteBuffer raw = text(2 * kFrameBytes + 5);
  const ByteBuffer stored = *compress_payload(kZstd, raw);
  CHECK(decompress_payload({}, stored, raw.size()).error().code() == Code::kUnsupported);
  CHECK_FALSE(decompress_payload(kCodecs, ByteView(stored).first(stored.size() - 1), raw.size()));
  CHECK_FALSE(decompress_payload(kCodecs, stored, raw.size() - 1));
  CHECK_FALSE(decompress_payload(kCodecs, stored, raw.size() + 1));
  ByteBuffer longer = stored;
  longer.push_back(std::byte{0});
  CHECK_FALSE(decompress_payload(kCodecs, longer, raw.size()));
  for (std::size_t at = 0; at < stored.size(); at += 97)
    static_cast<void>(decompress_payload(kCodecs, ByteView(stored).subspan(at), raw.size()));
}

}  // namespace
}  // namespace coppice::raft
