#include "modules/lsm/sstable/packed_column.h"

#include <algorithm>
#include <vector>

namespace coppice::lsm {

void append_packed_column(std::span<const std::uint64_t> values, ByteBuffer& to) {
  std::uint64_t base = 0;
  std::uint64_t greatest = 0;
  if (!values.empty()) {
    const auto [low, high] = std::ranges::minmax(values);
    base = low;
    greatest = high - low;
  }
  std::vector<std::uint64_t> rest(values.begin(), values.end());
  for (std::uint64_t& value : rest) value -= base;
  const unsigned width = packed_width(greatest);
  ByteWriter writer(to);
  writer.u64(base);
  writer.u8(static_cast<std::uint8_t>(width));
  pack(rest, width, to);
}

}  // namespace coppice::lsm
