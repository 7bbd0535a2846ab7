#include "modules/raft/wal/log_writer.h"

#include <algorithm>
#include <utility>

#include "kernel/base/assert.h"

namespace coppice::raft {
namespace {

constexpr std::size_t kBufferBytesMin = 64 << 10;
constexpr std::size_t kBuffersKept = kUnitsInFlightMax;

}  // namespace

LogWriter::LogWriter(SegmentStore& store, OpenedLog log, Options options)
    : store_(store),
      options_(std::move(options)),
      segments_(std::move(log.segments)),
      file_(std::move(log.file)),
      end_(log.end),
      durable_end_(log.end),
      unsealed_end_(log.end),
      sealed_through_(log.end),
      commit_{log.committed.index},
      oldest_(segments_.front().generation),
      newest_generation_(segments_.back().generation),
      free_files_(std::move(log.free_files)),
      newest_spare_(log.newest_spare) {
  queue_.set_state(log.stream);
  for (std::string& name : log.odd_files) remove_file(std::move(name));
  while (free_files_.size() > kFreeFilesMax) {
    remove_file(std::move(free_files_.back()));
    free_files_.pop_back();
  }
}

LogWriter::~LogWriter() {
  COPPICE_ASSERT(jobs_.size() == 0);
}

RecordNumber LogWriter::push(const RecordHeader& header, SharedBytes stored) {
  queue_.push(header, std::move(stored));
  return ++pushed_number_;
}

void LogWriter::seal() {
  push({.kind = RecordKind::kSeal}, {});
}

void LogWriter::fail_with(Error error) {
  if (!failure_) failure_ = std::move(error);
}

void LogWriter::spawn(std::string_view name, fiber::Priority priority, Job job) {
  jobs_.spawn({.name = name, .priority = priority}, std::move(job));
}

// --- units ---

void LogWriter::pump() {
  while (!failure_ && !full_ && !beginning_ && !queue_.empty()) {
    if (flights_.size() >= kUnitsInFlightMax) return;
    if (!flights_.empty() && queue_.bytes() < options_.pipeline_bytes) return;
    const SegmentHeader& segment = segments_.back();
    const std::uint64_t room = segment.segment_bytes - segment.file_offset(end_);
    if (room < kBlockBytes) {
      begin_segment();
      return;
    }
    start_unit(room);
  }
}

AlignedBuffer LogWriter::take_buffer(std::size_t bytes) {
  for (AlignedBuffer& buffer : buffers_) {
    if (buffer.size() < bytes) continue;
    std::swap(buffer, buffers_.back());
    AlignedBuffer taken = std::move(buffers_.back());
    buffers_.pop_back();
    return taken;
  }
  return AlignedBuffer(std::max(std::bit_ceil(bytes), kBufferBytesMin));
}

void LogWriter::start_unit(std::uint64_t room) {
  const SegmentHeader& segment = segments_.back();
  auto flight = std::make_shared<Flight>();
  const std::size_t bytes = std::min<std::size_t>(
      {unit_bytes_for(queue_.bytes()), kUnitBytesMax, static_cast<std::size_t>(room)});
  flight->buffer = take_buffer(bytes);
  const MutableByteView unit = flight->buffer.first(bytes);
  const auto laid = queue_.lay(unit.subspan(kUnitHeaderBytes), segment.generation);
  std::ranges::fill(unit.subspan(kUnitHeaderBytes + laid.used), std::byte{0});
  UnitHeader& header = flight->header;
  header.generation = segment.generation;
  header.log_id = segment.log_id;
  header.offset = end_;
  header.durable_through = durable_end_;
  header.commit = commit_;
  header.bytes = static_cast<std::uint32_t>(bytes);
  header.used = static_cast<std::uint32_t>(laid.used);
  header.carry = static_cast<std::uint32_t>(laid.carry);
  header.oldest = oldest_;
  seal_unit(header, unit);
  laid_number_ += laid.finished;
  flight->last_number = laid_number_;
  flight->holds_records = !laid.seals_only;
  flight->file = file_;
  flight->file_offset = segment.file_offset(end_);
  end_ += bytes;
  flights_.push_back(flight);
  write(flight);
}

void LogWriter::write(const std::shared_ptr<Flight>& flight) {
  flight->refused = false;
  spawn("log write", fiber::Priority::kLog, [this, flight] {
    Status status = flight->file->write(
        flight->file_offset, flight->buffer.first(flight->header.bytes), true, IoClass::kLog);
    options_.post([this, flight, status = std::move(status)]() mutable {
      unit_done(*flight, std::move(status));
    });
  });
}

void LogWriter::unit_done(Flight& flight, Status status) {
  if (status) {
    flight.done = true;
    advance_durable();
  } else if (status.error().code() == Code::kDiskFull) {
    // No record in it is acknowledged, so its blocks may be written again.
    flight.refused = true;
    full_ = true;
  } else {
    fail_with(std::move(status).error());
  }
}

void LogWriter::advance_durable() {
  while (!failure_ && !flights_.empty() && flights_.front()->done) {
    Flight& flight = *flights_.front();
    durable_end_ = flight.header.end();
    durable_number_ = flight.last_number;
    sealed_through_ = std::max(sealed_through_, flight.header.durable_through);
    if (flight.holds_records) unsealed_end_ = durable_end_;
    recycle_below(flight.header.oldest);
    if (buffers_.size() < kBuffersKept) buffers_.push_back(std::move(flight.buffer));
    flights_.pop_front();
  }
  make_spare_if_due();
}

bool LogWriter::admits(std::size_t payload_bytes) const {
  if (full_) return false;
  if (!spare_full_ || !free_files_.empty()) return true;
  const SegmentHeader& segment = segments_.back();
  const std::uint64_t room = segment.segment_bytes - segment.file_offset(end_);
  // Each record may come to lie in a unit of its own.
  const std::uint64_t needed =
      queue_.bytes() + (queue_.size() + 2) * kBlockBytes + kRecordHeaderBytes + payload_bytes;
  return needed <= room;
}

void LogWriter::retry() {
  spare_full_ = false;
  if (std::exchange(full_, false))
    for (const auto& flight : flights_)
      if (flight->refused) write(flight);
  make_spare_if_due();
  pump();
}

// --- segments ---

void LogWriter::begin_segment() {
  COPPICE_ASSERT(!beginning_);
  beginning_ = true;
  SegmentHeader header = segments_.back();
  header.previous = header.generation;
  header.generation = ++newest_generation_;  // an attempt that failed has used its number up
  COPPICE_ASSERT(header.generation != 0);
  header.oldest = oldest_;
  header.after_recovery = false;
  header.segment_bytes = store_.segment_bytes();
  header.base = end_;
  header.durable_through = durable_end_;
  header.commit = commit_;
  header.stream = queue_.state();
  std::string source;
  if (!free_files_.empty()) {
    source = std::move(free_files_.back());
    free_files_.pop_back();
  }
  spawn("log segment", fiber::Priority::kLog, [this, header, source = std::move(source)] {
    auto begun = std::make_unique<Begun>();
    begun->header = header;
    begun->status = take_and_begin(source, *begun);
    options_.post([this, begun = std::move(begun)] { segment_begun(*begun); });
  });
}

Status LogWriter::take_and_begin(const std::string& source, Begun& begun) {
  begun.left_over = source;
  begun.file = COPPICE_TRY(store_.take(source, begun.header.generation));
  begun.left_over = segment_name(begun.header.generation);
  return store_.begin(*begun.file, begun.header);
}

void LogWriter::segment_begun(Begun& begun) {
  beginning_ = false;
  if (begun.status) {
    file_ = std::move(begun.file);
    segments_.push_back(begun.header);
    sealed_through_ = std::max(sealed_through_, begun.header.durable_through);
  } else if (begun.status.error().code() == Code::kDiskFull) {
    if (!begun.left_over.empty()) free_files_.push_back(std::move(begun.left_over));
    full_ = true;
  } else {
    fail_with(std::move(begun.status).error());
  }
}

// Ahead of use, so that the log does not wait for zeros.
void LogWriter::make_spare_if_due() {
  const SegmentHeader& segment = segments_.back();
  const bool half_used = segment.file_offset(end_) > segment.segment_bytes / 2;
  if (!half_used || !free_files_.empty() || making_spare_ || spare_full_ || failure_) return;
  making_spare_ = true;
  const std::string name = spare_name(++newest_spare_);
  spawn("log spare", fiber::Priority::kBackground, [this, name] {
    Status status = store_.make_spare(name);
    options_.post([this, name, status = std::move(status)]() mutable {
      making_spare_ = false;
      if (status) {
        free_files_.push_back(name);
      } else {
        // Not needed yet. Whatever else it is will be met when a segment is begun.
        spare_full_ = status.error().code() == Code::kDiskFull;
      }
    });
  });
}

void LogWriter::release_through(LogIndex index) {
  for (std::size_t i = 0; i + 1 < segments_.size(); ++i) {
    if (segments_[i + 1].stream.last_index() > index) break;
    oldest_ = std::max(oldest_, segments_[i + 1].generation);
  }
}

// Once a unit on the disk says so, a restart does not miss them.
void LogWriter::recycle_below(Generation oldest) {
  while (segments_.front().generation < oldest) {
    std::string name = segment_name(segments_.front().generation);
    const bool usable = segments_.front().segment_bytes == store_.segment_bytes();
    segments_.erase(segments_.begin());
    if (usable && free_files_.size() < kFreeFilesMax) {
      free_files_.push_back(std::move(name));
    } else {
      remove_file(std::move(name));
    }
  }
}

void LogWriter::remove_file(std::string name) {
  // A file that stays is found, and removed, at the next start.
  spawn("log remove", fiber::Priority::kBackground,
        [this, name = std::move(name)] { static_cast<void>(store_.remove(name)); });
}

void LogWriter::close() {
  jobs_.join();
}

}  // namespace coppice::raft
