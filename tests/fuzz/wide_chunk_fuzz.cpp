// wide_chunk_fuzz.cpp — any bytes as a chunk, as a chunk directory, and as a dictionary.
#include "interfaces/types/tuple.h"
#include "modules/lsm/sstable/wide_chunk.h"
#include "modules/lsm/sstable/wide_directory.h"

using namespace coppice;
using namespace coppice::lsm;

namespace {

std::uint64_t g_sink = 0;

void open_chunk(BlockKind kind, ByteView bytes, const WideDictionarySet& dictionaries) {
  static WideDecoder decoder;
  const BlockRef at{1, 2, static_cast<std::uint32_t>(bytes.size()), kind};
  static_cast<void>(WideChunk::open(at, bytes, dictionaries, decoder));
  const auto chunk = WideChunk::open(at, bytes, dictionaries, decoder, Verify::kStructureOnly);
  if (!chunk) return;
  for (std::uint32_t row = 0; row < chunk->rows() && kind == BlockKind::kChunk; ++row)
    for (const std::byte byte : chunk->value(row)) g_sink += static_cast<std::uint64_t>(byte);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView bytes = std::as_bytes(std::span(data, size));
  WideDictionarySet dictionaries;
  if (size > 64 && size % 4 == 0) {  // the second half as a dictionary
    const ByteView content = bytes.subspan(size / 2);
    auto dictionary = WideDictionary::create(1, {content.begin(), content.end()});
    if (dictionary) dictionaries.add(*std::move(dictionary));
  }
  open_chunk(BlockKind::kChunk, bytes, dictionaries);
  open_chunk(BlockKind::kOverflow, bytes, dictionaries);

  ByteBuffer padded(bytes.begin(), bytes.end());
  padded.resize(size + kBitPackingSlack);
  if (const auto directory = WideDirectory::read(ByteView(padded).first(size), 1024))
    for (std::uint32_t row = 0; row < 1024; ++row) {
      g_sink += directory->chunk(directory->chunk_of(row)).length;
      if (const auto place = directory->find_overflow(row)) g_sink += place->length;
    }
  if (const auto tuple = TupleView::parse(bytes))
    for (std::uint32_t i = 0; i < tuple->count(); ++i)
      g_sink += tuple->at(i, PhysicalType::kBytes).bytes.size();
  return 0;
}
