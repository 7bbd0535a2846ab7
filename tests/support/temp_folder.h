// temp_folder.h — a folder of a test's own, removed with all that is in it.
#pragma once

#include <string>

namespace coppice {

class TempFolder {
 public:
  TempFolder();  // under build/, since /tmp may be a file system that refuses direct I/O
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace coppice
