// log_image.h — segment images made by hand, for tests of the formats and of recovery.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "modules/raft/wal/chain.h"
#include "modules/raft/wal/scanner.h"
#include "modules/raft/wal/unit_builder.h"

namespace coppice::raft {

inline SharedBytes text_payload(std::string_view text) {
  const ByteView bytes = as_bytes(text);
  return SharedBytes(ByteBuffer(bytes.begin(), bytes.end()));
}

inline RecordHeader entry_header(std::uint64_t index, std::uint64_t term, std::size_t bytes) {
  const auto size = static_cast<std::uint32_t>(bytes);
  return {.kind = RecordKind::kEntry,
          .stored_bytes = size,
          .raw_bytes = size,
          .term = {term},
          .index = {index},
          .hlc = {index * 10}};
}

// Builds a log segment by segment, unit by unit, as a writer would.
class LogImage {
 public:
  explicit LogImage(std::size_t segment_blocks) : segment_blocks_(segment_blocks) {}

  RecordQueue queue;
  LogOffset durable = 0;
  LogIndex commit;
  bool restated = false;

  void entry(std::uint64_t index, std::uint64_t term, std::string_view text) {
    queue.push(entry_header(index, term, text.size()), text_payload(text));
    last_ = index;
  }

  void segment(Generation generation, LogOffset base, bool after_recovery = false) {
    SegmentHeader header;
    header.generation = generation;
    header.previous = headers.empty() ? 0 : headers.back().generation;
    header.oldest = 1;
    header.after_recovery = after_recovery;
    header.log_id = 77;
    header.segment_bytes = segment_blocks_ * kBlockBytes;
    header.base = base;
    header.durable_through = durable;
    header.stream.next_index = {last_ + 1};
    header.commit = commit;
    headers.push_back(header);
    images.emplace_back(header.segment_bytes);
    const Block block = encode_segment_header(header);
    std::ranges::copy(block, images.back().begin());
    end = base;
  }

  // One unit of at most `blocks` with what is queued; gives its offset in the file.
  std::uint64_t unit(std::size_t blocks = 1) {
    const SegmentHeader& header = headers.back();
    const std::uint64_t at = header.file_offset(end);
    const std::size_t bytes = std::min(unit_bytes_for(queue.bytes()), blocks * kBlockBytes);
    const MutableByteView whole = MutableByteView(images.back()).subspan(at, bytes);
    const auto laid = queue.lay(whole.subspan(kUnitHeaderBytes), header.generation);
    seal_unit({.generation = header.generation,
               .restated = restated,
               .log_id = header.log_id,
               .offset = end,
               .durable_through = durable,
               .commit = commit,
               .bytes = static_cast<std::uint32_t>(bytes),
               .used = static_cast<std::uint32_t>(laid.used),
               .carry = static_cast<std::uint32_t>(laid.carry),
               .oldest = 1},
              whole);
    end += bytes;
    return at;
  }

  std::uint64_t seal() {
    durable = end;
    queue.push({.kind = RecordKind::kSeal}, {});
    return unit();
  }

  std::vector<SegmentHeader> headers;
  std::vector<ByteBuffer> images;
  LogOffset end = 0;

 private:
  std::size_t segment_blocks_;
  std::uint64_t last_ = 0;
};

// What a scan of the images gives: "1:abc 2:def", or the error.
struct Scan : LogVisitor {
  std::vector<std::string> entries;
  LogIndex commit;
  Result<LogEnd> end = fail(Code::kInternal, "not run");

  Status on_record(const ScannedRecord& record) override {
    if (record.header.kind == RecordKind::kEntry)
      entries.push_back(std::to_string(record.header.index.value) + ":" +
                        std::string(as_text(record.payload)));
    return {};
  }
  Status on_progress(LogOffset, LogIndex through) override {
    commit = through;
    return {};
  }

  Scan(const std::vector<SegmentHeader>& headers, const std::vector<ByteBuffer>& images) {
    LogScanner scanner(*this);
    for (std::size_t i = 0; i < headers.size(); ++i) {
      std::optional<LogOffset> cut;
      if (i + 1 < headers.size()) cut = headers[i + 1].base;
      if (Status status = scanner.scan(headers[i], images[i], cut); !status) {
        end = std::unexpected(std::move(status).error());
        return;
      }
    }
    end = scanner.finish();
  }
};

// From the bytes of the files alone, as a restart does it.
inline Scan recover(const std::vector<SegmentHeader>& names,
                    const std::vector<ByteBuffer>& images) {
  std::vector<FoundSegment> found;
  for (std::size_t i = 0; i < images.size(); ++i) {
    FoundSegment segment{.generation = names[i].generation};
    const auto header = decode_segment_header(ByteView(images[i]).first(kBlockBytes));
    if (header && header->generation == segment.generation) segment.header = *header;
    if (!segment.header) segment.live = holds_live_units(images[i], segment.generation);
    found.push_back(segment);
  }
  Scan failed({}, {});
  auto chain = resolve_chain(found);
  if (!chain) {
    failed.end = std::unexpected(std::move(chain).error());
    return failed;
  }
  std::vector<ByteBuffer> chosen;
  for (const SegmentHeader& header : chain->segments)
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i].generation == header.generation) chosen.push_back(images[i]);
  Scan scan(chain->segments, chosen);
  if (scan.end && !chain->front_problem.empty() &&
      chain->segments.front().previous >= scan.end->oldest)
    scan.end = fail(Code::kCorruption, chain->front_problem);
  return scan;
}

}  // namespace coppice::raft
