// row_block_fuzz.cpp — any bytes as a row block, with and without checksums: every value is read.
#include "modules/lsm/sstable/history_block.h"
#include "modules/lsm/sstable/key_block.h"
#include "modules/lsm/sstable/row_block.h"

using namespace coppice;
using namespace coppice::lsm;

namespace {

std::uint64_t g_sink = 0;  // keeps the reads

void read_values(const RowBlock& block) {
  for (const Minipage& minipage : block.columns()) {
    for (std::uint32_t row = 0; row < block.rows(); ++row) {
      const Datum value = minipage.values.datum_at(row);
      for (const std::byte byte : value.bytes) g_sink += static_cast<std::uint64_t>(byte);
      g_sink += static_cast<std::uint64_t>(value.bits);
      if (minipage.wide) {
        g_sink += minipage.wide->chunk(minipage.wide->chunk_of(row)).offset;
        if (const auto place = minipage.wide->find_overflow(row)) g_sink += place->offset;
      }
    }
  }
  if (const auto keys = KeyBlock::open(block))
    for (std::uint32_t row = 0; row < keys->rows(); ++row)
      for (std::uint32_t group = 0; group < kGroupsMax; ++group)
        g_sink += keys->find(keys->egid(row)).value_or(0) + keys->position(row, group);
  if (const auto history = HistoryBlock::open(block))
    for (std::uint32_t row = 0; row < history->rows(); ++row) {
      g_sink += history->lower_bound(history->egid(row), history->timestamp(row));
      static_cast<void>(TupleView::parse(history->tuple(row)));
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView bytes = std::as_bytes(std::span(data, size));
  for (const BlockKind kind : {BlockKind::kGroup, BlockKind::kKeys, BlockKind::kHistory}) {
    const BlockRef at{1, 2, static_cast<std::uint32_t>(size), kind};
    static_cast<void>(RowBlock::open(at, bytes));
    // The length is in the header: give it the true one, so that mutations that insert get past.
    ByteBuffer copy(bytes.begin(), bytes.end());
    if (copy.size() >= 20) store_le(copy.data() + 16, static_cast<std::uint32_t>(copy.size()));
    if (const auto block = RowBlock::open(at, copy, Verify::kStructureOnly)) read_values(*block);
  }
  return 0;
}
