#include "modules/lsm/forest/file_store.h"

#include <algorithm>
#include <charconv>

#include "kernel/fiber/fiber.h"

namespace coppice::lsm {
namespace {

constexpr std::size_t kWriteBytes = 256 << 10;  // appended at once: what the Vfs cuts to anyway
constexpr unsigned kYieldCost = 16;             // of encoding a block
constexpr std::string_view kSuffix = ".sst";
constexpr std::size_t kNumberDigits = 16;

Error not_open(const BlockRef& at) {
  return Error(Code::kInternal, "block of a file that no tree refers to: file " +
                                    std::to_string(at.file) + " offset " +
                                    std::to_string(at.offset));
}

}  // namespace

std::string numbered_name(std::uint64_t number, std::string_view suffix) {
  char digits[kNumberDigits];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, number, 16);
  const auto count = static_cast<std::size_t>(end - digits);
  return std::string(kFilePrefix) + std::string(kNumberDigits - count, '0') +
         std::string(digits, count) + std::string(suffix);
}

std::uint64_t number_in(std::string_view name, std::string_view suffix) {
  if (!name.starts_with(kFilePrefix) || !name.ends_with(suffix)) return 0;
  name.remove_prefix(kFilePrefix.size());
  name.remove_suffix(suffix.size());
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number, 16);
  const bool whole = error == std::errc() && end == name.data() + name.size();
  return whole && name.size() == kNumberDigits ? number : 0;
}

std::string file_name(std::uint64_t number) {
  return numbered_name(number, kSuffix);
}

// --- writing ------------------------------------------------------------------------------------

Status FileWriter::append(ByteView bytes) {
  COPPICE_TRY(fiber::maybe_yield(kYieldCost));
  coppice::append(pending_, bytes);
  return pending_.size() < kWriteBytes ? Status() : flush();
}

Status FileWriter::flush() {
  if (pending_.empty()) return {};
  COPPICE_TRY(file_->append(pending_, io_class_));
  pending_.clear();
  return {};
}

Status FileWriter::finish() {
  COPPICE_TRY(flush());
  return file_->sync(io_class_);
}

Result<std::unique_ptr<FileWriter>> FileStore::create(IoClass io_class) {
  const std::uint64_t number = next_.fetch_add(1, std::memory_order_relaxed);
  auto file = COPPICE_TRY(vfs_.create(file_name(number)));
  return std::make_unique<FileWriter>(std::move(file), number, io_class);
}

// --- opening ------------------------------------------------------------------------------------

std::shared_ptr<const File> FileStore::find(std::uint64_t number) const {
  const SharedSpinGuard guard(lock_);
  const auto found = open_.find(number);
  return found == open_.end() ? nullptr : found->second.lock();
}

Result<std::shared_ptr<const File>> FileStore::open(std::uint64_t number) {
  if (auto known = find(number)) return known;
  std::shared_ptr<const File> file = COPPICE_TRY(vfs_.open(file_name(number)));
  const ExclusiveSpinGuard guard(lock_);
  open_[number] = file;
  return file;
}

Result<ByteBuffer> FileStore::read(const File& file, std::uint64_t offset,
                                   std::uint32_t length) const {
  if (offset > file.size() || length > file.size() - offset)
    return fail(Code::kCorruption, std::string(file.name()) + " offset " + std::to_string(offset) +
                                       ": beyond the end");
  ByteBuffer bytes(length);
  const ReadRequest request{&file, offset, bytes};
  COPPICE_TRY(vfs_.read({&request, 1}, IoClass::kQuery));
  return bytes;
}

Result<RowFileRef> FileStore::open_rows(const FileReference& at, bool pin_keys) {
  auto file = COPPICE_TRY(open(at.file));
  auto reader = COPPICE_TRY(RowFileReader::open(
      {.file = at.file, .start = at.offset, .end = at.offset + at.length, .pin_keys = pin_keys},
      [&](std::uint64_t offset, std::uint32_t length) { return read(*file, offset, length); }));
  auto made = std::make_shared<RowFile>();
  made->at = at;
  made->file = std::move(file);
  made->reader = std::move(reader);
  return RowFileRef(std::move(made));
}

Result<IndexFileRef> FileStore::open_index(const FileReference& at) {
  auto file = COPPICE_TRY(open(at.file));
  const IndexExtent footer = IndexFile::footer_extent(at.offset, at.length);
  const ByteBuffer footer_bytes = COPPICE_TRY(read(*file, footer.offset, footer.length));
  const IndexExtent tail =
      COPPICE_TRY(IndexFile::tail_extent(at.file, footer, footer_bytes, Verify::kChecksum));
  const ByteBuffer tail_bytes = COPPICE_TRY(read(*file, tail.offset, tail.length));
  auto index = COPPICE_TRY(
      IndexFile::open(at.file, footer, footer_bytes, tail_bytes, codecs_, Verify::kChecksum));
  auto made = std::make_shared<IndexFileSection>();
  made->at = at;
  made->file = std::move(file);
  made->index = std::move(index);
  return IndexFileRef(std::move(made));
}

