// id_set.cpp — sparse and dense ids: encode, decode, probe.
#include "modules/lsm/bitmap/id_set.h"

#include <algorithm>
#include <array>

#include "kernel/base/assert.h"
#include "modules/lsm/bitmap/gap_block.h"

namespace coppice::lsm {
namespace {

constexpr std::size_t kSparseEntryBytes = 8;  // first id u32, offset << 6 | width u32
constexpr std::size_t kDenseEntryBytes = 8;   // chunk u16, ids − 1 u16, offset << 2 | kind u32
constexpr std::size_t kBitmapBytes = 8192;
constexpr std::size_t kArrayBytesPerId = 2;
constexpr std::size_t kRunBytes = 4;

enum ContainerKind : std::uint32_t { kArray = 0, kBitmap = 1, kRuns = 2 };

std::uint16_t load_u16(const std::byte* from, std::size_t i) {
  return load_le<std::uint16_t>(from + 2 * i);
}

// Position of the first element at or above `value`; no branch depends on the data.
std::size_t lower_bound_u16(const std::byte* from, std::size_t size, std::uint16_t value) {
  std::size_t at = 0;
  while (size > 1) {
    const std::size_t half = size / 2;
    at += load_u16(from, at + half - 1) < value ? half : 0;
    size -= half;
  }
  return at + (size == 1 && load_u16(from, at) < value ? 1 : 0);
}

void mark_present(Mark& mark) {
  if (mark == Mark::kUnknown) mark = Mark::kPresent;
}

}  // namespace

std::size_t gallop(IdSpan ids, std::size_t from, std::uint64_t id) {
  std::size_t step = 1;
  std::size_t low = from;
  while (low + step <= ids.size() && ids[low + step - 1] < id) {
    low += step;
    step *= 2;
  }
  const auto begin = ids.begin() + static_cast<std::ptrdiff_t>(low);
  const auto end = ids.begin() + static_cast<std::ptrdiff_t>(std::min(ids.size(), low + step));
  return static_cast<std::size_t>(std::lower_bound(begin, end, id) - ids.begin());
}

// --- sparse
// ----------------------------------------------------------------------------------------

struct SparseIds::Block {
  GapBlock ids;
  unsigned count = 0;
};

SparseIds::SparseIds(ByteView body, std::uint64_t base, std::uint32_t count)
    : body_(body), base_(base), count_(count), blocks_((count + kGapBlockIds - 1) / kGapBlockIds) {
  const std::size_t table = blocks_ == 1 ? 1 : blocks_ * kSparseEntryBytes;
  if (body.size() < table) blocks_ = 0;
}

// Precondition: more than one block, i < blocks_.
std::uint64_t SparseIds::first_id(std::uint32_t i) const {
  return base_ + load_le<std::uint32_t>(body_.data() + i * 4);
}

bool SparseIds::block(std::uint32_t i, Block& out) const {
  out.count = std::min(kGapBlockIds, count_ - i * kGapBlockIds);
  if (blocks_ == 1) {
    const auto width = static_cast<unsigned>(body_[0]);
    return unpack_gaps(body_.subspan(1), width, base_, out.count, out.ids);
  }
  const std::uint32_t entry = load_le<std::uint32_t>(body_.data() + (blocks_ + i) * 4);
  const std::size_t offset = (entry >> 6) + blocks_ * kSparseEntryBytes;
  if (offset > body_.size()) return false;
  return unpack_gaps(body_.subspan(offset), entry & 63, first_id(i), out.count, out.ids);
}

bool SparseIds::decode(Ids& to) const {
  if (blocks_ == 0) return false;
  Block current;
  for (std::uint32_t i = 0; i < blocks_; ++i) {
    if (!block(i, current)) return false;
    to.insert(to.end(), current.ids.begin(), current.ids.begin() + current.count);
  }
  return true;
}

bool SparseIds::probe(IdSpan ids, std::span<Mark> marks) const {
  if (blocks_ == 0) return false;
  Block current;
  std::uint32_t at = 0;
  for (std::size_t i = gallop(ids, 0, base_); i < ids.size();) {
    // The last block that starts at or below ids[i].
    std::uint32_t step = 1;
    while (at + step < blocks_ && first_id(at + step) <= ids[i]) {
      at += step;
      step *= 2;
    }
    for (; step > 0; step /= 2) {
      if (at + step < blocks_ && first_id(at + step) <= ids[i]) at += step;
    }
    if (!block(at, current)) return false;
    const IdSpan block_ids(current.ids.data(), current.count);
    const bool last_block = at + 1 == blocks_;
    std::size_t in_block = 0;
    for (; i < ids.size() && (last_block || ids[i] < first_id(at + 1)); ++i) {
      in_block = gallop(block_ids, in_block, ids[i]);
      if (in_block == block_ids.size()) break;
      if (block_ids[in_block] == ids[i]) mark_present(marks[i]);
    }
    if (last_block) break;
    if (i < ids.size() && ids[i] < first_id(at + 1)) i = gallop(ids, i, first_id(at + 1));
    ++at;
  }
  return true;
}

void encode_sparse(std::span<const std::uint32_t> relative, ByteBuffer& to) {
  COPPICE_ASSERT(!relative.empty() && relative.front() == 0);
  const std::size_t blocks = (relative.size() + kGapBlockIds - 1) / kGapBlockIds;
  const auto block = [&](std::size_t i) {
    const std::size_t from = i * kGapBlockIds;
    return relative.subspan(from, std::min<std::size_t>(kGapBlockIds, relative.size() - from));
  };
  if (blocks == 1) {
    const unsigned width = gap_width(relative);
    to.push_back(static_cast<std::byte>(width));
    pack_gaps(relative, width, to);
    return;
  }
  const std::size_t table = to.size();
  to.resize(table + blocks * kSparseEntryBytes);
  const std::size_t packed = to.size();
  for (std::size_t i = 0; i < blocks; ++i) {
    const unsigned width = gap_width(block(i));
    const std::size_t offset = to.size() - packed;
    COPPICE_ASSERT(offset < (1u << 26));
    store_le(to.data() + table + i * 4, block(i).front());
    store_le(to.data() + table + (blocks + i) * 4, static_cast<std::uint32_t>(offset << 6 | width));
    pack_gaps(block(i), width, to);
  }
}

// --- dense
// -----------------------------------------------------------------------------------------

struct DenseIds::Container {
  std::uint64_t first_id = 0;  // of the chunk
  std::uint32_t ids = 0;
  std::uint32_t kind = kArray;
  const std::byte* data = nullptr;
  std::size_t runs = 0;

