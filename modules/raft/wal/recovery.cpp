#include "modules/raft/wal/recovery.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "kernel/base/assert.h"
#include "modules/raft/wal/payload.h"
#include "modules/raft/wal/unit_builder.h"

namespace coppice::raft {
namespace {

// Keeps what may still change its meaning: records not known to be durable, entries not known to be
// committed. Both are few, whatever the log's size: what was in flight at some moment.
class Tail final : public LogVisitor {
 public:
  struct Record {
    RecordHeader header;
    SharedBytes stored;
    LogOffset end;
  };

  explicit Tail(const SegmentHeader& first) : stream(first.stream), durable_stream(first.stream) {
    committed = {stream.last_index().value, stream.last_term.value};
  }

  Status on_progress(LogOffset durable_through, LogIndex commit) override {
    while (!unsure.empty() && unsure.front().end <= durable_through) {
      COPPICE_TRY(durable_stream.note(unsure.front().header, unsure.front().stored.view()));
      unsure.pop_front();
    }
    while (!uncommitted.empty() && uncommitted.front().header.index <= commit) {
      const RecordHeader& header = uncommitted.front().header;
      committed = {header.index.value, header.term.value};
      uncommitted.pop_front();
    }
    return {};
  }

  Status on_record(const ScannedRecord& scanned) override {
    const RecordHeader& header = scanned.header;
    if (header.kind == RecordKind::kSeal) return {};
    if (has_own_index(header.kind)) COPPICE_TRY(check_order(header));
    COPPICE_TRY(stream.note(header, scanned.payload));
    Record record{header, SharedBytes(ByteBuffer(scanned.payload.begin(), scanned.payload.end())),
                  scanned.end};
    if (has_own_index(header.kind)) uncommitted.push_back(record);
    unsure.push_back(std::move(record));
    return {};
  }

  StreamState stream;
  StreamState durable_stream;  // before the unsure records
  LogBase committed;
  std::deque<Record> uncommitted;
  std::deque<Record> unsure;

 private:
  // An entry follows the last one, or supersedes uncommitted ones in a higher term.
  Status check_order(const RecordHeader& header) {
    const bool follows = header.index == stream.next_index && header.term >= stream.last_term;
    const bool supersedes = header.index < stream.next_index && header.term > stream.last_term &&
                            header.index.value > committed.index;
    if (!follows && !supersedes)
      return fail(Code::kCorruption,
                  "entry " + std::to_string(header.index.value) + " of the log is out of order");
    while (!uncommitted.empty() && uncommitted.back().header.index >= header.index)
      uncommitted.pop_back();
    return {};
  }
};

Result<LogEntry> to_entry(const Tail::Record& record, Codecs codecs) {
  LogEntry entry;
  entry.index = record.header.index.value;
  entry.term = record.header.term.value;
  entry.hlc = record.header.hlc;
  entry.control = record.header.kind == RecordKind::kControl;
  entry.payload = COPPICE_TRY(unpack(record.header, record.stored, codecs));
  return entry;
}

// Segment bytes that the queue needs, in units as lay_restated() makes them.
std::uint64_t restated_room(const RecordQueue& queue) {
  const std::uint64_t per_unit = kUnitBytesMax - kUnitHeaderBytes;
  const std::uint64_t units = queue.bytes() / per_unit + 1;
  return align_up(queue.bytes() + units * kUnitHeaderBytes, kBlockBytes) + kBlockBytes;
}

Status write_restated(RecordQueue& queue, SegmentFile& file, const SegmentHeader& header,
                      LogOffset& end) {
  while (!queue.empty()) {
    const std::size_t bytes = std::min(unit_bytes_for(queue.bytes()), kUnitBytesMax);
    AlignedBuffer buffer(bytes);
    std::ranges::fill(buffer.view(), std::byte{0});
    const auto laid = queue.lay(buffer.view().subspan(kUnitHeaderBytes), header.generation);
    UnitHeader unit;
    unit.generation = header.generation;
    unit.restated = true;
    unit.log_id = header.log_id;
    unit.offset = end;
    unit.durable_through = header.base;
    unit.commit = header.commit;
    unit.bytes = static_cast<std::uint32_t>(bytes);
    unit.used = static_cast<std::uint32_t>(laid.used);
    unit.carry = static_cast<std::uint32_t>(laid.carry);
    unit.oldest = header.oldest;
    seal_unit(unit, buffer.view());
    COPPICE_TRY(file.write(header.file_offset(end), buffer.view(), true, IoClass::kLog));
    end += bytes;
  }
  return {};
}

Result<LogEnd> scan_chain(SegmentStore& store, const std::vector<SegmentHeader>& segments,
                          Tail& tail) {
  LogScanner scanner(tail);
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const AlignedBuffer image = COPPICE_TRY(store.read(segments[i]));
    const bool newest = i + 1 == segments.size();
    const auto cut = newest ? std::nullopt : std::optional(segments[i + 1].base);
    COPPICE_TRY(scanner.scan(segments[i], image.view(), cut));
  }
  return scanner.finish();
}

// Behind `header.previous`, at header.base: the records in `queue`, then the header that makes them
// count.
Status begin_segment(SegmentStore& store, RecordQueue& queue, SegmentHeader& header,
                     OpenedLog& log) {
  log.restated_bytes = queue.bytes();
  const std::uint64_t room = restated_room(queue) + kBlockBytes;
  if (room <= store.segment_bytes()) {
    std::string source;
    if (!log.free_files.empty()) {
      source = std::move(log.free_files.back());
      log.free_files.pop_back();
    }
    log.file = COPPICE_TRY(store.take(source, header.generation));
    header.segment_bytes = store.segment_bytes();
  } else {
    // One file, however much it is: two could not come into force at once.
    header.segment_bytes = align_up(room, kBlockBytes);
    log.file = COPPICE_TRY(store.create(header.generation, header.segment_bytes));
  }
  log.end = header.base;
  COPPICE_TRY(write_restated(queue, *log.file, header, log.end));
  header.durable_through = log.end;
  return store.begin(*log.file, header);
}

}  // namespace

