// manifest_fuzz.cpp — any bytes as a manifest; what decodes is written back and decodes again.
#include "kernel/base/assert.h"
#include "modules/lsm/forest/manifest.h"

using namespace coppice;
using namespace coppice::lsm;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto* bytes = reinterpret_cast<const std::byte*>(data);
  const auto manifest = decode_manifest({bytes, size}, Verify::kStructureOnly);
  if (!manifest) return 0;
  const auto again = decode_manifest(encode_manifest(*manifest));
  COPPICE_ASSERT(again.has_value());
  COPPICE_ASSERT(again->tables.size() == manifest->tables.size());
  return 0;
}
