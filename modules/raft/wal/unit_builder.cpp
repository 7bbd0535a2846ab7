#include "modules/raft/wal/unit_builder.h"

#include <algorithm>
#include <utility>

#include "kernel/base/assert.h"

namespace coppice::raft {
namespace {

// Copies what fits of `from`, beginning at `skip`; gives how much.
std::size_t copy_part(ByteView from, std::size_t skip, MutableByteView to) {
  const ByteView part = from.subspan(skip, std::min(from.size() - skip, to.size()));
  std::ranges::copy(part, to.begin());
  return part.size();
}

}  // namespace

void RecordQueue::push(const RecordHeader& header, SharedBytes payload) {
  COPPICE_ASSERT(header.stored_bytes == payload.size());
  bytes_ += kRecordHeaderBytes + payload.size();
  records_.push_back({header, std::move(payload), {}, 0});
}

std::size_t RecordQueue::lay_one(Record& record, MutableByteView stream, Generation generation) {
  if (record.laid == 0) {
    record.header.generation = generation;
    const Status noted = state_.note(record.header, record.payload.view());
    COPPICE_ASSERT(noted);
    record.header_bytes = encode_record_header(record.header, record.payload.view());
  }
  std::size_t used = 0;
  if (record.laid < kRecordHeaderBytes) {
    used = copy_part(record.header_bytes, record.laid, stream);
    record.laid += used;
  }
  if (record.laid >= kRecordHeaderBytes) {
    const std::size_t part =
        copy_part(record.payload.view(), record.laid - kRecordHeaderBytes, stream.subspan(used));
    record.laid += part;
    used += part;
  }
  return used;
}

RecordQueue::Laid RecordQueue::lay(MutableByteView stream, Generation generation) {
  Laid laid;
  const bool carries = !records_.empty() && records_.front().laid != 0;
  while (!records_.empty() && laid.used < stream.size()) {
    Record& record = records_.front();
    if (record.header.kind != RecordKind::kSeal) laid.seals_only = false;
    laid.used += lay_one(record, stream.subspan(laid.used), generation);
    if (carries && laid.carry == 0) laid.carry = laid.used;
    if (record.laid < kRecordHeaderBytes + record.payload.size()) break;
    ++laid.finished;
    records_.pop_front();
  }
  bytes_ -= laid.used;
  return laid;
}

}  // namespace coppice::raft
