// index_file.cpp — writer and opener of what all index files share.
#include "modules/lsm/sstable/index_file.h"

#include <algorithm>

#include "kernel/base/assert.h"
#include "kernel/base/checksum.h"
#include "kernel/base/coding.h"

namespace coppice::lsm {
namespace {

constexpr std::uint64_t kMagic = 0x31584449434f5043;  // "CPOCIDX1"
constexpr std::uint32_t kVersion = 1;

struct Footer {
  std::uint32_t kind = 0;
  IndexExtent top, properties;
};

void write_footer(const Footer& footer, std::uint64_t file, std::uint64_t offset, ByteBuffer& to) {
  const std::size_t start = to.size();
  ByteWriter out(to);
  out.u64(0);  // checksum
  out.u64(kMagic);
  out.u32(kVersion);
  out.u32(footer.kind);
  out.u64(footer.top.offset);
  out.u64(footer.properties.offset);
  out.u32(footer.top.length);
  out.u32(footer.properties.length);
  out.zeros(kIndexFooterBytes - (to.size() - start));
  seal_block(MutableByteView(to).subspan(start), file, offset);
}

Result<Footer> read_footer(std::uint64_t file, const IndexExtent& at, ByteView bytes,
                           Verify verify) {
  const BlockRef ref{file, at.offset, at.length, BlockKind::kTop};
  if (bytes.size() != kIndexFooterBytes) return block_corrupt(ref, "footer is short");
  ByteReader in(bytes);
  in.u64();
  // The magic first: a file of another kind is not a damaged index file.
  if (in.u64() != kMagic) return block_corrupt(ref, "not an index file");
  if (verify == Verify::kChecksum) COPPICE_TRY(verify_block(ref, bytes));
  const std::uint32_t version = in.u32();
  if (version != kVersion) {
    return fail(
        Code::kUnsupportedVersion,
        "file " + std::to_string(file) + ": index file of version " + std::to_string(version));
  }
  Footer footer;
  footer.kind = in.u32();
  footer.top.offset = in.u64();
  footer.properties.offset = in.u64();
  footer.top.length = in.u32();
  footer.properties.length = in.u32();
  // Top, properties and footer follow each other, which is what makes them one read.
  const std::uint64_t top_end = footer.top.offset + footer.top.length;
  const std::uint64_t properties_end = footer.properties.offset + footer.properties.length;
  if (top_end < footer.top.offset || top_end != footer.properties.offset ||
      properties_end != at.offset) {
    return block_corrupt(ref, "footer does not meet its blocks");
  }
  return footer;
}

void write_position(const IndexPosition& position, ByteWriter& out) {
  out.sized_bytes(position.key);
  out.varint(position.egid);
}
IndexPosition read_position(ByteReader& in) {
  const ByteView key = in.sized_bytes();
  return {ByteBuffer(key.begin(), key.end()), in.varint()};
}

constexpr std::uint64_t kLossyFlag = 1;

void write_properties(const IndexProperties& properties, ByteWriter& out) {
  out.varint(properties.keys);
  out.varint(properties.entries);
  out.varint(properties.ids);
  out.varint(properties.deltas);
  out.varint(properties.newest.value);
  out.varint(properties.folded_through.value);
  out.varint(properties.lossy ? kLossyFlag : 0);
  write_position(properties.smallest, out);
  write_position(properties.largest, out);
}

bool read_properties(ByteView payload, IndexProperties& properties) {
  ByteReader in(payload);
  properties.keys = in.varint();
  properties.entries = in.varint();
  properties.ids = in.varint();
  properties.deltas = in.varint();
  properties.newest.value = in.varint();
  properties.folded_through.value = in.varint();
  properties.lossy = (in.varint() & kLossyFlag) != 0;
  properties.smallest = read_position(in);
  properties.largest = read_position(in);
  return in.done() && properties.newest <= Hlc::max() && properties.folded_through <= Hlc::max();
}

void write_block_entry(const IndexExtent& extent, std::uint64_t ids_limit, ByteWriter& out) {
  out.varint(extent.offset);
  out.varint(extent.length);
  out.varint(ids_limit);
}
IndexExtent read_extent(ByteReader& in) {
  const std::uint64_t offset = in.varint();
  const std::uint64_t length = in.varint();
  if (length > UINT32_MAX || length < kIndexFrameBytes) in.fail();
  return {offset, static_cast<std::uint32_t>(length)};
}

}  // namespace

// --- writing
// ---------------------------------------------------------------------------------------

IndexFileWriter::IndexFileWriter(const IndexWriterOptions& options, IndexSink sink)
    : options_(options), sink_(std::move(sink)), offset_(options.base_offset) {}

void IndexFileWriter::add_key(ByteView key) {
  const bool same = has_key_ && compare_keys(last_key_, key) == 0;
  if (!same) {
    last_key_.assign(key.begin(), key.end());
    has_key_ = true;
    ++keys_;
  }
  if (!same || !key_is_in_filter_) filter_.add(filter_hash(key));
  key_is_in_filter_ = true;
}

Result<IndexExtent> IndexFileWriter::write(BlockKind kind, ByteView payload) {
  framed_.clear();
  const bool data =
      kind == BlockKind::kEntries || kind == BlockKind::kPart || kind == BlockKind::kUnique;
  COPPICE_TRY(
      frame_block(kind, payload, data ? options_.codec : nullptr, options_.file, offset_, framed_));
  const IndexExtent extent{offset_, static_cast<std::uint32_t>(framed_.size())};
  COPPICE_TRY(sink_(framed_));
  offset_ += framed_.size();
  return extent;
}

Status IndexFileWriter::write_entries(BlockKind kind, ByteView payload, const IndexPosition& first,
                                      std::uint64_t ids_limit) {
  const IndexExtent extent = COPPICE_TRY(write(kind, payload));
  ByteBuffer value;
  ByteWriter out(value);
  write_block_entry(extent, ids_limit, out);
  if (partition_.empty()) partition_first_ = first;
  partition_.add(first.key, first.egid, value);
  partition_ids_ += ids_limit;
  if (partition_.bytes() >= kPartitionBytesTarget || filter_.keys() >= kPartitionKeysMax) {
    return end_partition();
  }
  return {};
}

Status IndexFileWriter::end_partition() {
  if (partition_.empty()) return {};
  const ByteBuffer bits = filter_.finish();
  const IndexExtent filter = COPPICE_TRY(write(BlockKind::kFilter, bits));
  const IndexExtent index = COPPICE_TRY(write(BlockKind::kPartition, partition_.finish()));
  ByteBuffer value;
  ByteWriter out(value);
  write_block_entry(index, partition_ids_, out);
  out.varint(filter.offset);
  out.varint(filter.length);
  top_.add(partition_first_.key, partition_first_.egid, value);
  partition_.clear();
  partition_ids_ = 0;
  key_is_in_filter_ = false;  // a key that goes on in the next partition is in its filter too
  return {};
}

Status IndexFileWriter::finish(IndexProperties& properties) {
  COPPICE_TRY(end_partition());
  properties.kind = options_.kind;
  properties.keys = keys_;
  ByteBuffer payload;
  ByteWriter out(payload);
  write_properties(properties, out);
  Footer footer;
  footer.kind = static_cast<std::uint32_t>(options_.kind);
  footer.top = COPPICE_TRY(write(BlockKind::kTop, top_.finish()));
  footer.properties = COPPICE_TRY(write(BlockKind::kProperties, payload));
  framed_.clear();
  write_footer(footer, options_.file, offset_, framed_);
  COPPICE_TRY(sink_(framed_));
  offset_ += framed_.size();
  return {};
}

// --- opening
// ---------------------------------------------------------------------------------------

IndexExtent IndexFile::footer_extent(std::uint64_t base_offset, std::uint64_t length) {
  const std::uint64_t before = length < kIndexFooterBytes ? 0 : length - kIndexFooterBytes;
  return {base_offset + before, kIndexFooterBytes};
}

Result<IndexExtent> IndexFile::tail_extent(std::uint64_t file, const IndexExtent& footer,
                                           ByteView footer_bytes, Verify verify) {
  const Footer parsed = COPPICE_TRY(read_footer(file, footer, footer_bytes, verify));
  const std::uint64_t length = footer.offset - parsed.top.offset;
  if (length > kIndexBlockBytesMax) {
    return block_corrupt({file, footer.offset, footer.length, BlockKind::kTop}, "tail too long");
  }
  return IndexExtent{parsed.top.offset, static_cast<std::uint32_t>(length)};
}

Result<IndexFile> IndexFile::open(std::uint64_t file, const IndexExtent& footer,
                                  ByteView footer_bytes, ByteView tail_bytes, CodecSet codecs,
                                  Verify verify) {
  const Footer parsed = COPPICE_TRY(read_footer(file, footer, footer_bytes, verify));
  IndexFile opened;
  opened.file_ = file;
  const BlockRef top = opened.ref(BlockKind::kTop, parsed.top);
  const BlockRef properties = opened.ref(BlockKind::kProperties, parsed.properties);
  if (tail_bytes.size() != footer.offset - parsed.top.offset) {
    return block_corrupt(top, "tail of another length");
  }
  const auto top_block =
      COPPICE_TRY(IndexBlock::open(top, tail_bytes.first(parsed.top.length), codecs, verify));
  const auto properties_block = COPPICE_TRY(
      IndexBlock::open(properties, tail_bytes.subspan(parsed.top.length), codecs, verify));
  if (!read_properties(properties_block->payload(), opened.properties_)) {
    return block_corrupt(properties, "does not parse");
  }
  opened.properties_.kind = static_cast<IndexFileKind>(parsed.kind);
  if (parsed.kind != 1 && parsed.kind != 2) return block_corrupt(top, "unknown kind of index file");
  COPPICE_TRY(opened.read_top(top, top_block->payload()));
  return opened;
}

Status IndexFile::read_top(const BlockRef& at, ByteView payload) {
  EntryCursor cursor(payload);
  for (bool more = cursor.first(); more; more = cursor.next()) {
    ByteReader in(cursor.value());
    Partition partition;
    partition.first = {ByteBuffer(cursor.key().begin(), cursor.key().end()), cursor.egid()};
    partition.index = read_extent(in);
    partition.ids_limit = in.varint();
    partition.filter = read_extent(in);
    if (!in.done()) return block_corrupt(at, "entry does not parse");
    if (!partitions_.empty() &&
        compare_entries(partitions_.back().first.key, partitions_.back().first.egid,
                        partition.first.key, partition.first.egid) >= 0) {
      return block_corrupt(at, "entries out of order");
    }
    charge_ += sizeof partition + partition.first.key.capacity();
    partitions_.push_back(std::move(partition));
  }
  if (!cursor.ok()) return block_corrupt(at, "does not parse");
  charge_ +=
      sizeof *this + properties_.smallest.key.capacity() + properties_.largest.key.capacity();
  return {};
}

Result<IndexBlockEntry> parse_block_entry(const BlockRef& partition, ByteView value) {
  ByteReader in(value);
  IndexBlockEntry entry;
  entry.extent = read_extent(in);
  entry.ids_limit = in.varint();
  if (!in.done()) return block_corrupt(partition, "entry does not parse");
  return entry;
}

std::size_t IndexFile::partition_of(ByteView key, Egid egid) const {
  const auto after = std::ranges::partition_point(partitions_, [&](const Partition& partition) {
    return compare_entries(partition.first.key, partition.first.egid, key, egid) <= 0;
  });
  return after == partitions_.begin() ? 0
                                      : static_cast<std::size_t>(after - partitions_.begin()) - 1;
}

std::uint64_t IndexFile::ids_limit(const KeyRange& range) const {
  std::uint64_t total = 0;
  for (std::size_t i = partitions_.empty() ? 0 : partition_of(range.low, 0); i < partitions_.size();
       ++i) {
    if (range.high && compare_keys(partitions_[i].first.key, *range.high) >= 0) break;
    total += partitions_[i].ids_limit;
  }
  return total;
}

}  // namespace coppice::lsm
