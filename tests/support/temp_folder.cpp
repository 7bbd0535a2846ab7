// temp_folder.cpp — mkdtemp and remove_all.
#include "tests/support/temp_folder.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "kernel/base/assert.h"

namespace coppice {

TempFolder::TempFolder() {
  const std::filesystem::path parent = std::filesystem::current_path() / "build" / "test-folders";
  std::filesystem::create_directories(parent);
  std::string pattern = (parent / "XXXXXX").string();
  COPPICE_ASSERT(::mkdtemp(pattern.data()) != nullptr);
  path_ = pattern;
}

TempFolder::~TempFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace coppice