Result<SharedBytes> unpack(const RecordHeader& header, const SharedBytes& stored, Codecs codecs) {
  if (!header.compressed) return stored;
  ByteBuffer raw = COPPICE_TRY(decompress_payload(codecs, stored.view(), header.raw_bytes));
  return SharedBytes(std::move(raw));
}

Result<OpenedLog> open_log(SegmentStore& store, Codecs codecs, std::uint64_t log_id) {
  COPPICE_ASSERT(log_id != 0);
  SegmentStore::Found found = COPPICE_TRY(store.find());
  OpenedLog log;
  log.free_files = std::move(found.free);
  log.odd_files = std::move(found.odd);
  log.newest_spare = found.newest_spare;
  log.segments = std::move(found.chain.segments);

  SegmentHeader header;
  header.generation = found.newest + 1;
  header.log_id = log_id;
  header.oldest = header.generation;
  RecordQueue restated;
  if (!log.segments.empty()) {
    Tail tail(log.segments.front());
    const LogEnd end = COPPICE_TRY(scan_chain(store, log.segments, tail));
    if (!found.chain.front_problem.empty() && log.segments.front().previous >= end.oldest)
      return fail(Code::kCorruption, found.chain.front_problem);
    COPPICE_TRY(tail.on_progress(end.durable_through, {}));
    for (Tail::Record& record : tail.unsure) restated.push(record.header, std::move(record.stored));
    for (const Tail::Record& record : tail.uncommitted) {
      LogEntry entry = COPPICE_TRY(to_entry(record, codecs));
      log.uncommitted.push_back(std::move(entry));
    }
    // Segments that were begun behind the end, in vain, are behind the base now.
    while (log.segments.back().base > end.durable_through) {
      auto& list = log.segments.back().segment_bytes == store.segment_bytes() ? log.free_files
                                                                              : log.odd_files;
      list.push_back(segment_name(log.segments.back().generation));
      log.segments.pop_back();
    }
    header.previous = log.segments.back().generation;
    header.log_id = log.segments.back().log_id;
    header.oldest = end.oldest;
    header.base = end.durable_through;
    header.after_recovery = true;
    header.commit = {tail.committed.index};
    header.stream = tail.durable_stream;
    log.stream = tail.stream;
    log.committed = tail.committed;
    log.tail = end.tail;
  }
  header.durable_through = header.base;
  COPPICE_TRY(begin_segment(store, restated, header, log));
  log.segments.push_back(header);
  return log;
}

}  // namespace coppice::raft
