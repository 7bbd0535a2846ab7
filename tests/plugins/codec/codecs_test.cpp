// codecs_test.cpp — every codec keeps the contract; permanent ids; bytes that must stay readable.
#include <array>

#include <doctest/doctest.h>
#include "plugins/codec/lz4/lz4_codec.h"
#include "plugins/codec/none/none_codec.h"
#include "plugins/codec/zstd/zstd_codec.h"
#include "tests/contract/codec_contract.h"

namespace coppice {
namespace {

TEST_CASE("codec none keeps the contract") {
  codec_contract(codec_none::NoneCodec());
}
TEST_CASE("codec lz4 keeps the contract") {
  codec_contract(codec_lz4::Lz4Codec());
}
TEST_CASE("codec zstd keeps the contract at its lowest and highest level") {
  codec_contract(codec_zstd::ZstdCodec(1));
  codec_contract(codec_zstd::ZstdCodec(12));
}

TEST_CASE("compressible text shrinks") {
  std::string text;
  for (int i = 0; i < 500; ++i) text += "coppice " + std::to_string(i) + ", a wood; ";
  const codec_lz4::Lz4Codec lz4;
  const codec_zstd::ZstdCodec zstd(1);
  for (const Codec* codec : std::initializer_list<const Codec*>{&lz4, &zstd}) {
    ByteBuffer out(codec->max_compressed_size(text.size()));
    CHECK(codec->compress(as_bytes(text), out).value() < text.size() / 2);
  }
}

// Wire ids are in every file ever written.
TEST_CASE("wire ids are what docs/formats/wire-ids.md says") {
  CHECK(codec_none::NoneCodec().wire_id() == 0);
  CHECK(codec_lz4::Lz4Codec().wire_id() == 1);
  CHECK(codec_zstd::ZstdCodec(1).wire_id() == 2);
}

TEST_CASE("bytes compressed by the first version still decompress") {
  ByteBuffer out(20);
  const std::array<unsigned char, 9> lz4 = {0x1A, 'a', 0x01, 0x00, 0x50, 'a', 'a', 'a', 'a'};
  ByteBuffer from(lz4.size() + 1);
  std::memcpy(from.data(), lz4.data(), lz4.size());
  from.back() = std::byte{'a'};
  CHECK(codec_lz4::Lz4Codec().decompress(from, out).has_value());
  CHECK(as_text(out) == std::string(20, 'a'));
  // A zstd frame of one RLE block: magic, single segment with a size of 20, last block, 'a'.
  const std::array<unsigned char, 10> zstd = {0x28, 0xB5, 0x2F, 0xFD, 0x20,
                                              0x14, 0xA3, 0x00, 0x00, 'a'};
  out.assign(20, std::byte{0});
  CHECK(codec_zstd::ZstdCodec(1).decompress(std::as_bytes(std::span(zstd)), out).has_value());
  CHECK(as_text(out) == std::string(20, 'a'));
}

}  // namespace
}  // namespace coppice
