// codec_contract.cpp — round trips, refusals, and hostile bytes.
#include "tests/contract/codec_contract.h"

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>
#include "kernel/base/random.h"

namespace coppice {
namespace {

constexpr std::uint64_t kSeed = 77;
constexpr std::byte kGuard{0xEE};

// `entropy` 256: noise; 1: one byte repeated.
ByteBuffer data_of(std::size_t size, unsigned entropy, std::uint64_t seed) {
  Rng rng(seed);
  ByteBuffer bytes(size);
  for (std::byte& b : bytes) b = static_cast<std::byte>(rng.below(entropy));
  return bytes;
}

Result<ByteBuffer> compressed(const Codec& codec, ByteView raw) {
  ByteBuffer out(codec.max_compressed_size(raw.size()));
  const std::size_t size = COPPICE_TRY(codec.compress(raw, out));
  CHECK(size <= out.size());
  out.resize(size);
  return out;
}

// Decompresses between guards: nothing but `size` bytes may be touched, whatever `from` is.
Status decompress_guarded(const Codec& codec, ByteView from, std::size_t size, ByteBuffer& out) {
  constexpr std::size_t kMargin = 64;
  ByteBuffer room(size + 2 * kMargin, kGuard);
  // A copy of exactly the right size lets AddressSanitizer see a read past the end.
  const ByteBuffer exact(from.begin(), from.end());
  const Status status = codec.decompress(exact, MutableByteView(room).subspan(kMargin, size));
  const auto is_guard = [](std::byte b) { return b == kGuard; };
  CHECK(std::all_of(room.begin(), room.begin() + kMargin, is_guard));
  CHECK(std::all_of(room.end() - kMargin, room.end(), is_guard));
  out.assign(room.begin() + kMargin, room.end() - kMargin);
  if (!status) return std::unexpected(status.error().clone());
  return {};
}

void round_trips(const Codec& codec) {
  for (const std::size_t size : {0UL, 1UL, 2UL, 15UL, 255UL, 4096UL, 8192UL, 65537UL, 1000003UL}) {
    for (const unsigned entropy : {1U, 2U, 16U, 256U}) {
      CAPTURE(size);
      CAPTURE(entropy);
      const ByteBuffer raw = data_of(size, entropy, kSeed + size);
      const auto packed = compressed(codec, raw);
      REQUIRE(packed.has_value());
      ByteBuffer out;
      CHECK(decompress_guarded(codec, *packed, size, out).has_value());
      CHECK(out == raw);
    }
  }
  const ByteBuffer largest(kCodecBytesMax);
  const auto packed = compressed(codec, largest);
  REQUIRE(packed.has_value());
  ByteBuffer out;
  CHECK(decompress_guarded(codec, *packed, largest.size(), out).has_value());
}

void refusals(const Codec& codec) {
  const ByteBuffer raw = data_of(1000, 256, kSeed);
  const std::size_t bound = codec.max_compressed_size(raw.size());
  CHECK(bound >= raw.size());
  CHECK(codec.max_compressed_size(0) <= codec.max_compressed_size(1));
  ByteBuffer small(bound - 1);
  const auto too_small = codec.compress(raw, small);
  REQUIRE_FALSE(too_small.has_value());
  CHECK(too_small.error().code() == Code::kInvalidArgument);
  const ByteBuffer huge(kCodecBytesMax + 1);
  ByteBuffer room(codec.max_compressed_size(huge.size()));
  const auto too_large = codec.compress(huge, room);
  REQUIRE_FALSE(too_large.has_value());
  CHECK(too_large.error().code() == Code::kInvalidArgument);
}

void wrong_sizes_are_corruption(const Codec& codec) {
  const ByteBuffer raw = data_of(5000, 16, kSeed);
  const ByteBuffer packed = compressed(codec, raw).value();
  ByteBuffer out;
  for (const std::size_t size : {0UL, 1UL, 4999UL, 5001UL, 100000UL}) {
    CAPTURE(size);
    const Status status = decompress_guarded(codec, packed, size, out);
    REQUIRE_FALSE(status.has_value());
    CHECK(status.error().code() == Code::kCorruption);
  }
  for (std::size_t cut = 0; cut < packed.size(); cut += 97) {
    CHECK_FALSE(
        decompress_guarded(codec, ByteView(packed).first(cut), raw.size(), out).has_value());
  }
}

// A codec need not notice every changed byte (the block's checksum does), but must answer.
void hostile_bytes_do_no_harm(const Codec& codec) {
  Rng rng(kSeed);
  const ByteBuffer raw = data_of(3000, 16, kSeed);
  const ByteBuffer packed = compressed(codec, raw).value();
  ByteBuffer out;
  for (int round = 0; round < 500; ++round) {
    ByteBuffer bad = packed;
    for (std::uint64_t i = 0; i <= rng.below(8); ++i) {
      bad[rng.below(bad.size())] = static_cast<std::byte>(rng.next());
    }
    const Status changed = decompress_guarded(codec, bad, raw.size(), out);
    CHECK((changed || changed.error().code() == Code::kCorruption));
    const ByteBuffer noise = data_of(rng.below(500), 256, rng.next());
    const Status noisy = decompress_guarded(codec, noise, rng.below(500), out);
    CHECK((noisy || noisy.error().code() == Code::kCorruption));
  }
}

void many_threads_share_one(const Codec& codec) {
  std::atomic<int> failures = 0;
  {
    std::vector<std::jthread> threads;
    for (unsigned t = 0; t < 4; ++t) {
      threads.emplace_back([&codec, &failures, t] {
        for (std::uint64_t round = 0; round < 50; ++round) {
          const ByteBuffer raw = data_of(1 + round * 100, 8, t * 1000 + round);
          ByteBuffer packed(codec.max_compressed_size(raw.size()));
          const auto size = codec.compress(raw, packed);
          ByteBuffer out(raw.size());
          const bool good =
              size && codec.decompress(ByteView(packed).first(*size), out) && out == raw;
          failures += good ? 0 : 1;
        }
      });
    }
  }
  CHECK(failures == 0);
}

}  // namespace

void codec_contract(const Codec& codec) {
  INFO("codec: ", codec.name());
  round_trips(codec);
  refusals(codec);
  wrong_sizes_are_corruption(codec);
  hostile_bytes_do_no_harm(codec);
  many_threads_share_one(codec);
}

}  // namespace coppice
