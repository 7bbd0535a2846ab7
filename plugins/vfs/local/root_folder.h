// root_folder.h — everything of a root folder that has to do with names: the calls that block.
//
// Role:     LocalVfs runs these on helper threads, where no fiber is.
// Owns:     the root's descriptor, and the lock that keeps a second process out.
// Threads:  any, several at once.   Parks: never; blocks.
// Errors:   as interfaces/vfs.h has them. Names were checked before (check_file_name).
// Holds:    files of our own have a '~' in their name, which no caller's name can have: LOCK~, and
//           segments that are being filled. What was left of those goes when the root is opened.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "interfaces/vfs.h"
#include "plugins/vfs/local/file_descriptor.h"

namespace coppice::vfs_local {

struct OpenedFile {
  FileDescriptor fd;
  std::uint64_t size = 0;
};

class RootFolder {
 public:
  // Makes the folder if need be. kUnavailable when another process (or another instance) has it.
  static Result<std::unique_ptr<RootFolder>> open(const std::string& path, bool direct_io);

  // False where O_DIRECT was not wanted or the file system refuses it; why() says so.
  bool direct_io() const { return direct_io_; }
  const std::string& why_not_direct() const { return why_not_direct_; }
  const std::string& path() const { return path_; }

  Result<OpenedFile> open_file(std::string_view name, bool writable) const;
  Result<FileDescriptor> create_file(std::string_view name) const;
  // A file under a name of our own, to be published or dropped.
  struct Unpublished {
    std::string name;
    FileDescriptor fd;
  };
  Result<Unpublished> create_unpublished() const;
  // Gives it its name, durably; kAlreadyExists if that is taken, then the file is gone.
  Status publish(const Unpublished& file, std::string_view name) const;
  void drop(const Unpublished& file) const;

  Status rename(std::string_view from, std::string_view to) const;
  Status remove(std::string_view name) const;
  Result<std::vector<FileInfo>> list(std::string_view prefix) const;
  // Makes the entry of `name` durable, and the folders that lead to it.
  Status sync_folders(std::string_view name) const;

 private:
  RootFolder(std::string path, FileDescriptor fd, FileDescriptor lock)
      : path_(std::move(path)), root_(std::move(fd)), lock_(std::move(lock)) {}

  Status remove_leftovers() const;
  void probe_direct_io();
  int open_flags() const;
  Status make_folders(std::string_view name) const;
  Status check_is_file(std::string_view name) const;

  const std::string path_;
  const FileDescriptor root_;
  const FileDescriptor lock_;
  bool direct_io_ = false;
  std::string why_not_direct_;
  mutable std::atomic<std::uint64_t> next_unpublished_ = 0;
};

}  // namespace coppice::vfs_local
