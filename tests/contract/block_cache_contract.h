// block_cache_contract.h — what every BlockCache promises, as one suite.
#pragma once

#include <functional>
#include <memory>

#include "interfaces/block_cache.h"

namespace coppice {

// `make` gives an empty cache of a capacity; one that keeps nothing says so with `keeps` = false.
void block_cache_contract(
    const std::function<std::unique_ptr<BlockCache>(std::uint64_t capacity_bytes)>& make,
    bool keeps = true);

}  // namespace coppice