Status FileStore::remove(std::uint64_t number) {
  cache_.erase_file(number);
  {
    const ExclusiveSpinGuard guard(lock_);
    std::erase_if(open_, [](const auto& entry) { return entry.second.expired(); });
  }
  Status removed = vfs_.remove(file_name(number));
  if (!removed && removed.error().code() == Code::kNotFound) return {};
  return removed;
}

Status FileStore::begin_numbers(std::uint64_t next) {
  const auto files = COPPICE_TRY(vfs_.list(kFilePrefix));
  for (const FileInfo& file : files) next = std::max(next, number_in(file.name, kSuffix) + 1);
  next_.store(next, std::memory_order_relaxed);
  return {};
}

Result<std::vector<std::uint64_t>> FileStore::orphans(
    const std::vector<std::uint64_t>& live) const {
  const auto files = COPPICE_TRY(vfs_.list(kFilePrefix));
  std::vector<std::uint64_t> found;
  for (const FileInfo& file : files) {
    const std::uint64_t number = number_in(file.name, kSuffix);
    if (number != 0 && !std::ranges::binary_search(live, number)) found.push_back(number);
  }
  return found;
}

// --- blocks -------------------------------------------------------------------------------------

Status StoredRowBlocks::fetch(std::span<BlockRequest> requests) {
  struct Missing {
    BlockRequest* request;
    std::shared_ptr<const File> file;
    ByteBuffer bytes;
  };
  std::vector<Missing> missing;
  const auto hold = [](BlockPin pin) {
    auto held = std::make_shared<BlockPin>(std::move(pin));
    return LoadedBlockRef(held, static_cast<const LoadedBlock*>(held->get()));
  };
  for (BlockRequest& request : requests) {
    if (request.block != nullptr) continue;
    if (BlockPin pin = store_.cache().find({request.at.file, request.at.offset})) {
      request.block = hold(std::move(pin));
      if (request.block->place() != request.at)
        return block_corrupt(request.at, "another block is there");
      continue;
    }
    auto file = store_.find(request.at.file);
    if (file == nullptr) return std::unexpected(not_open(request.at));
    missing.push_back({&request, std::move(file), ByteBuffer(request.at.length)});
  }
  if (missing.empty()) return {};
  std::vector<ReadRequest> reads;
  for (Missing& one : missing) reads.push_back({one.file.get(), one.request->at.offset, one.bytes});
  COPPICE_TRY(store_.vfs().read(reads, io_class_));
  for (Missing& one : missing) {
    const BlockRef& at = one.request->at;
    auto block = COPPICE_TRY(LoadedBlock::load(at, std::move(one.bytes), dictionaries_, decoder_));
    one.request->block =
        hold(store_.cache().insert({at.file, at.offset}, std::move(block), TenantId{}));
  }
  return {};
}

BlockPin StoredIndexBlocks::find(const BlockRef& at) {
  const auto held = held_.find({at.file, at.offset});
  if (held == held_.end()) return store_.cache().find({at.file, at.offset});
  // A pin that does not unpin: held_ keeps the block as long as this source lives.
  return {nullptr, nullptr, held->second->get()};
}

Result<BlockPin> StoredIndexBlocks::insert(const BlockRef& at, ByteView stored) {
  auto block = COPPICE_TRY(IndexBlock::open(at, stored, store_.codecs(), Verify::kChecksum));
  return store_.cache().insert({at.file, at.offset}, std::move(block), TenantId{});
}

Result<BlockPin> StoredIndexBlocks::read(const BlockRef& at) {
  if (BlockPin pin = find(at)) return pin;
  const auto file = store_.find(at.file);
  if (file == nullptr) return std::unexpected(not_open(at));
  ByteBuffer bytes(at.length);
  const ReadRequest request{file.get(), at.offset, bytes};
  COPPICE_TRY(store_.vfs().read({&request, 1}, io_class_));
  return insert(at, bytes);
}

Status StoredIndexBlocks::gather(std::span<const BlockRef> wanted) {
  struct Missing {
    BlockRef at;
    std::shared_ptr<const File> file;
    ByteBuffer bytes;
  };
  std::vector<Missing> missing;
  for (const BlockRef& at : wanted) {
    const std::pair key{at.file, at.offset};
    if (held_.contains(key)) continue;
    if (BlockPin pin = store_.cache().find({at.file, at.offset})) {
      held_[key] = std::make_shared<BlockPin>(std::move(pin));
      continue;
    }
    auto file = store_.find(at.file);
    if (file == nullptr) return std::unexpected(not_open(at));
    held_[key] = nullptr;  // wanted once only
    missing.push_back({at, std::move(file), ByteBuffer(at.length)});
  }
  if (missing.empty()) return {};
  std::vector<ReadRequest> reads;
  for (Missing& one : missing) reads.push_back({one.file.get(), one.at.offset, one.bytes});
  COPPICE_TRY(store_.vfs().read(reads, io_class_));
  for (const Missing& one : missing) {
    BlockPin pin = COPPICE_TRY(insert(one.at, one.bytes));
    held_[{one.at.file, one.at.offset}] = std::make_shared<BlockPin>(std::move(pin));
  }
  return {};
}

}  // namespace coppice::lsm
