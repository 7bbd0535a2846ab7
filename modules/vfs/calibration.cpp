// calibration.cpp — a file of 32 MiB is written, read at random, and removed.
#include "modules/vfs/calibration.h"

#include <algorithm>
#include <vector>

#include "kernel/base/aligned_buffer.h"
#include "kernel/base/checksum.h"
#include "kernel/base/coding.h"
#include "kernel/fiber/fiber.h"

namespace coppice::vfs {
namespace {

constexpr std::string_view kScratchFile = "calibration.scratch";
constexpr std::string_view kNewFile = "calibration.new";
constexpr std::uint32_t kVersion = 1;
constexpr std::uint64_t kScratchBytes = 32 << 20;
constexpr std::size_t kWriteBytes = 256 << 10;
constexpr std::size_t kReadBytes = 4096;
constexpr std::size_t kDepth = 32;
constexpr Duration kPhase = kCalibrationTimeMax / 5;  // four of them, and something to spare

std::uint64_t per_second(std::uint64_t amount, Duration took) {
  const auto ns = static_cast<std::uint64_t>(std::max<std::int64_t>(took.count(), 1));
  return std::max<std::uint64_t>(1, amount * 1'000'000'000 / ns);
}

// Writes the scratch file, or as much of it as the phase allows; gives its size.
Result<std::uint64_t> measure_writes(Vfs& vfs, Rng& rng, Calibration& to) {
  auto file = COPPICE_TRY(vfs.create(kScratchFile));
  const AlignedBuffer buffer(kWriteBytes);
  for (std::byte& b : buffer.view()) b = static_cast<std::byte>(rng.next());
  const Instant start = fiber::clock().now();
  while (file->size() < kScratchBytes && fiber::clock().now() - start < kPhase) {
    COPPICE_TRY(file->append(buffer.view(), IoClass::kQuery));
  }
  COPPICE_TRY(file->sync(IoClass::kQuery));
  to.write_bytes_per_second = per_second(file->size(), fiber::clock().now() - start);
  return file->size();
}

// Random reads of `size` bytes, `depth` at once, for a phase: how many per second.
Result<std::uint64_t> measure_reads(Vfs& vfs, const File& file, std::size_t size, std::size_t depth,
                                    Rng& rng) {
  const AlignedBuffer buffer(size * depth);
  const std::uint64_t places = file.size() / size;
  std::uint64_t reads = 0;
  const Instant start = fiber::clock().now();
  Duration took{};
  while (took < kPhase && reads < 100'000) {
    std::vector<ReadRequest> batch;
    for (std::size_t i = 0; i < depth; ++i) {
      batch.push_back({&file, rng.below(places) * size, buffer.view().subspan(i * size, size)});
    }
    COPPICE_TRY(vfs.read(batch, IoClass::kQuery));
    reads += depth;
    took = fiber::clock().now() - start;
  }
  return per_second(reads, took);
}

Result<Calibration> measure(Vfs& vfs, Rng& rng) {
  Calibration found;
  COPPICE_TRY(measure_writes(vfs, rng, found));
  const auto file = COPPICE_TRY(vfs.open(kScratchFile));
  const std::uint64_t one_by_one = COPPICE_TRY(measure_reads(vfs, *file, kReadBytes, 1, rng));
  found.read_latency_ns = 1'000'000'000 / one_by_one;
  found.reads_per_second = COPPICE_TRY(measure_reads(vfs, *file, kReadBytes, kDepth, rng));
  const std::uint64_t large = COPPICE_TRY(measure_reads(vfs, *file, kWriteBytes, 4, rng));
  found.read_bytes_per_second = large * kWriteBytes;
  return found;
}

Result<ByteBuffer> read_whole(Vfs& vfs, std::string_view name) {
  constexpr std::uint64_t kSizeMax = 4096;
  const auto file = COPPICE_TRY(vfs.open(name));
  if (file->size() > kSizeMax) return fail(Code::kCorruption, "calibration file is too large");
  ByteBuffer bytes(file->size());
  const ReadRequest request{file.get(), 0, bytes};
  COPPICE_TRY(vfs.read({&request, 1}, IoClass::kQuery));
  return bytes;
}

Status write_whole(Vfs& vfs, ByteView bytes) {
  static_cast<void>(vfs.remove(kNewFile));  // of an earlier attempt
  auto file = COPPICE_TRY(vfs.create(kNewFile));
  COPPICE_TRY(file->append(bytes, IoClass::kQuery));
  COPPICE_TRY(file->sync(IoClass::kQuery));
  file.reset();
  return vfs.rename(kNewFile, kCalibrationFile);
}

}  // namespace

ByteBuffer encode_calibration(const Calibration& calibration) {
  ByteBuffer bytes;
  ByteWriter writer(bytes);
  writer.u32(kVersion);
  writer.u64(calibration.read_latency_ns);
  writer.u64(calibration.reads_per_second);
  writer.u64(calibration.read_bytes_per_second);
  writer.u64(calibration.write_bytes_per_second);
  writer.u64(xxh3_64(bytes));
  return bytes;
}

std::optional<Calibration> decode_calibration(ByteView bytes) {
  constexpr std::size_t kBody = 4 + 4 * 8;
  if (bytes.size() < kBody + 8) return std::nullopt;  // zeros may follow, after a crash
  ByteReader reader(bytes.first(kBody + 8));
  const std::uint32_t version = reader.u32();
  Calibration found;
  found.read_latency_ns = reader.u64();
  found.reads_per_second = reader.u64();
  found.read_bytes_per_second = reader.u64();
  found.write_bytes_per_second = reader.u64();
  const bool good = version == kVersion && reader.u64() == xxh3_64(bytes.first(kBody)) &&
                    found.reads_per_second > 0 && found.write_bytes_per_second > 0;
  return good ? std::optional(found) : std::nullopt;
}

Calibration calibrate(Vfs& vfs, Rng rng) {
  if (const auto stored = read_whole(vfs, kCalibrationFile)) {
    if (const auto known = decode_calibration(*stored)) return *known;
  }
  static_cast<void>(vfs.remove(kScratchFile));  // of an earlier attempt
  const Result<Calibration> measured = measure(vfs, rng);
  static_cast<void>(vfs.remove(kScratchFile));
  if (!measured) return {};
  static_cast<void>(write_whole(vfs, encode_calibration(*measured)));  // else it is measured again
  return *measured;
}

}  // namespace coppice::vfs
