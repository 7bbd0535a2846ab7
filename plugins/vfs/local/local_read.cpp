// local_read.cpp — rounds of reads: as many at once as the bounce pool and the disk take.
#include "plugins/vfs/local/local_read.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "kernel/fiber/disk.h"
#include "kernel/fiber/os_error.h"
#include "kernel/fiber/runtime.h"
#include "plugins/vfs/local/local_files.h"

namespace coppice::vfs_local {
namespace {

// A quarter of the pool, so that one huge batch leaves room for others.
constexpr std::size_t kRoundBounceBytes = kPoolBytes / 4;
constexpr std::size_t kNoBounce = SIZE_MAX;

// What one disk read does for which request.
struct Piece {
  std::size_t request = 0;
  std::uint64_t offset = 0;  // of the file
  MutableByteView into;      // the destination
  std::size_t bounce = kNoBounce;
};

std::string describe(const ReadRequest& request) {
  return std::string(request.file->name()) + ": " + std::to_string(request.into.size()) +
         " bytes at offset " + std::to_string(request.offset);
}

bool is_aligned(std::uint64_t offset, MutableByteView into) {
  return (offset | into.size() | reinterpret_cast<std::uintptr_t>(into.data())) % kSectorBytes == 0;
}

std::size_t widened(std::uint64_t offset, std::size_t size) {
  return align_up(offset + size, kSectorBytes) - align_down(offset, kSectorBytes);
}

// Cuts the requests into rounds and runs them.
class Batch {
 public:
  Batch(std::span<const ReadRequest> requests, BouncePool& pool)
      : requests_(requests), pool_(pool), errors_at_(requests.size()) {}

  Status run() {
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      const ReadRequest& request = requests_[i];
      const std::uint64_t size = request.file->size();
      if (request.offset > size || request.into.size() > size - request.offset) {
        note(i, Error(Code::kCorruption, "read past the end, " + describe(request)));
        continue;
      }
      COPPICE_TRY(add(i));
    }
    COPPICE_TRY(run_round());
    if (errors_at_ == requests_.size()) return {};
    return std::unexpected(std::move(*error_));
  }

 private:
  // Unaligned reads above the round's share are read in several pieces.
  Status add(std::size_t index) {
    std::uint64_t offset = requests_[index].offset;
    MutableByteView rest = requests_[index].into;
    while (!rest.empty()) {
      const bool direct = is_aligned(offset, rest);
      const std::size_t size =
          direct ? rest.size() : std::min(rest.size(), kRoundBounceBytes - 2 * kSectorBytes);
      const std::size_t cost = direct ? 0 : BouncePool::cost(widened(offset, size));
      if (bounce_bytes_ + cost > kRoundBounceBytes || pieces_.size() == fiber::kDiskBatchMax) {
        COPPICE_TRY(run_round());
      }
      Piece piece{index, offset, rest.first(size)};
      if (!direct) {
        piece.bounce = bounce_sizes_.size();
        bounce_sizes_.push_back(widened(offset, size));
        bounce_bytes_ += cost;
      }
      pieces_.push_back(piece);
      offset += size;
      rest = rest.subspan(size);
    }
    return {};
  }

  Status run_round() {
    if (pieces_.empty()) return {};
    const BounceRound bounce = COPPICE_TRY(pool_.take(bounce_sizes_));
    std::vector<fiber::DiskRead> reads(pieces_.size());
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      const Piece& piece = pieces_[i];
      const auto& file = static_cast<const LocalFile&>(requests_[piece.request].file->underlying());
      reads[i].fd = file.descriptor();
      reads[i].offset = align_down(piece.offset, kSectorBytes);
      reads[i].into = piece.bounce == kNoBounce
                          ? piece.into
                          : bounce[piece.bounce].first(bounce_sizes_[piece.bounce]);
    }
    // The fields of all reads say what became of them; its status repeats the first.
    static_cast<void>(fiber::runtime().disk().read(reads));
    for (std::size_t i = 0; i < pieces_.size(); ++i) finish(pieces_[i], reads[i]);
    pieces_.clear();
    bounce_sizes_.clear();
    bounce_bytes_ = 0;
    return {};
  }

  void finish(const Piece& piece, const fiber::DiskRead& read) {
    const ReadRequest& request = requests_[piece.request];
    if (read.os_errno != 0) {
      note(piece.request, fiber::os_error(read.os_errno, "reading " + describe(request)));
      return;
    }
    const std::size_t lead = piece.offset - read.offset;
    if (read.bytes < lead + piece.into.size()) {  // the file shrank, or the disk lies
      note(piece.request, Error(Code::kCorruption, "short read, " + describe(request)));
      return;
    }
    if (piece.bounce != kNoBounce) {
      std::memcpy(piece.into.data(), read.into.data() + lead, piece.into.size());
    }
  }

  void note(std::size_t index, Error error) {
    if (index >= errors_at_) return;
    errors_at_ = index;
    error_.emplace(std::move(error));
  }

  const std::span<const ReadRequest> requests_;
  BouncePool& pool_;
  std::vector<Piece> pieces_;
  std::vector<std::size_t> bounce_sizes_;
  std::size_t bounce_bytes_ = 0;
  std::size_t errors_at_;  // the first request that failed
  std::optional<Error> error_;
};

}  // namespace

Status read_batch(std::span<const ReadRequest> requests, IoClass io_class, BouncePool& pool,
                  AtomicVfsCounters& counters) {
  for (const ReadRequest& request : requests) counters.count_read(io_class, request.into.size());
  return Batch(requests, pool).run();
}

}  // namespace coppice::vfs_local
