#include "modules/raft/wal/segment_store.h"

#include <algorithm>
#include <utility>

namespace coppice::raft {
namespace {

constexpr std::size_t kReadBytes = 1 << 20;

Result<AlignedBuffer> read_file(Vfs& vfs, const std::string& name, std::uint64_t bytes,
                                IoClass io_class) {
  const std::unique_ptr<File> file = COPPICE_TRY(vfs.open(name));
  if (file->size() < bytes)
    return fail(Code::kCorruption, name + " offset " + std::to_string(file->size()) +
                                       ": segment is shorter than its header says");
  AlignedBuffer buffer(bytes);
  std::vector<ReadRequest> requests;
  for (std::uint64_t at = 0; at < bytes; at += kReadBytes)
    requests.push_back(
        {file.get(), at,
         buffer.view().subspan(at, std::min<std::uint64_t>(kReadBytes, bytes - at))});
  COPPICE_TRY(vfs.read(requests, io_class));
  return buffer;
}

}  // namespace

Result<FoundSegment> SegmentStore::look_at(const FileInfo& info, Generation generation) {
  FoundSegment found{.generation = generation};
  if (info.size < 2 * kBlockBytes) return found;
  const AlignedBuffer block = COPPICE_TRY(read_file(vfs_, info.name, kBlockBytes, IoClass::kQuery));
  auto header = decode_segment_header(block.view());
  if (!header && header.error().code() == Code::kUnsupportedVersion)
    return std::unexpected(std::move(header).error().context("opening " + info.name));
  if (header && header->generation == generation) {
    found.header = *header;
    return found;
  }
  const AlignedBuffer image =
      COPPICE_TRY(read_file(vfs_, info.name, align_down(info.size, kBlockBytes), IoClass::kQuery));
  found.live = holds_live_units(image.view(), generation);
  return found;
}

Result<SegmentStore::Found> SegmentStore::find() {
  Found found;
  std::vector<FoundSegment> segments;
  std::vector<FileInfo> outside;
  const std::vector<FileInfo> segment_files = COPPICE_TRY(vfs_.list(kSegmentPrefix));
  for (const FileInfo& info : segment_files) {
    const auto generation = number_in_name(kSegmentPrefix, info.name);
    if (!generation) continue;
    const FoundSegment segment = COPPICE_TRY(look_at(info, *generation));
    segments.push_back(segment);
    found.newest = std::max(found.newest, *generation);
  }
  found.chain = COPPICE_TRY(resolve_chain(segments));
  for (const FileInfo& info : segment_files) {
    const auto generation = number_in_name(kSegmentPrefix, info.name);
    const auto in_chain = [&generation](const SegmentHeader& header) {
      return header.generation == generation;
    };
    if (generation && std::ranges::none_of(found.chain.segments, in_chain)) outside.push_back(info);
  }
  const std::vector<FileInfo> spare_files = COPPICE_TRY(vfs_.list(kSparePrefix));
  for (const FileInfo& info : spare_files) {
    const auto number = number_in_name(kSparePrefix, info.name);
    if (!number) continue;
    found.newest_spare = std::max(found.newest_spare, *number);
    outside.push_back(info);
  }
  for (FileInfo& info : outside) {
    auto& list = info.size == segment_bytes_ ? found.free : found.odd;
    list.push_back(std::move(info.name));
  }
  return found;
}

Result<AlignedBuffer> SegmentStore::read(const SegmentHeader& header) {
  return read_file(vfs_, segment_name(header.generation), header.segment_bytes, IoClass::kQuery);
}

Result<std::unique_ptr<SegmentFile>> SegmentStore::take(const std::string& source,
                                                        Generation generation) {
  if (source.empty()) return create(generation, segment_bytes_);
  const std::string name = segment_name(generation);
  COPPICE_TRY(vfs_.rename(source, name));
  return vfs_.open_segment(name);
}

Result<std::unique_ptr<SegmentFile>> SegmentStore::create(Generation generation,
                                                          std::uint64_t bytes) {
  return vfs_.create_segment(segment_name(generation), bytes);
}

Status SegmentStore::begin(SegmentFile& file, const SegmentHeader& header) {
  const Block block = encode_segment_header(header);
  AlignedBuffer buffer(kBlockBytes);
  std::ranges::copy(block, buffer.data());
  return file.write(0, buffer.view(), true, IoClass::kLog);
}

Status SegmentStore::make_spare(const std::string& name) {
  COPPICE_TRY(vfs_.create_segment(name, segment_bytes_));
  return {};
}

}  // namespace coppice::raft
