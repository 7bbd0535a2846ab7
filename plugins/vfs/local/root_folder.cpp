// root_folder.cpp — system calls relative to the root's descriptor; nothing leads out of it.
#include "plugins/vfs/local/root_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "kernel/base/aligned_buffer.h"
#include "kernel/fiber/os_error.h"

namespace coppice::vfs_local {
namespace {

constexpr mode_t kFileMode = 0640;
constexpr mode_t kFolderMode = 0750;
constexpr std::size_t kFolderDepthMax = kNameBytesMax / 2;
constexpr const char* kLockName = "LOCK~";
constexpr const char* kProbeName = "PROBE~";

std::unexpected<Error> os_fail(int os_errno, std::string_view doing) {
  return std::unexpected(fiber::os_error(os_errno, doing));
}

// Where a caller asks for a name, whatever is not a file does not exist.
std::unexpected<Error> open_error(int os_errno, std::string_view name) {
  if (os_errno == ENOENT || os_errno == ENOTDIR || os_errno == EISDIR) {
    return fail(Code::kNotFound, "no file \"" + std::string(name) + "\"");
  }
  return os_fail(os_errno, "opening " + std::string(name));
}

// Where a caller wants to make a name, whatever is there is in its way.
std::unexpected<Error> create_error(int os_errno, std::string_view name) {
  if (os_errno == EEXIST || os_errno == ENOTDIR || os_errno == EISDIR || os_errno == ENOTEMPTY) {
    return fail(Code::kAlreadyExists, "file or folder \"" + std::string(name) + "\" exists");
  }
  return os_fail(os_errno, "creating " + std::string(name));
}

std::string folder_of(std::string_view name) {
  const std::size_t slash = name.rfind('/');
  return slash == name.npos ? "." : std::string(name.substr(0, slash));
}

struct FolderCloser {
  void operator()(DIR* folder) const { ::closedir(folder); }
};
using FolderStream = std::unique_ptr<DIR, FolderCloser>;

// Calls visit(name) for every file under the folder `prefix` ("" or "a/b/"), links not followed.
template <class Visit>
Status walk(int root, const std::string& prefix, std::size_t depth, const Visit& visit) {
  if (depth > kFolderDepthMax) return {};
  const int fd =
      ::openat(root, prefix.empty() ? "." : prefix.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) {
    const int os_errno = errno;
    if (os_errno == ENOENT || os_errno == ENOTDIR) return {};
    return os_fail(os_errno, "listing " + prefix);
  }
  const FolderStream folder(::fdopendir(fd));
  if (folder == nullptr) {
    const int os_errno = errno;
    ::close(fd);
    return os_fail(os_errno, "listing " + prefix);
  }
  while (true) {
    errno = 0;
    const dirent* entry = ::readdir(folder.get());
    const int os_errno = errno;
    if (entry == nullptr) {
      if (os_errno != 0) return os_fail(os_errno, "listing " + prefix);
      return {};
    }
    const std::string_view leaf = entry->d_name;
    if (leaf == "." || leaf == "..") continue;
    struct stat info{};
    if (::fstatat(root, (prefix + entry->d_name).c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
      continue;  // removed meanwhile
    }
    if (S_ISDIR(info.st_mode)) {
      COPPICE_TRY(walk(root, prefix + entry->d_name + "/", depth + 1, visit));
    } else if (S_ISREG(info.st_mode)) {
      visit(prefix + entry->d_name, static_cast<std::uint64_t>(info.st_size));
    }
  }
}

Status make_root(const std::string& path) {
  for (std::size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    const std::string part = path.substr(0, slash);
    const int made = ::mkdir(part.c_str(), kFolderMode);
    const int os_errno = errno;
    if (made != 0 && os_errno != EEXIST) return os_fail(os_errno, "making folder " + part);
    if (slash == path.npos) return {};
  }
}

}  // namespace

Result<std::unique_ptr<RootFolder>> RootFolder::open(const std::string& path, bool direct_io) {
  COPPICE_TRY(make_root(path));
  FileDescriptor root(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  int os_errno = errno;
  if (!root.valid()) return os_fail(os_errno, "opening folder " + path);

  FileDescriptor lock(::openat(root.get(), kLockName, O_RDWR | O_CREAT | O_CLOEXEC, kFileMode));
  os_errno = errno;
  if (!lock.valid()) return os_fail(os_errno, "opening lock file in " + path);
  const int locked = ::flock(lock.get(), LOCK_EX | LOCK_NB);
  os_errno = errno;
  if (locked != 0 && os_errno == EWOULDBLOCK) {
    return fail(Code::kUnavailable, "folder " + path + " is in use by another process");
  }
  if (locked != 0) return os_fail(os_errno, "locking " + path);

  std::unique_ptr<RootFolder> folder(new RootFolder(path, std::move(root), std::move(lock)));
  COPPICE_TRY(folder->remove_leftovers());
  if (direct_io) {
    folder->probe_direct_io();
  } else {
    folder->why_not_direct_ = "switched off";
  }
  return folder;
}

Status RootFolder::remove_leftovers() const {
  std::vector<std::string> leftovers;
  COPPICE_TRY(walk(root_.get(), "", 0, [&](const std::string& name, std::uint64_t) {
    if (name.ends_with('~') && name != kLockName) leftovers.push_back(name);
  }));
  for (const std::string& name : leftovers) {
    const int removed = ::unlinkat(root_.get(), name.c_str(), 0);
    const int os_errno = errno;
    if (removed != 0) return os_fail(os_errno, "removing leftover " + name);
  }
  return {};
}

// Some file systems refuse O_DIRECT when a file is opened, some only when it is written.
void RootFolder::probe_direct_io() {
  const FileDescriptor probe(
      ::openat(root_.get(), kProbeName, O_RDWR | O_CREAT | O_DIRECT | O_CLOEXEC, kFileMode));
  int os_errno = errno;
  if (probe.valid()) {
    const AlignedBuffer buffer(kSectorBytes);
    std::ranges::fill(buffer.view(), std::byte{0});
    const ssize_t written = ::pwrite(probe.get(), buffer.data(), buffer.size(), 0);
    os_errno = errno;
    direct_io_ = written == static_cast<ssize_t>(buffer.size());
  }
  if (!direct_io_) why_not_direct_ = fiber::os_error(os_errno, "probing O_DIRECT").message();
  ::unlinkat(root_.get(), kProbeName, 0);
}

int RootFolder::open_flags() const {
  return O_CLOEXEC | O_NOFOLLOW | (direct_io_ ? O_DIRECT : 0);
}

Result<OpenedFile> RootFolder::open_file(std::string_view name, bool writable) const {
  const std::string path(name);
  OpenedFile file;
  file.fd = FileDescriptor(
      ::openat(root_.get(), path.c_str(), open_flags() | (writable ? O_RDWR : O_RDONLY)));
  const int os_errno = errno;
  if (!file.fd.valid()) {
    COPPICE_TRY(check_is_file(name));  // O_DIRECT on a folder: EINVAL
    return open_error(os_errno, name);
  }
  struct stat info{};
  if (::fstat(file.fd.get(), &info) != 0 || !S_ISREG(info.st_mode)) {
    return fail(Code::kNotFound, "no file \"" + path + "\"");
  }
  file.size = static_cast<std::uint64_t>(info.st_size);
  return file;
}

Result<FileDescriptor> RootFolder::create_file(std::string_view name) const {
  COPPICE_TRY(make_folders(name));
  FileDescriptor fd(::openat(root_.get(), std::string(name).c_str(),
                             open_flags() | O_RDWR | O_CREAT | O_EXCL, kFileMode));
  const int os_errno = errno;
  if (!fd.valid()) return create_error(os_errno, name);
  return fd;
}

Result<RootFolder::Unpublished> RootFolder::create_unpublished() const {
  Unpublished file;
  file.name = "new-" + std::to_string(next_unpublished_.fetch_add(1)) + "~";
  file.fd = FileDescriptor(::openat(root_.get(), file.name.c_str(),
                                    open_flags() | O_RDWR | O_CREAT | O_EXCL, kFileMode));
  const int os_errno = errno;
  if (!file.fd.valid()) return os_fail(os_errno, "creating " + file.name);
  return file;
}

Status RootFolder::publish(const Unpublished& file, std::string_view name) const {
  Status made = make_folders(name);
  if (!made) {
    drop(file);
    return made;
  }
  const int renamed = ::renameat2(root_.get(), file.name.c_str(), root_.get(),
                                  std::string(name).c_str(), RENAME_NOREPLACE);
  const int os_errno = errno;
  if (renamed != 0) {
    drop(file);
    return create_error(os_errno, name);
  }
  return sync_folders(name);
}

void RootFolder::drop(const Unpublished& file) const {
  ::unlinkat(root_.get(), file.name.c_str(), 0);
}

Status RootFolder::check_is_file(std::string_view name) const {
  struct stat info{};
  const int found = ::fstatat(root_.get(), std::string(name).c_str(), &info, AT_SYMLINK_NOFOLLOW);
  const int os_errno = errno;
  if (found != 0) return open_error(os_errno, name);
  if (!S_ISREG(info.st_mode)) return open_error(EISDIR, name);
  return {};
}

Status RootFolder::rename(std::string_view from, std::string_view to) const {
  COPPICE_TRY(check_is_file(from));
  COPPICE_TRY(make_folders(to));
  const int renamed =
      ::renameat(root_.get(), std::string(from).c_str(), root_.get(), std::string(to).c_str());
  const int os_errno = errno;
  if (renamed != 0) return create_error(os_errno, to);
  COPPICE_TRY(sync_folders(to));
  if (folder_of(from) != folder_of(to)) COPPICE_TRY(sync_folders(from));
  return {};
}

Status RootFolder::remove(std::string_view name) const {
  const int removed = ::unlinkat(root_.get(), std::string(name).c_str(), 0);
  const int os_errno = errno;
  if (removed != 0) return open_error(os_errno, name);
  return {};
}

Result<std::vector<FileInfo>> RootFolder::list(std::string_view prefix) const {
  std::vector<FileInfo> found;
  const std::size_t slash = prefix.rfind('/');
  const std::string folder(prefix.substr(0, slash == prefix.npos ? 0 : slash + 1));
  if (!folder.empty() && !check_file_name(prefix.substr(0, slash))) return found;
  COPPICE_TRY(walk(root_.get(), folder, 0, [&](const std::string& name, std::uint64_t size) {
    if (name.starts_with(prefix) && check_file_name(name)) found.push_back({name, size});
  }));
  std::ranges::sort(found, {}, &FileInfo::name);
  return found;
}

Status RootFolder::make_folders(std::string_view name) const {
  for (std::size_t slash = name.find('/'); slash != name.npos; slash = name.find('/', slash + 1)) {
    const std::string folder(name.substr(0, slash));
    const int made = ::mkdirat(root_.get(), folder.c_str(), kFolderMode);
    const int os_errno = errno;
    if (made != 0 && os_errno != EEXIST) return create_error(os_errno, folder);
  }
  return {};
}

Status RootFolder::sync_folders(std::string_view name) const {
  std::string folder = folder_of(name);
  while (true) {
    const FileDescriptor fd(
        ::openat(root_.get(), folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    int os_errno = errno;
    if (!fd.valid()) return os_fail(os_errno, "opening folder " + folder);
    const int synced = ::fsync(fd.get());
    os_errno = errno;
    if (synced != 0) return os_fail(os_errno, "syncing folder " + folder);
    if (folder == ".") return {};
    folder = folder_of(folder);
  }
}

}  // namespace coppice::vfs_local
