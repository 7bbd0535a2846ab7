// disk_image.cpp — two name tables over shared inodes, and the dice of a power cut.
#include "tests/support/disk_image.h"

#include <algorithm>
#include <set>
#include <utility>

#include "kernel/base/assert.h"

namespace coppice {
namespace {

constexpr double kEven = 0.5;

std::uint64_t sector_of(std::uint64_t offset) {
  return offset / kSectorBytes;
}

// Of an append-only file: everything synced, then perhaps more; behind what was synced some sectors
// may never have reached the disk and read as zeros, though the size did.
void lose_appended(DiskImage::Inode& inode, Rng& rng) {
  const std::uint64_t size = inode.bytes.size();
  if (size == inode.durable_size) return;
  std::uint64_t kept = inode.durable_size + rng.below(size - inode.durable_size + 1);
  if (rng.chance(kEven)) kept = std::max(inode.durable_size, align_down(kept, kSectorBytes));
  inode.bytes.resize(kept);
  if (rng.chance(kEven)) inode.bytes.resize(align_up(kept, kSectorBytes));  // padding not cut off
  std::uint64_t at = inode.durable_size;
  while (at < inode.bytes.size()) {
    const std::uint64_t end =
        std::min<std::uint64_t>(inode.bytes.size(), (sector_of(at) + 1) * kSectorBytes);
    if (rng.chance(0.25)) {
      std::fill(inode.bytes.begin() + static_cast<std::ptrdiff_t>(at),
                inode.bytes.begin() + static_cast<std::ptrdiff_t>(end), std::byte{0});
    }
    at = end;
  }
}

void lose_written(DiskImage::Inode& inode, Rng& rng) {
  for (const auto& [sector, old] : inode.unsure) {
    if (rng.chance(kEven)) continue;
    std::memcpy(inode.bytes.data() + sector * kSectorBytes, old.data(), old.size());
  }
  inode.unsure.clear();
}

}  // namespace

DiskImage DiskImage::clone() const {
  DiskImage copy;
  std::map<const Inode*, Handle> copies;
  const auto copy_names = [&copies](const Names& from, Names& to) {
    for (const auto& [name, inode] : from) {
      Handle& twin = copies[inode.get()];
      if (twin == nullptr) twin = std::make_shared<Inode>(*inode);
      to.emplace(name, twin);
    }
  };
  copy_names(seen_, copy.seen_);
  copy_names(durable_, copy.durable_);
  return copy;
}

DiskImage::Handle DiskImage::find(std::string_view name) const {
  const auto at = seen_.find(name);
  return at == seen_.end() ? nullptr : at->second;
}

std::vector<FileInfo> DiskImage::list(std::string_view prefix) const {
  std::vector<FileInfo> found;
  for (auto at = seen_.lower_bound(prefix); at != seen_.end(); ++at) {
    if (!at->first.starts_with(prefix)) break;
    found.push_back({at->first, at->second->bytes.size()});
  }
  return found;
}

std::uint64_t DiskImage::used_bytes() const {
  std::uint64_t total = 0;
  for (const auto& [name, inode] : seen_) total += inode->bytes.size();
  return total;
}

Status DiskImage::check_vacant(std::string_view name) const {
  const std::string folder = std::string(name) + "/";
  const auto within = seen_.lower_bound(folder);
  bool taken = seen_.contains(name);
  taken = taken || (within != seen_.end() && within->first.starts_with(folder));
  for (std::size_t slash = name.find('/'); slash != name.npos; slash = name.find('/', slash + 1)) {
    taken = taken || seen_.contains(name.substr(0, slash));
  }
  if (!taken) return {};
  return fail(Code::kAlreadyExists, "file or folder \"" + std::string(name) + "\" exists");
}

DiskImage::Handle DiskImage::create(std::string_view name) {
  auto inode = std::make_shared<Inode>();
  seen_.insert_or_assign(std::string(name), inode);
  return inode;
}

DiskImage::Handle DiskImage::create_durable(std::string_view name, std::uint64_t bytes) {
  Handle inode = create(name);
  inode->bytes.resize(bytes);
  inode->durable_size = bytes;
  durable_.insert_or_assign(std::string(name), inode);
  return inode;
}

void DiskImage::append(Inode& inode, ByteView bytes) {
  coppice::append(inode.bytes, bytes);
}

void DiskImage::sync(std::string_view name, const Handle& inode, std::uint64_t bytes) {
  COPPICE_ASSERT(bytes <= inode->bytes.size());
  inode->durable_size = std::max(inode->durable_size, bytes);
  if (find(name) == inode) durable_.insert_or_assign(std::string(name), inode);
}

void DiskImage::begin_write(Inode& inode, std::uint64_t offset, ByteView bytes) {
  COPPICE_ASSERT(offset % kSectorBytes == 0 && bytes.size() % kSectorBytes == 0);
  COPPICE_ASSERT(offset + bytes.size() <= inode.bytes.size());
  for (std::uint64_t at = 0; at < bytes.size(); at += kSectorBytes) {
    std::byte* sector = inode.bytes.data() + offset + at;
    inode.unsure.try_emplace(sector_of(offset + at), sector, sector + kSectorBytes);
    std::memcpy(sector, bytes.data() + at, kSectorBytes);
  }
}

void DiskImage::end_durable_write(Inode& inode, std::uint64_t offset, std::uint64_t size) {
  inode.unsure.erase(inode.unsure.lower_bound(sector_of(offset)),
                     inode.unsure.lower_bound(sector_of(offset + size)));
}

void DiskImage::rename(std::string_view from, std::string_view to) {
  const Handle inode = find(from);
  COPPICE_ASSERT(inode != nullptr);
  if (from == to) return;
  for (Names* names : {&seen_, &durable_}) {
    names->insert_or_assign(std::string(to), inode);
    const auto old = names->find(from);
    if (old != names->end()) names->erase(old);
  }
}

void DiskImage::remove(std::string_view name) {
  const auto at = seen_.find(name);
  COPPICE_ASSERT(at != seen_.end());
  seen_.erase(at);
}

DiskImage DiskImage::survive(Rng& rng) const {
  const DiskImage copy = clone();
  std::set<std::string_view> names;
  for (const auto& [name, inode] : copy.seen_) names.insert(name);
  for (const auto& [name, inode] : copy.durable_) names.insert(name);

  DiskImage left;
  std::set<Inode*> done;  // one roll of the dice per inode
  for (const std::string_view name : names) {
    const auto seen = copy.seen_.find(name);
    const auto durable = copy.durable_.find(name);
    Handle inode = durable == copy.durable_.end() ? nullptr : durable->second;
    const Handle other = seen == copy.seen_.end() ? nullptr : seen->second;
    if (inode != other && rng.chance(kEven)) inode = other;
    if (inode == nullptr) continue;
    if (done.insert(inode.get()).second) {
      lose_appended(*inode, rng);
      lose_written(*inode, rng);
      inode->durable_size = inode->bytes.size();
    }
    left.seen_.emplace(name, inode);
  }
  left.durable_ = left.seen_;
  return left;
}

bool DiskImage::flip_bit(std::string_view name, std::uint64_t offset, unsigned bit) {
  const Handle inode = find(name);
  if (inode == nullptr || offset >= inode->bytes.size()) return false;
  const auto mask = static_cast<std::byte>(1U << (bit % 8));
  inode->bytes[offset] ^= mask;
  const auto unsure = inode->unsure.find(sector_of(offset));
  if (unsure != inode->unsure.end()) unsure->second[offset % kSectorBytes] ^= mask;
  return true;
}

}  // namespace coppice
