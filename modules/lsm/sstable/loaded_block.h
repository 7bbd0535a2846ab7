// loaded_block.h — a block as it stays in the cache: bytes, checked, with decoder state beside
// them.
//
// Role:     whoever fetches blocks (cache, file) makes these; readers of row files ask for them by
//           BlockRef, many at once.
// Threads:  immutable once loaded.
#pragma once

#include <memory>
#include <optional>

#include "interfaces/block_cache.h"
#include "modules/lsm/sstable/key_block.h"
#include "modules/lsm/sstable/row_block.h"
#include "modules/lsm/sstable/wide_chunk.h"

namespace coppice::lsm {

class LoadedBlock final : public CachedBlock {
 public:
  // From the bytes at `at`. kCorruption naming file and offset.
  static Result<std::unique_ptr<LoadedBlock>> load(const BlockRef& at, ByteBuffer bytes,
                                                   const WideDictionarySet& dictionaries,
                                                   WideDecoder& decoder,
                                                   Verify verify = Verify::kChecksum);

  const BlockRef& place() const { return place_; }
  const RowBlock& rows() const { return *rows_; }     // kGroup, kKeys, kHistory, kIndex
  const KeyBlock& keys() const { return *keys_; }     // kKeys
  const WideChunk& chunk() const { return *chunk_; }  // kChunk, kOverflow, kChain
  std::size_t charge() const override { return charge_; }

 private:
  BlockRef place_;
  ByteBuffer bytes_;
  std::optional<RowBlock> rows_;
  std::optional<KeyBlock> keys_;
  std::optional<WideChunk> chunk_;
  std::size_t charge_ = 0;
};

using LoadedBlockRef = std::shared_ptr<const LoadedBlock>;

struct BlockRequest {
  BlockRef at;
  LoadedBlockRef block;  // filled by fetch()
};

// Where readers get blocks from.
class BlockSource {
 public:
  virtual ~BlockSource() = default;
  // Fills `block` of every request that has none, all reads submitted together. May park.
  virtual Status fetch(std::span<BlockRequest> requests) = 0;
};

}  // namespace coppice::lsm