  bool decode(Ids& to) const;
  void probe_one(std::uint16_t value, std::size_t& at, Mark& mark) const;
};

DenseIds::DenseIds(ByteView body, std::uint64_t base, std::uint32_t count)
    : body_(body), base_(base), count_(count) {
  if (body.size() < 4) return;
  const std::uint32_t containers = load_le<std::uint32_t>(body.data());
  if (containers > kDenseChunkIds || containers > (body.size() - 4) / kDenseEntryBytes) return;
  containers_ = containers;
}

std::uint16_t DenseIds::key(std::uint32_t i) const {
  return load_le<std::uint16_t>(body_.data() + 4 + i * kDenseEntryBytes);
}

bool DenseIds::container(std::uint32_t i, Container& out) const {
  const std::byte* entry = body_.data() + 4 + i * kDenseEntryBytes;
  const std::uint32_t where = load_le<std::uint32_t>(entry + 4);
  out.first_id = base_ + load_le<std::uint16_t>(entry) * kDenseChunkIds;
  out.ids = load_le<std::uint16_t>(entry + 2) + 1u;
  out.kind = where & 3;
  const std::size_t offset = where >> 2;
  if (offset > body_.size()) return false;
  const std::size_t room = body_.size() - offset;
  out.data = body_.data() + offset;
  switch (out.kind) {
    case kArray:
      return room >= out.ids * kArrayBytesPerId;
    case kBitmap:
      return room >= kBitmapBytes;
    case kRuns:
      if (room < 2) return false;
      out.runs = load_le<std::uint16_t>(out.data);
      out.data += 2;
      return room - 2 >= out.runs * kRunBytes;
    default:
      return false;
  }
}

bool DenseIds::Container::decode(Ids& to) const {
  const std::size_t start = to.size();
  to.resize(start + ids);
  std::uint64_t* next = to.data() + start;
  std::uint64_t* const end = next + ids;
  if (kind == kArray) {
    for (std::size_t i = 0; i < ids; ++i) next[i] = first_id + load_u16(data, i);
    return true;
  }
  if (kind == kBitmap) {
    for (std::size_t word = 0; word < kBitmapBytes / 8; ++word) {
      std::uint64_t bits = load_le<std::uint64_t>(data + word * 8);
      for (; bits != 0 && next < end; bits &= bits - 1) {
        *next++ = first_id + word * 64 + static_cast<unsigned>(std::countr_zero(bits));
      }
      if (bits != 0) return false;
    }
    return next == end;
  }
  for (std::size_t run = 0; run < runs; ++run) {
    const std::uint64_t from = first_id + load_u16(data, 2 * run);
    const std::uint64_t length = load_u16(data, 2 * run + 1) + 1u;
    if (length > static_cast<std::uint64_t>(end - next)) return false;
    for (std::uint64_t i = 0; i < length; ++i) *next++ = from + i;
  }
  return next == end;
}

// `at` remembers where in an array or in the runs the previous, smaller value was found.
void DenseIds::Container::probe_one(std::uint16_t value, std::size_t& at, Mark& mark) const {
  if (kind == kArray) {
    at += lower_bound_u16(data + 2 * at, ids - at, value);
    if (at < ids && load_u16(data, at) == value) mark_present(mark);
  } else if (kind == kBitmap) {
    const auto byte = static_cast<unsigned>(data[value / 8]);
    if ((byte >> (value % 8) & 1) != 0) mark_present(mark);
  } else {
    while (at < runs && load_u16(data, 2 * at) + load_u16(data, 2 * at + 1) < value) ++at;
    if (at < runs && load_u16(data, 2 * at) <= value) mark_present(mark);
  }
}

bool DenseIds::decode(Ids& to) const {
  if (containers_ == 0) return false;
  std::uint64_t left = count_;
  Container current;
  for (std::uint32_t i = 0; i < containers_; ++i) {
    if (!container(i, current) || current.ids > left) return false;
    left -= current.ids;
    if (!current.decode(to)) return false;
  }
  return left == 0;
}

bool DenseIds::probe(IdSpan ids, std::span<Mark> marks) const {
  if (containers_ == 0) return false;
  Container current;
  std::uint32_t at = 0;
  for (std::size_t i = gallop(ids, 0, base_); i < ids.size();) {
    const std::uint64_t chunk = (ids[i] - base_) / kDenseChunkIds;
    while (at < containers_ && key(at) < chunk) ++at;
    if (at == containers_) break;
    if (key(at) > chunk) {
      i = gallop(ids, i, base_ + key(at) * kDenseChunkIds);
      continue;
    }
    if (!container(at, current)) return false;
    std::size_t inside = 0;
    for (; i < ids.size() && ids[i] - current.first_id < kDenseChunkIds; ++i) {
      current.probe_one(static_cast<std::uint16_t>(ids[i] - current.first_id), inside, marks[i]);
    }
    ++at;
  }
  return true;
}

namespace {

std::size_t count_runs(std::span<const std::uint32_t> ids) {
  std::size_t runs = 1;
  for (std::size_t i = 1; i < ids.size(); ++i) runs += ids[i] != ids[i - 1] + 1 ? 1 : 0;
  return runs;
}

std::size_t container_bytes(std::size_t ids, std::size_t runs) {
  return std::min({ids * kArrayBytesPerId, kBitmapBytes, 2 + runs * kRunBytes});
}

ContainerKind encode_container(std::span<const std::uint32_t> ids, ByteBuffer& to) {
  const std::size_t runs = count_runs(ids);
  const std::size_t bytes = container_bytes(ids.size(), runs);
  const std::size_t at = to.size();
  to.resize(at + bytes);
  std::byte* next = to.data() + at;
  if (bytes == ids.size() * kArrayBytesPerId) {
    for (const std::uint32_t id : ids) {
      store_le(next, static_cast<std::uint16_t>(id));
      next += 2;
    }
    return kArray;
  }
  if (bytes == kBitmapBytes) {
    for (const std::uint32_t id : ids) {
      const auto low = static_cast<std::uint16_t>(id);
      next[low / 8] |= std::byte{1} << (low % 8);
    }
    return kBitmap;
  }
  store_le(next, static_cast<std::uint16_t>(runs));
  next += 2;
  for (std::size_t i = 0; i < ids.size();) {
    std::size_t end = i + 1;
    while (end < ids.size() && ids[end] == ids[end - 1] + 1) ++end;
    store_le(next, static_cast<std::uint16_t>(ids[i]));
    store_le(next + 2, static_cast<std::uint16_t>(end - i - 1));
    next += 4;
    i = end;
  }
  return kRuns;
}

}  // namespace

void encode_dense(std::span<const std::uint32_t> relative, ByteBuffer& to) {
  COPPICE_ASSERT(!relative.empty());
  std::uint32_t containers = 1;
  for (std::size_t i = 1; i < relative.size(); ++i) {
    containers += relative[i] >> 16 != relative[i - 1] >> 16 ? 1 : 0;
  }
  const std::size_t start = to.size();
  to.resize(start + 4 + containers * kDenseEntryBytes);
  store_le(to.data() + start, containers);
  std::size_t entry = start + 4;
  for (std::size_t i = 0; i < relative.size(); entry += kDenseEntryBytes) {
    std::size_t end = i + 1;
    while (end < relative.size() && relative[end] >> 16 == relative[i] >> 16) ++end;
    const std::size_t offset = to.size() - start;
    COPPICE_ASSERT(offset < (1u << 30));
    const ContainerKind kind = encode_container(relative.subspan(i, end - i), to);
    store_le(to.data() + entry, static_cast<std::uint16_t>(relative[i] >> 16));
    store_le(to.data() + entry + 2, static_cast<std::uint16_t>(end - i - 1));
    store_le(to.data() + entry + 4, static_cast<std::uint32_t>(offset << 2 | kind));
    i = end;
  }
}

std::size_t DenseSize::open_bytes() const {
  return ids_ == 0 ? 0 : kDenseEntryBytes + container_bytes(ids_, runs_);
}

void DenseSize::add(std::uint64_t id) {
  if (id / kDenseChunkIds != chunk_) {
    closed_bytes_ += open_bytes();
    chunk_ = id / kDenseChunkIds;
    ids_ = 0;
    runs_ = 0;
  }
  if (ids_ == 0 || id != last_ + 1) ++runs_;
  ++ids_;
  last_ = id;
}

}  // namespace coppice::lsm
