// id_set.h — the ids of a posting part in place: sparse and dense form.
//
// Role:     SparseIds are blocks of 128 bit-packed gaps behind a table of first ids; DenseIds are
//           containers of 65,536 ids behind a directory: array, bitmap or runs. Both are read where
//           they lie; a probe touches only what it needs. docs/formats/index.md has the bytes.
// Owns:     nothing: views of a block that the caller keeps alive.
// Errors:   functions that touch content return false when the bytes are not what an encoder wrote
//           (bounds are checked at every use, order of ids is not).
// Source:   the containers follow Chambi, Lemire et al., "Better bitmap performance with Roaring
//           bitmaps" (2016).
#pragma once

#include <vector>

#include "interfaces/types/egid.h"
#include "kernel/base/bytes.h"

namespace coppice::lsm {

using Ids = std::vector<Egid>;  // RowIds of interfaces/storage_engine.h
using IdSpan = std::span<const Egid>;

// What a probe says about an id; anything but kUnknown is final (a newer layer decided).
enum class Mark : std::uint8_t { kUnknown, kPresent, kAbsent };

inline constexpr std::uint64_t kDenseChunkIds = 65536;
constexpr std::uint64_t dense_base(std::uint64_t id) {
  return id & ~(kDenseChunkIds - 1);
}

class SparseIds {
 public:
  SparseIds(ByteView body, std::uint64_t base, std::uint32_t count);

  bool decode(Ids& to) const;
  // Marks kPresent those of the ascending `ids` that are in the set and unknown so far.
  bool probe(IdSpan ids, std::span<Mark> marks) const;

 private:
  struct Block;
  bool block(std::uint32_t i, Block& out) const;
  std::uint64_t first_id(std::uint32_t i) const;

  ByteView body_;
  std::uint64_t base_;
  std::uint32_t count_;
  std::uint32_t blocks_;
};

class DenseIds {
 public:
  DenseIds(ByteView body, std::uint64_t base, std::uint32_t count);

  bool decode(Ids& to) const;
  bool probe(IdSpan ids, std::span<Mark> marks) const;

 private:
  struct Container;
  bool container(std::uint32_t i, Container& out) const;
  std::uint16_t key(std::uint32_t i) const;

  ByteView body_;
  std::uint64_t base_;
  std::uint32_t count_;
  std::uint32_t containers_ = 0;  // 0 also when the body cannot hold its directory
};

// Encoders: `relative` ascending, each relative to the part's base (to dense_base() of it for
// dense).
void encode_sparse(std::span<const std::uint32_t> relative, ByteBuffer& to);
void encode_dense(std::span<const std::uint32_t> relative, ByteBuffer& to);

// Bytes that encode_dense would take, counted while ids arrive in order.
class DenseSize {
 public:
  void add(std::uint64_t id);
  std::size_t bytes() const { return closed_bytes_ + open_bytes(); }

 private:
  std::size_t open_bytes() const;
  std::size_t closed_bytes_ = 4;
  std::uint64_t chunk_ = UINT64_MAX;
  std::uint64_t last_ = 0;
  std::uint32_t ids_ = 0;
  std::uint32_t runs_ = 0;
};

// Index of the first of the ascending `ids` at or above `id`, looking from `from` on: doubling
// steps, then halving.
std::size_t gallop(IdSpan ids, std::size_t from, std::uint64_t id);

}  // namespace coppice::lsm
