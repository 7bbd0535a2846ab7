// posting_part_fuzz.cpp — parts from arbitrary bytes, and parts built from arbitrary operations.
#include <algorithm>
#include <map>

#include "kernel/base/assert.h"
#include "modules/lsm/bitmap/posting_part.h"

using namespace coppice;
using namespace coppice::lsm;

namespace {

// Whatever the bytes are: no crash, and answers within bounds.
void read_anything(ByteView bytes) {
  const auto part = PartView::parse(bytes);
  if (!part || part->empty()) return;
  for (const Hlc read : {Hlc::zero(), Hlc{1000}, Hlc::max()}) {
    Ids present, removed;
    (void)part->decode(read, present, &removed);
    COPPICE_ASSERT(present.size() <= part->ids() + part->deltas());
    Ids ids = {0, 1, 2, 100, part->first(), part->last(), 65536, 1u << 31};
    std::ranges::sort(ids);
    std::vector<Mark> marks(ids.size(), Mark::kUnknown);
    (void)part->probe(read, ids, marks);
  }
  std::vector<PostingOp> ops;
  (void)part->operations(ops);
}

// The bytes as a list of operations: what was built must come back.
void build_and_read(std::span<const std::uint8_t> data) {
  std::map<Egid, std::map<std::uint64_t, Stamp, std::greater<>>> ordered;
  Egid egid = 0;
  for (std::size_t i = 0; i + 2 < data.size(); i += 3) {
    egid += (Egid{data[i]} << (data[i + 1] % 20)) + 1;
    const Hlc at{data[i + 2] % 16u};
    const Stamp stamp = (data[i + 1] & 0x80) != 0 ? Stamp::remove(at) : Stamp::add(at);
    const Egid again =
        (data[i + 2] & 0x80) != 0 && !ordered.empty() ? ordered.rbegin()->first : egid;
    ordered[again][stamp.value] = stamp;
  }
  if (ordered.empty() || ordered.rbegin()->first - ordered.begin()->first >= kPartSpanMax) return;
  std::vector<PostingOp> ops;
  PartBuilder builder;
  builder.start_key(0);
  for (const auto& [id, versions] : ordered) {
    for (const auto& [value, stamp] : versions) {
      ops.push_back({id, stamp});
      builder.add(ops.back());
    }
  }
  const EncodedPart encoded = builder.close(0);
  const auto part = PartView::parse(encoded.bytes);
  COPPICE_ASSERT(part.has_value());
  std::vector<PostingOp> back;
  COPPICE_ASSERT(part->operations(back).has_value());
  COPPICE_ASSERT(back == ops);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::span rest(data + 1, size - 1);
  data[0] % 4 == 0 ? build_and_read(rest) : read_anything(std::as_bytes(rest));
  return 0;
}
