// sha2.cpp — both word sizes of SHA-2 in one template.
#include "plugins/sql/text/sha2.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "kernel/base/bytes.h"

namespace coppice::sql_text {
namespace {

// The first 64 bits behind the point of the cube roots of the first 80 primes; SHA-256 takes the
// upper halves of the first 64.
constexpr std::array<std::uint64_t, 80> kConstants = {
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc,
    0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118,
    0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
    0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694,
    0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
    0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5,
    0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4,
    0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x06ca6351e003826f, 0x142929670a0e6e70,
    0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df,
    0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
    0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30,
    0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8,
    0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8,
    0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3,
    0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
    0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b,
    0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178,
    0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b,
    0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c,
    0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817};

using State32 = std::array<std::uint32_t, 8>;
using State64 = std::array<std::uint64_t, 8>;
constexpr State32 kStart224 = {0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939,
                               0xffc00b31, 0x68581511, 0x64f98fa7, 0xbefa4fa4};
constexpr State32 kStart256 = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                               0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
constexpr State64 kStart384 = {0xcbbb9d5dc1059ed8, 0x629a292a367cd507, 0x9159015a3070dd17,
                               0x152fecd8f70e5939, 0x67332667ffc00b31, 0x8eb44a8768581511,
                               0xdb0c2e0d64f98fa7, 0x47b5481dbefa4fa4};
constexpr State64 kStart512 = {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b,
                               0xa54ff53a5f1d36f1, 0x510e527fade682d1, 0x9b05688c2b3e6c1f,
                               0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};

template <class Word>
struct Rounds;
template <>
struct Rounds<std::uint32_t> {
  static constexpr int kCount = 64;
  static std::uint32_t constant(int i) {
    return static_cast<std::uint32_t>(kConstants[static_cast<std::size_t>(i)] >> 32);
  }
  static std::uint32_t big0(std::uint32_t x) {
    return std::rotr(x, 2) ^ std::rotr(x, 13) ^ std::rotr(x, 22);
  }
  static std::uint32_t big1(std::uint32_t x) {
    return std::rotr(x, 6) ^ std::rotr(x, 11) ^ std::rotr(x, 25);
  }
  static std::uint32_t small0(std::uint32_t x) {
    return std::rotr(x, 7) ^ std::rotr(x, 18) ^ (x >> 3);
  }
  static std::uint32_t small1(std::uint32_t x) {
    return std::rotr(x, 17) ^ std::rotr(x, 19) ^ (x >> 10);
  }
};
template <>
struct Rounds<std::uint64_t> {
  static constexpr int kCount = 80;
  static std::uint64_t constant(int i) { return kConstants[static_cast<std::size_t>(i)]; }
  static std::uint64_t big0(std::uint64_t x) {
    return std::rotr(x, 28) ^ std::rotr(x, 34) ^ std::rotr(x, 39);
  }
  static std::uint64_t big1(std::uint64_t x) {
    return std::rotr(x, 14) ^ std::rotr(x, 18) ^ std::rotr(x, 41);
  }
  static std::uint64_t small0(std::uint64_t x) {
    return std::rotr(x, 1) ^ std::rotr(x, 8) ^ (x >> 7);
  }
  static std::uint64_t small1(std::uint64_t x) {
    return std::rotr(x, 19) ^ std::rotr(x, 61) ^ (x >> 6);
  }
};

template <class Word>
void absorb(std::array<Word, 8>& state, const std::byte* block) {
  using R = Rounds<Word>;
  std::array<Word, R::kCount> w;
  for (std::size_t i = 0; i < 16; ++i) w[i] = load_be<Word>(block + i * sizeof(Word));
  for (std::size_t i = 16; i < w.size(); ++i)
    w[i] = R::small1(w[i - 2]) + w[i - 7] + R::small0(w[i - 15]) + w[i - 16];
  auto [a, b, c, d, e, f, g, h] = state;
  for (int i = 0; i < R::kCount; ++i) {
    const Word t1 =
        h + R::big1(e) + ((e & f) ^ (~e & g)) + R::constant(i) + w[static_cast<std::size_t>(i)];
    const Word t2 = R::big0(a) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  const std::array<Word, 8> added = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) state[i] += added[i];
}

template <class Word>
void hash(std::array<Word, 8> state, std::string_view bytes, std::size_t digest_bytes,
          std::string& to) {
  constexpr std::size_t kBlock = 16 * sizeof(Word);
  const std::byte* const data = as_bytes(bytes).data();
  std::size_t at = 0;
  for (; at + kBlock <= bytes.size(); at += kBlock) absorb<Word>(state, data + at);
  std::array<std::byte, 2 * kBlock> tail{};
  const std::size_t rest = bytes.size() - at;
  if (rest != 0) std::memcpy(tail.data(), data + at, rest);
  tail[rest] = std::byte{0x80};
  const std::size_t size = rest + 1 + 2 * sizeof(Word) <= kBlock ? kBlock : 2 * kBlock;
  store_be(tail.data() + size - 8, static_cast<std::uint64_t>(bytes.size()) * 8);
  for (std::size_t i = 0; i < size; i += kBlock) absorb<Word>(state, tail.data() + i);
  std::array<std::byte, 8 * sizeof(Word)> digest;
  for (std::size_t i = 0; i < 8; ++i) store_be(digest.data() + i * sizeof(Word), state[i]);
  to.append(as_text(ByteView(digest)).substr(0, digest_bytes));
}

}  // namespace

void append_sha2(Sha2 kind, std::string_view bytes, std::string& to) {
  switch (kind) {
    case Sha2::k224:
      return hash(kStart224, bytes, 28, to);
    case Sha2::k256:
      return hash(kStart256, bytes, 32, to);
    case Sha2::k384:
      return hash(kStart384, bytes, 48, to);
    case Sha2::k512:
      return hash(kStart512, bytes, 64, to);
  }
}

}  // namespace coppice::sql_text
