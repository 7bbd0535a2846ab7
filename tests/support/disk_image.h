// disk_image.h — what is on a simulated disk, and what a power cut would leave of it.
//
// Role:     the crash semantics of interfaces/vfs.h as a value: names and bytes as programs see
//           them beside names and bytes that are durable. FaultyVfs works on one.
// Threads:  one at a time (FaultyVfs locks).   Parks: never.
// Holds:    an image that survive() gave has nothing unsure left in it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "interfaces/vfs.h"
#include "kernel/base/random.h"

namespace coppice {

class DiskImage {
 public:
  struct Inode {
    ByteBuffer bytes;
    std::uint64_t durable_size = 0;              // of bytes, from the front
    std::map<std::uint64_t, ByteBuffer> unsure;  // sector number -> what it held when last durable
  };
  using Handle = std::shared_ptr<Inode>;

  DiskImage() = default;
  DiskImage(DiskImage&&) noexcept = default;
  DiskImage& operator=(DiskImage&&) noexcept = default;
  DiskImage clone() const;

  // Null when absent. What a program sees.
  Handle find(std::string_view name) const;
  std::vector<FileInfo> list(std::string_view prefix) const;
  std::uint64_t used_bytes() const;  // of named files
  // kAlreadyExists if the name is a file, a folder, or lies in a file.
  Status check_vacant(std::string_view name) const;

  Handle create(std::string_view name);                               // durable at its first sync()
  Handle create_durable(std::string_view name, std::uint64_t bytes);  // a segment, zero-filled
  static void append(Inode& inode, ByteView bytes);
  // Makes the first `bytes` bytes durable, and the name if it still leads to the inode.
  void sync(std::string_view name, const Handle& inode, std::uint64_t bytes);
  static void begin_write(Inode& inode, std::uint64_t offset, ByteView bytes);
  static void end_durable_write(Inode& inode, std::uint64_t offset, std::uint64_t size);
  void rename(std::string_view from, std::string_view to);
  void remove(std::string_view name);

  // A power cut: for every name that differs and every byte that was not durable, `rng` decides.
  DiskImage survive(Rng& rng) const;

  // A fault of the medium: the bit changes, durably. False if there is no such byte.
  bool flip_bit(std::string_view name, std::uint64_t offset, unsigned bit);

 private:
  using Names = std::map<std::string, Handle, std::less<>>;
  Names seen_;
  Names durable_;
};

}  // namespace coppice
