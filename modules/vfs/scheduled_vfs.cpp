// scheduled_vfs.cpp — wrappers of files, and the cutting of background reads.
#include "modules/vfs/scheduled_vfs.h"

#include <algorithm>
#include <utility>

#include "kernel/fiber/fiber.h"
#include "modules/vfs/io_charge.h"

namespace coppice::vfs {
namespace {

class ScheduledAppendFile final : public AppendFile {
 public:
  ScheduledAppendFile(std::unique_ptr<AppendFile> file, IoScheduler& scheduler)
      : file_(std::move(file)), scheduler_(scheduler) {}

  std::string_view name() const override { return file_->name(); }
  std::uint64_t size() const override { return file_->size(); }
  Status append(ByteView bytes, IoClass io_class) override {
    do {
      const ByteView piece = bytes.first(std::min(bytes.size(), kPieceBytes));
      const auto slot = COPPICE_TRY(scheduler_.begin(io_class, piece.size()));
      charge_write(piece.size());
      COPPICE_TRY(file_->append(piece, io_class));
      bytes = bytes.subspan(piece.size());
    } while (!bytes.empty());
    return {};
  }
  // Not scheduled: what a sync waits for has been written before it.
  Status sync(IoClass io_class) override { return file_->sync(io_class); }

 private:
  const std::unique_ptr<AppendFile> file_;
  IoScheduler& scheduler_;
};

class ScheduledSegment final : public SegmentFile {
 public:
  ScheduledSegment(std::unique_ptr<SegmentFile> file, IoScheduler& scheduler)
      : file_(std::move(file)), scheduler_(scheduler) {}

  std::string_view name() const override { return file_->name(); }
  std::uint64_t size() const override { return file_->size(); }
  const File& underlying() const override { return file_->underlying(); }
  Status write(std::uint64_t offset, ByteView bytes, bool durable, IoClass io_class) override {
    const auto slot = COPPICE_TRY(scheduler_.begin(io_class, bytes.size()));
    charge_write(bytes.size());
    if (io_class == IoClass::kLog) charge(Resource::kLogBytes, bytes.size());
    return file_->write(offset, bytes, durable, io_class);
  }

 private:
  const std::unique_ptr<SegmentFile> file_;
  IoScheduler& scheduler_;
};

std::uint64_t total_bytes(std::span<const ReadRequest> requests) {
  std::uint64_t sum = 0;
  for (const ReadRequest& request : requests) sum += request.into.size();
  return sum;
}

}  // namespace

Result<std::unique_ptr<AppendFile>> ScheduledVfs::create(std::string_view name) {
  auto file = COPPICE_TRY(backend_.create(name));
  return std::make_unique<ScheduledAppendFile>(std::move(file), scheduler_);
}

Result<std::unique_ptr<SegmentFile>> ScheduledVfs::create_segment(std::string_view name,
                                                                  std::uint64_t bytes) {
  const auto slot = COPPICE_TRY(scheduler_.begin(IoClass::kCompaction, kPieceBytes));
  auto file = COPPICE_TRY(backend_.create_segment(name, bytes));
  charge_write(bytes);
  return std::make_unique<ScheduledSegment>(std::move(file), scheduler_);
}

Result<std::unique_ptr<SegmentFile>> ScheduledVfs::open_segment(std::string_view name) {
  auto file = COPPICE_TRY(backend_.open_segment(name));
  return std::make_unique<ScheduledSegment>(std::move(file), scheduler_);
}

Status ScheduledVfs::read(std::span<const ReadRequest> requests, IoClass io_class) {
  charge_read(requests.size(), total_bytes(requests));
  if (IoScheduler::is_background(io_class)) return read_in_pieces(requests, io_class);
  const Instant before = fiber::clock().now();
  Status status = backend_.read(requests, io_class);
  if (io_class == IoClass::kQuery) {
    scheduler_.observe_query_read(fiber::clock().now() - before);
  }
  return status;
}

// Groups of requests, and parts of large ones, of up to kPieceBytes each. The first error in
// request order ends it, as the interface says; later groups are then not read at all.
Status ScheduledVfs::read_in_pieces(std::span<const ReadRequest> requests, IoClass io_class) {
  std::vector<ReadRequest> group;
  std::uint64_t group_bytes = 0;
  const auto flush = [&]() -> Status {
    if (group.empty()) return {};
    const auto slot = COPPICE_TRY(scheduler_.begin(io_class, group_bytes));
    COPPICE_TRY(backend_.read(group, io_class));
    group.clear();
    group_bytes = 0;
    return {};
  };
  for (const ReadRequest& request : requests) {
    ReadRequest rest = request;
    do {
      if (group_bytes == kPieceBytes) COPPICE_TRY(flush());
      const std::size_t count = std::min<std::size_t>(rest.into.size(), kPieceBytes - group_bytes);
      group.push_back({rest.file, rest.offset, rest.into.first(count)});
      group_bytes += count;
      rest.offset += count;
      rest.into = rest.into.subspan(count);
    } while (!rest.into.empty());
  }
  return flush();
}

}  // namespace coppice::vfs
