#include "modules/raft/wal/scanner.h"

#include <algorithm>
#include <utility>

#include "kernel/base/assert.h"

namespace coppice::raft {
namespace {

std::string place(Generation generation, std::uint64_t offset) {
  return segment_name(generation) + " offset " + std::to_string(offset);
}

}  // namespace

std::unexpected<Error> LogScanner::damaged(const Error& why) const {
  return fail(Code::kCorruption, place(generation_, file_offset_) + ": " + why.message());
}

void LogScanner::stop_at(const SegmentHeader& header, std::string why) {
  stopped_ = true;
  stopped_why_ = place(header.generation, header.file_offset(position_)) + ": " + std::move(why);
}

Status LogScanner::begin(const SegmentHeader& header, ByteView image) {
  generation_ = header.generation;
  file_offset_ = 0;
  if (image.size() != header.segment_bytes)
    return damaged(Error(Code::kCorruption, "segment has another size than its header says"));
  durable_through_ = std::max(durable_through_, header.durable_through);
  if (stopped_) return {};
  if (!started_) {
    started_ = true;
    skipping_ = true;
    position_ = header.base;
  }
  if (position_ != header.base) return damaged(Error(Code::kCorruption, "segments do not join"));
  if (header.after_recovery) {
    pending_.clear();
    skipping_ = false;
  }
  oldest_ = std::max(oldest_, header.oldest);
  return visitor_.on_progress(header.durable_through, header.commit);
}

Status LogScanner::scan(const SegmentHeader& header, ByteView image, std::optional<LogOffset> cut) {
  COPPICE_TRY(begin(header, image));
  while (!stopped_ && position_ != cut) {
    const std::uint64_t at = header.file_offset(position_);
    if (at + kBlockBytes > image.size()) {
      if (cut) stop_at(header, "segment ends before the next one begins");
      break;
    }
    file_offset_ = at;
    const auto unit =
        decode_unit_header(image.subspan(at, kBlockBytes), header.generation, header.log_id);
    if (!unit) {
      stop_at(header, unit.error().message());
      look_beyond(header, image, at + kBlockBytes, cut);
      break;
    }
    durable_through_ = std::max(durable_through_, unit->durable_through);
    if (unit->offset != position_ || unit->bytes > image.size() - at ||
        unit->end() > cut.value_or(UINT64_MAX)) {
      stop_at(header, "unit out of place");
      look_beyond(header, image, at + kBlockBytes, cut);
      break;
    }
    const ByteView bytes = image.subspan(at, unit->bytes);
    if (const Status body = check_unit_body(*unit, bytes); !body) {
      stop_at(header, body.error().message());
      look_beyond(header, image, at + unit->bytes, cut);
      break;
    }
    COPPICE_TRY(take_unit(*unit, bytes.subspan(kUnitHeaderBytes, unit->used)));
    position_ = unit->end();
  }
  if (stopped_ && header.base > position_) look_beyond(header, image, kBlockBytes, cut);
  return {};
}

// After a bad unit: what do the later ones know? A header is enough; it was whole when submitted.
void LogScanner::look_beyond(const SegmentHeader& header, ByteView image, std::uint64_t from,
                             std::optional<LogOffset> cut) {
  std::uint64_t at = from;
  while (at + kBlockBytes <= image.size()) {
    const LogOffset offset = header.base + at - kBlockBytes;
    if (cut && offset >= *cut) break;
    const auto unit =
        decode_unit_header(image.subspan(at, kBlockBytes), header.generation, header.log_id);
    if (unit && unit->offset == offset) {
      durable_through_ = std::max(durable_through_, unit->durable_through);
      at += unit->bytes;
    } else {
      at += kBlockBytes;
    }
  }
}

Result<LogEnd> LogScanner::finish() {
  if (durable_through_ > position_) {
    if (stopped_) return fail(Code::kCorruption, stopped_why_);
    return fail(Code::kCorruption, place(generation_, file_offset_) +
                                       ": the log ends before what is known to be durable");
  }
  return LogEnd{position_, durable_through_, oldest_, stopped_why_};
}

Status LogScanner::take_unit(const UnitHeader& unit, ByteView stream) {
  oldest_ = std::max(oldest_, unit.oldest);
  COPPICE_TRY(visitor_.on_progress(unit.durable_through, unit.commit));
  COPPICE_TRY(take_carry(unit, stream));
  return take_records(unit, stream);
}

// How many bytes the pending record lacks, as far as is known: its header comes first.
Result<std::size_t> LogScanner::pending_missing() const {
  if (pending_.size() < kRecordHeaderBytes) return kRecordHeaderBytes - pending_.size();
  const auto header = decode_record_header(ByteView(pending_).first(kRecordHeaderBytes));
  if (!header) return damaged(header.error());
  const std::size_t whole = kRecordHeaderBytes + header->stored_bytes;
  if (pending_.size() > whole) return fail(Code::kInternal, "record grew past its end");
  return whole - pending_.size();
}

Status LogScanner::take_carry(const UnitHeader& unit, ByteView& stream) {
  ByteView carry = stream.first(unit.carry);
  stream = stream.subspan(unit.carry);
  if (skipping_) {
    skipping_ = carry.size() == unit.used && !carry.empty();
    return {};
  }
  if (pending_.empty()) {
    if (!carry.empty()) return damaged(Error(Code::kCorruption, "rest of a record without it"));
    return {};
  }
  while (!carry.empty()) {
    const std::size_t missing = COPPICE_TRY(pending_missing());
    if (missing == 0) return damaged(Error(Code::kCorruption, "record goes on past its end"));
    const std::size_t taken = std::min(missing, carry.size());
    append(pending_, carry.first(taken));
    carry = carry.subspan(taken);
  }
  const std::size_t still_missing = COPPICE_TRY(pending_missing());
  if (still_missing != 0) {
    if (!stream.empty()) return damaged(Error(Code::kCorruption, "record is not finished"));
    return {};
  }
  const ByteView whole = pending_;
  COPPICE_TRY(deliver(whole.first(kRecordHeaderBytes), whole.subspan(kRecordHeaderBytes), unit));
  pending_.clear();
  return {};
}

Status LogScanner::take_records(const UnitHeader& unit, ByteView stream) {
  while (!stream.empty()) {
    if (stream.size() >= kRecordHeaderBytes) {
      const ByteView bytes = stream.first(kRecordHeaderBytes);
      const auto header = decode_record_header(bytes);
      if (!header) return damaged(header.error());
      if (stream.size() - kRecordHeaderBytes >= header->stored_bytes) {
        pending_generation_ = unit.generation;
        COPPICE_TRY(deliver(bytes, stream.subspan(kRecordHeaderBytes, header->stored_bytes), unit));
        stream = stream.subspan(kRecordHeaderBytes + header->stored_bytes);
        continue;
      }
    }
    pending_generation_ = unit.generation;
    pending_.assign(stream.begin(), stream.end());
    break;
  }
  return {};
}

Status LogScanner::deliver(ByteView bytes, ByteView payload, const UnitHeader& unit) {
  const auto header = decode_record_header(bytes);
  if (!header) return damaged(header.error());
  if (header->generation != pending_generation_)
    return damaged(Error(Code::kCorruption, "record of another segment"));
  if (const Status sum = check_record(bytes, header->generation, payload); !sum)
    return damaged(sum.error());
  return visitor_.on_record({*header, payload, unit.end()});
}

}  // namespace coppice::raft
