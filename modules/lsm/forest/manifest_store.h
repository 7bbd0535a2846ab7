// manifest_store.h — ManifestStore: the newest manifest on disk, and the one before it.
//
// Role:     each is a file of its own, written whole, synced, then the ones before the previous
//           removed. One that is not whole is taken for torn and its predecessor, or none, used:
//           the log and the files that this needs go only when the next one is durable. Were it
//           damaged later, they may be gone: opening fails then, and passed_over() says what came
//           before.
// Threads:  one at a time.   Parks: load() and write().
// Errors:   those of the Vfs. After a failed write() the next one goes to another name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interfaces/vfs.h"
#include "kernel/core/log.h"
#include "modules/lsm/forest/manifest.h"

namespace coppice::lsm {

std::string manifest_name(std::uint64_t sequence);  // "lsm/000000000000002a.manifest"

class ManifestStore {
 public:
  ManifestStore(Vfs& vfs, const Log& log) : vfs_(vfs), log_(log) {}

  Result<std::optional<Manifest>> load();                          // nothing: a new forest
  const std::string& passed_over() const { return passed_over_; }  // empty: none
  Status write(Manifest& manifest);               // gives it its sequence; durable once it returned
  std::uint64_t bytes() const { return bytes_; }  // of the last one

 private:
  Result<Manifest> read(const FileInfo& file);
  void pass_over(std::string_view name, const Error& why);
  Status remove_others(std::uint64_t newest);

  Vfs& vfs_;
  const Log& log_;
  std::uint64_t last_sequence_ = 0;     // of any name there ever was
  std::uint64_t previous_ = 0;          // the newest that is whole
  std::vector<std::uint64_t> on_disk_;  // ascending
  std::uint64_t bytes_ = 0;
  std::string passed_over_;
};

}  // namespace coppice::lsm
