#include "modules/lsm/forest/manifest_store.h"

#include <algorithm>

#include "modules/lsm/forest/file_store.h"

namespace coppice::lsm {
namespace {

constexpr std::string_view kSuffix = ".manifest";

}  // namespace

std::string manifest_name(std::uint64_t sequence) {
  return numbered_name(sequence, kSuffix);
}

Result<Manifest> ManifestStore::read(const FileInfo& info) {
  const auto file = COPPICE_TRY(vfs_.open(info.name));
  if (file->size() > kManifestBytesMax) return fail(Code::kCorruption, "manifest: too long");
  ByteBuffer bytes(file->size());
  const ReadRequest request{file.get(), 0, bytes};
  if (!bytes.empty()) COPPICE_TRY(vfs_.read({&request, 1}, IoClass::kQuery));
  // A power cut pads an unsynced file with zeros; what was synced has its own length.
  return decode_manifest(bytes);
}

Result<std::optional<Manifest>> ManifestStore::load() {
  auto files = COPPICE_TRY(vfs_.list(kFilePrefix));
  std::erase_if(files, [](const FileInfo& f) { return number_in(f.name, kSuffix) == 0; });
  std::ranges::sort(files, std::greater<>(), &FileInfo::name);
  std::optional<Manifest> found;
  for (const FileInfo& info : files) {
    const std::uint64_t sequence = number_in(info.name, kSuffix);
    last_sequence_ = std::max(last_sequence_, sequence);
    on_disk_.push_back(sequence);
    if (found) continue;
    auto manifest = read(info);
    if (manifest && manifest->sequence != sequence)
      manifest = fail(Code::kCorruption, "manifest: of another name");
    if (manifest) {
      previous_ = sequence;
      bytes_ = info.size;
      found = *std::move(manifest);
    } else if (manifest.error().code() != Code::kCorruption) {
      return std::unexpected(std::move(manifest).error().context(info.name));
    } else {
      pass_over(info.name, manifest.error());
    }
  }
  std::ranges::sort(on_disk_);
  return found;
}

void ManifestStore::pass_over(std::string_view name, const Error& why) {
  const std::string what = std::string(name) + ": " + why.message();
  log_.warn("passed over a manifest that is not whole", "why=\"{}\"", what);
  if (!passed_over_.empty()) passed_over_ += ", ";
  passed_over_ += what;
}

Status ManifestStore::write(Manifest& manifest) {
  manifest.sequence = ++last_sequence_;
  const ByteBuffer bytes = encode_manifest(manifest);
  if (bytes.size() > kManifestBytesMax)
    return fail(Code::kLimitExceeded, "the manifest would be longer than 256 MiB");
  const std::string name = manifest_name(manifest.sequence);
  {
    const auto file = COPPICE_TRY(vfs_.create(name));
    on_disk_.push_back(manifest.sequence);
    COPPICE_TRY(file->append(bytes, IoClass::kFlush));
    COPPICE_TRY(file->sync(IoClass::kFlush));
  }
  bytes_ = bytes.size();
  return remove_others(manifest.sequence);
}

// All but the newest and the one before it.
Status ManifestStore::remove_others(std::uint64_t newest) {
  std::vector<std::uint64_t> kept;
  for (const std::uint64_t sequence : on_disk_) {
    const bool keep = sequence == newest || sequence == previous_;
    if (!keep && vfs_.remove(manifest_name(sequence))) continue;
    kept.push_back(sequence);  // one that could not be removed is tried again with the next
  }
  on_disk_ = std::move(kept);
  previous_ = newest;
  return {};
}

}  // namespace coppice::lsm
