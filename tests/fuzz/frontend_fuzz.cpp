// frontend_fuzz.cpp — the decoders of client messages, and the cutting of a stream into them.
#include <algorithm>
#include <cstring>

#include "modules/pgwire/frontend.h"
#include "modules/pgwire/input.h"

using namespace coppice;
using namespace coppice::pgwire;

namespace {

void decode_all(ByteView body) {
  if (const auto startup = decode_startup(body)) static_cast<void>(session_request(*startup));
  static_cast<void>(decode_parse(body));
  static_cast<void>(decode_bind(body));
  static_cast<void>(decode_name(body, "Describe"));
  static_cast<void>(decode_execute(body));
  static_cast<void>(decode_text(body, "Query"));
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView bytes = std::as_bytes(std::span(data, size));
  decode_all(bytes);
  if (size < 2) return 0;
  InputBudget budget(1 << 17);
  Input input(budget);
  const std::size_t piece = 1 + data[0];
  bool startup = true;
  for (std::size_t at = 1; at < size;) {
    const MutableByteView space = input.space();
    const std::size_t count = std::min({piece, size - at, space.size()});
    std::memcpy(space.data(), bytes.data() + at, count);
    input.filled(count);
    at += count;
    for (;;) {
      const Frame frame = input.next(startup);
      if (frame.kind == Frame::Kind::kBad) return 0;
      if (frame.kind == Frame::Kind::kNone) break;
      if (frame.kind == Frame::Kind::kMessage) decode_all(frame.body);
      startup = false;
    }
    input.release_if_empty();
  }
  return 0;
}
