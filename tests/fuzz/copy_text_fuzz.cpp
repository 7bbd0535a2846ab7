// copy_text_fuzz.cpp — COPY's lines and fields: any bytes, in pieces of any size.
#include <cstddef>
#include <cstdint>
#include <string>

#include "kernel/base/assert.h"
#include "modules/session/copy_text.h"

using namespace coppice;
using namespace coppice::session;

namespace {

// The lines of `text` fed in pieces of `size` bytes, and whether it ended well.
std::string lines_of(std::string_view text, std::size_t size) {
  CopyLines lines;
  CopyFields fields;
  std::string all;
  bool ended = false;
  while (!ended) {
    if (text.empty()) {
      lines.end();
      ended = true;
    } else {
      const std::string_view piece = text.substr(0, size);
      lines.feed(as_bytes(piece));
      text.remove_prefix(piece.size());
    }
    for (;;) {
      const auto line = lines.next();
      if (!line) return all + "!";
      if (!*line) break;
      all += **line;
      all += '\0';
      fields.split(**line, '\t', "\\N");
      COPPICE_ASSERT(fields.size() >= 1);
      std::size_t bytes = 0;
      for (std::size_t i = 0; i < fields.size(); ++i) bytes += fields[i] ? fields[i]->size() : 0;
      COPPICE_ASSERT(bytes <= (*line)->size());
    }
  }
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  COPPICE_ASSERT(lines_of(text, 1 + data[0] % 16) == lines_of(text, text.size() + 1));
  return 0;
}
