// key_fuzz.cpp — KeyReader on arbitrary bytes: no crash, and what reads well writes back the same.
#include "interfaces/types/key.h"
#include "kernel/base/assert.h"

using namespace coppice;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const ByteView key = std::as_bytes(std::span(data + 2, size - 2));
  const KeyOrder order{(data[0] & 1) != 0, (data[0] & 2) != 0};
  KeyReader reader(key);
  ByteBuffer again;
  KeyWriter writer(again);
  const auto copy = [&](const auto& value, auto write) {
    if (value) {
      write(*value);
    } else {
      writer.null(order);
    }
  };
  bool exact = true;
  for (unsigned shape = data[1]; reader.ok() && !reader.done(); shape = shape * 5 + 3) {
    switch (shape % 8) {
      case 0:
        copy(reader.boolean(order), [&](bool v) { writer.boolean(v, order); });
        break;
      case 1:
        copy(reader.int16(order), [&](auto v) { writer.int16(v, order); });
        break;
      case 2:
        copy(reader.int32(order), [&](auto v) { writer.int32(v, order); });
        break;
      case 3:
        copy(reader.int64(order), [&](auto v) { writer.int64(v, order); });
        break;
      case 4:
        exact = false, reader.float32(order);
        break;  // many NaNs, one encoding
      case 5:
        exact = false, reader.float64(order);
        break;
      case 6:
        exact = false, reader.decimal(order);
        break;  // leading zeros are not canonical
      default:
        copy(reader.bytes(order), [&](auto& v) { writer.bytes(v, order); });
        break;
    }
  }
  if (exact && reader.done()) COPPICE_ASSERT(compare_keys(again, key) == 0);
  return 0;
}
