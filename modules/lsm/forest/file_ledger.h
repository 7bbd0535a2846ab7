// file_ledger.h — FileLedger: how many sections of each file trees still refer to.
//
// Role:     a file goes when no section of it is referred to; one that is mostly dead is rewritten.
// Threads:  one at a time (the keeper's edit mutex).   Parks: never.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "modules/lsm/forest/tree_file.h"

namespace coppice::lsm {

class FileLedger {
 public:
  void add(const FileReference& section) {
    Use& use = files_[section.file];
    ++use.sections;
    use.live_bytes += section.length;
    use.bytes = std::max(use.bytes, section.offset + section.length);
    bytes_ += section.length;
  }
  void drop(const FileReference& section) {
    const auto found = files_.find(section.file);
    if (found == files_.end()) return;
    found->second.live_bytes -= section.length;
    bytes_ -= section.length;
    if (--found->second.sections != 0) return;
    files_.erase(found);
    dead_.push_back(section.file);
  }
  std::vector<std::uint64_t> take_dead() { return std::exchange(dead_, {}); }

  std::vector<std::uint64_t> live() const {  // ascending
    std::vector<std::uint64_t> numbers;
    for (const auto& [number, use] : files_) numbers.push_back(number);
    return numbers;
  }
  std::size_t files() const { return files_.size(); }
  std::uint64_t bytes() const { return bytes_; }  // of live sections
  std::uint64_t dead_bytes(std::uint64_t file) const {
    const auto found = files_.find(file);
    return found == files_.end() ? 0 : found->second.bytes - found->second.live_bytes;
  }
  std::uint64_t live_bytes(std::uint64_t file) const {
    const auto found = files_.find(file);
    return found == files_.end() ? 0 : found->second.live_bytes;
  }

 private:
  struct Use {
    std::uint64_t sections = 0;
    std::uint64_t live_bytes = 0;
    std::uint64_t bytes = 0;  // up to the end of the last section there ever was
  };
  std::map<std::uint64_t, Use> files_;
  std::uint64_t bytes_ = 0;
  std::vector<std::uint64_t> dead_;
};

}  // namespace coppice::lsm
