// part_context.cpp — a part's own randomness.
#include "kernel/core/part_context.h"

#include "kernel/base/bytes.h"
#include "kernel/base/checksum.h"

namespace coppice {

Rng PartContext::rng(std::string_view purpose) const {
  std::string label(name_);
  label += '/';
  label += purpose;
  return Rng(xxh3_64(as_bytes(label), kernel_.seed));
}

}  // namespace coppice
