#include "modules/lsm/sstable/loaded_block.h"

namespace coppice::lsm {

Result<std::unique_ptr<LoadedBlock>> LoadedBlock::load(const BlockRef& at, ByteBuffer bytes,
                                                       const WideDictionarySet& dictionaries,
                                                       WideDecoder& decoder, Verify verify) {
  auto block = std::make_unique<LoadedBlock>();
  block->place_ = at;
  block->charge_ = sizeof *block;
  switch (at.kind) {
    case BlockKind::kChunk:
    case BlockKind::kOverflow:
    case BlockKind::kChain:
      block->chunk_ = COPPICE_TRY(WideChunk::open(at, bytes, dictionaries, decoder, verify));
      block->charge_ += block->chunk_->raw().size();
      return block;  // the stored bytes are not needed any more
    case BlockKind::kGroup:
    case BlockKind::kKeys:
    case BlockKind::kHistory:
    case BlockKind::kIndex:
      break;
    case BlockKind::kDictionary:
    case BlockKind::kProperties:
      return block_corrupt(at, "not a block for the cache");
    case BlockKind::kEntries:
    case BlockKind::kPart:
    case BlockKind::kUnique:
    case BlockKind::kPartition:
    case BlockKind::kFilter:
    case BlockKind::kTop:
      return block_corrupt(at, "a block of an index file");
  }
  block->bytes_ = std::move(bytes);
  block->rows_ = COPPICE_TRY(RowBlock::open(at, block->bytes_, verify));
  block->charge_ += block->bytes_.size() + block->rows_->memory_bytes();
  if (at.kind == BlockKind::kKeys) {
    block->keys_ = KeyBlock::open(*block->rows_);
    if (!block->keys_) return block_corrupt(at, "not the columns of a key block");
    block->charge_ += block->keys_->memory_bytes();
  }
  return block;
}

}  // namespace coppice::lsm
