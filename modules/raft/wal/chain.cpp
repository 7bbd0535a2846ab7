#include "modules/raft/wal/chain.h"

#include <algorithm>

namespace coppice::raft {

bool holds_live_units(ByteView image, Generation generation) {
  for (std::size_t at = kBlockBytes; at + kBlockBytes <= image.size(); at += kBlockBytes) {
    const auto unit = decode_unit_header(image.subspan(at, kBlockBytes), generation, 0);
    if (unit && !unit->restated) return true;
  }
  return false;
}

Result<Chain> resolve_chain(std::span<const FoundSegment> found) {
  const FoundSegment* newest = nullptr;
  for (const FoundSegment& segment : found)
    if (segment.header && (newest == nullptr || segment.generation > newest->generation))
      newest = &segment;
  for (const FoundSegment& segment : found)
    if (segment.live && (newest == nullptr || segment.generation > newest->generation))
      return fail(Code::kCorruption,
                  segment_name(segment.generation) + " offset 0: segment header is damaged");
  Chain chain;
  const FoundSegment* at = newest;
  while (at != nullptr) {
    chain.segments.push_back(*at->header);
    const Generation previous = at->header->previous;
    if (previous == 0 || previous < newest->header->oldest) break;
    const auto next = std::ranges::find(found, previous, &FoundSegment::generation);
    if (next == found.end()) {
      chain.front_problem = segment_name(previous) + ": segment is missing";
      break;
    }
    if (!next->header) {
      chain.front_problem = segment_name(previous) + " offset 0: segment header is damaged";
      break;
    }
    if (next->header->log_id != at->header->log_id)
      return fail(Code::kCorruption, segment_name(previous) + " offset 0: segment of another log");
    if (next->header->base > at->header->base)
      return fail(Code::kCorruption, segment_name(previous) + " offset 0: segments do not join");
    at = &*next;
  }
  std::ranges::reverse(chain.segments);
  return chain;
}

}  // namespace coppice::raft
