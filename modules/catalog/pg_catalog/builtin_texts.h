// builtin_texts.h — the contents of data/*.tsv; defined by a file that CMake generates.
#pragma once

#include <cstddef>
#include <string_view>

namespace coppice::catalog {

struct BuiltinText {
  std::string_view name;  // of the file, without .tsv
  std::string_view text;
};
extern const BuiltinText kBuiltinTexts[];
extern const std::size_t kBuiltinTextCount;

}  // namespace coppice::catalog
