// vfs_contract.cpp — the cases; each gets a fixture of its own.
#include "tests/contract/vfs_contract.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <set>
#include <string>
#include <thread>

#include <doctest/doctest.h>
#include "kernel/base/aligned_buffer.h"
#include "kernel/base/random.h"

namespace coppice {
namespace {

constexpr IoClass kClass = IoClass::kQuery;
constexpr std::uint64_t kSeed = 20231;

// Bytes that differ at every offset and for every seed.
ByteBuffer pattern(std::size_t size, std::uint64_t seed) {
  ByteBuffer bytes(size);
  Rng rng(seed);
  for (std::byte& b : bytes) b = static_cast<std::byte>(rng.next());
  return bytes;
}

template <class T>
bool failed_with(const Result<T>& result, Code code) {
  return !result && result.error().code() == code;
}

#define CHECK_OK(expression)                                                     \
  do {                                                                           \
    const auto& status_of_check = (expression);                                  \
    CHECK_MESSAGE(status_of_check.has_value(),                                   \
                  (status_of_check ? "" : status_of_check.error().to_string())); \
  } while (false)

Status put(Vfs& vfs, std::string_view name, ByteView bytes) {
  auto file = COPPICE_TRY(vfs.create(name));
  COPPICE_TRY(file->append(bytes, kClass));
  return file->sync(kClass);
}

Result<ByteBuffer> get(Vfs& vfs, std::string_view name) {
  const auto file = COPPICE_TRY(vfs.open(name));
  ByteBuffer bytes(file->size());
  const ReadRequest request{file.get(), 0, bytes};
  COPPICE_TRY(vfs.read({&request, 1}, kClass));
  return bytes;
}

bool holds(Vfs& vfs, std::string_view name, const ByteBuffer& expected) {
  const Result<ByteBuffer> bytes = get(vfs, name);
  return bytes && *bytes == expected;
}

Status read_into(Vfs& vfs, const File& file, std::uint64_t offset, MutableByteView into) {
  const ReadRequest request{&file, offset, into};
  return vfs.read({&request, 1}, kClass);
}

// A durable write of `sectors` sectors filled with `fill`.
Status fill_sectors(SegmentFile& file, std::uint64_t sector, std::size_t sectors, int fill,
                    bool durable) {
  const AlignedBuffer buffer(sectors * kSectorBytes);
  std::ranges::fill(buffer.view(), static_cast<std::byte>(fill));
  return file.write(sector * kSectorBytes, buffer.view(), durable, IoClass::kLog);
}

// --- cases
// -----------------------------------------------------------------------------------------

void names_are_checked(VfsFixture& fixture) {
  Vfs& vfs = fixture.vfs();
  const std::string longest(kNameBytesMax, 'n');
  const std::string too_long(kNameBytesMax + 1, 'n');
  for (const std::string_view bad :
       {std::string_view(""), std::string_view("/"), std::string_view("/etc/passwd"),
        std::string_view("a//b"), std::string_view("a/"), std::string_view(".."),
        std::string_view("../a"), std::string_view("a/../b"), std::string_view("a/.."),
        std::string_view("."), std::string_view("a/./b"), std::string_view("a b"),
        std::string_view("a\0b", 3), std::string_view("ä"), std::string_view("a\\b"),
        std::string_view(too_long)}) {
    CAPTURE(bad);
    CHECK(failed_with(vfs.open(bad), Code::kInvalidArgument));
    CHECK(failed_with(vfs.create(bad), Code::kInvalidArgument));
    CHECK(failed_with(vfs.create_segment(bad, kSectorBytes), Code::kInvalidArgument));
    CHECK(failed_with(vfs.open_segment(bad), Code::kInvalidArgument));
    CHECK(failed_with(vfs.rename(bad, "fine"), Code::kInvalidArgument));
    CHECK(failed_with(vfs.rename("fine", bad), Code::kInvalidArgument));
    CHECK(failed_with(vfs.remove(bad), Code::kInvalidArgument));
  }
  for (const std::string_view good :
       {std::string_view("a"), std::string_view("..."), std::string_view(".hidden"),
        std::string_view("x/y/z-0_1.sst"), std::string_view(longest)}) {
    CAPTURE(good);
    CHECK_OK(put(vfs, good, as_bytes(good)));
    CHECK(as_text(get(vfs, good).value()) == good);
    CHECK_OK(vfs.remove(good));
  }
}

void a_name_is_a_file_or_a_folder(VfsFixture& fixture) {
  Vfs& vfs = fixture.vfs();
  CHECK_OK(put(vfs, "file", as_bytes("x")));
  CHECK_OK(put(vfs, "folder/inner", as_bytes("x")));
  CHECK(failed_with(vfs.create("file/inner"), Code::kAlreadyExists));
  CHECK(failed_with(vfs.create_segment("file/inner", kSectorBytes), Code::kAlreadyExists));
  CHECK(failed_with(vfs.create("folder"), Code::kAlreadyExists));
  CHECK(failed_with(vfs.create_segment("folder", kSectorBytes), Code::kAlreadyExists));
  CHECK(failed_with(vfs.rename("file", "folder"), Code::kAlreadyExists));
  CHECK(failed_with(vfs.open("folder"), Code::kNotFound));
  CHECK(failed_with(vfs.open_segment("folder"), Code::kNotFound));
  CHECK(failed_with(vfs.open("file/inner"), Code::kNotFound));
  CHECK(failed_with(vfs.remove("folder"), Code::kNotFound));
  CHECK(holds(vfs, "file", ByteBuffer(1, std::byte{'x'})));
}

void absent_files_are_not_found(VfsFixture& fixture) {
  Vfs& vfs = fixture.vfs();
  CHECK(failed_with(vfs.open("absent"), Code::kNotFound));
  CHECK(failed_with(vfs.open("absent/too"), Code::kNotFound));
  CHECK(failed_with(vfs.open_segment("absent"), Code::kNotFound));
  CHECK(failed_with(vfs.rename("absent", "other"), Code::kNotFound));
  CHECK(failed_with(vfs.remove("absent"), Code::kNotFound));
  const auto files = vfs.list("");
  REQUIRE(files.has_value());
  CHECK(files->empty());
}

void create_refuses_an_existing_name(VfsFixture& fixture) {
  Vfs& vfs = fixture.vfs();
  CHECK_OK(put(vfs, "a", as_bytes("first")));
  CHECK(failed_with(vfs.create("a"), Code::kAlreadyExists));
  CHECK(failed_with(vfs.create_segment("a", kSectorBytes), Code::kAlreadyExists));
  CHECK(as_text(get(vfs, "a").value()) == "first");
}

// Appends of odd sizes across every buffer border an implementation might have.
void appended_bytes_come_back(VfsFixture& fixture) {
  Vfs& vfs = fixture.vfs();
  for (const std::size_t size :
       {0UL, 1UL, 511UL, 4095UL, 4096UL, 4097UL, 262143UL, 262144UL, 262145UL, 1000003UL}) {
    CAPTURE(size);
    const ByteBuffer bytes = pattern(size, size);
    const std::string name = "sized/" + std::to_string(size);
    Rng rng(kSeed + size);
    {
      auto file = vfs.create(name);
      REQUIRE(file.has_value());
      CHECK((*file)->name() == name);
      for (std::size_t at = 0; at < size;) {
        const std::size_t most = rng.chance(0.1) ? 300000 : 5000;
        const std::size_t count = std::min<std::size_t>(size - at, 1 + rng.below(most));
        CHECK_OK((*file)->append(ByteView(bytes).subspan(at, count), IoClass::kFlush));
        at += count;
        CHECK((*file)->size() == at);
        if (rng.chance(0.05)) CHECK_OK((*file)->sync(IoClass::kFlush));
      }
      CHECK_OK((*file)->append({}, IoClass::kFlush));
      CHECK_OK((*file)->sync(IoClass::kFlush));
    }
    CHECK(holds(vfs, name, bytes));
  }
}

void synced_bytes_are_seen_while_appending_goes_on(VfsFixture& fixture) {
  Vfs& vfs = fixture.vfs();
  const ByteBuffer bytes = pattern(10000, kSeed);
  auto file = vfs.create("growing");
  REQUIRE(file.has_value());
  std::size_t at = 0;
  for (const std::size_t count : {100UL, 4096UL, 3000UL, 1UL}) {
    CHECK_OK((*file)->append(ByteView(bytes).subspan(at, count), kClass));
    CHECK_OK((*file)->sync(kClass));
    at += count;
    CHECK(holds(vfs, "growing", ByteBuffer(bytes.begin(), bytes.begin() + std::ptrdiff_t(at))));
  }
}

void any_offset_size_and_address_can_be_read(VfsFixture& fixture) {
  Vfs& vfs = fixture.vfs();
  const ByteBuffer bytes = pattern(3 * kSectorBytes + 777, kSeed);
  CHECK_OK(put(vfs, "f", bytes));
  const auto file = vfs.open("f");
  REQUIRE(file.has_value());
  CHECK((*file)->size() == bytes.size());
  CHECK((*file)->name() == "f");
  const AlignedBuffer buffer(5 * kSectorBytes);
  const std::array<std::size_t, 8> places = {0, 1, 512, 4095, 4096, 4097, 8192, 12288};
  for (const std::size_t offset : places) {
    for (const std::size_t size : {0UL, 1UL, 2UL, 511UL, 512UL, 4096UL, 5000UL, 8192UL}) {
      if (offset + size > bytes.size()) continue;
      for (const std::size_t shift : {0UL, 1UL, 512UL}) {
        CAPTURE(offset);
        CAPTURE(size);
        CAPTURE(shift);
        std::ranges::fill(buffer.view(), std::byte{0x5A});
        const MutableByteView into = buffer.view().subspan(shift, size);
        CHECK_OK(read_into(vfs, **file, offset, into));
        CHECK(std::ranges::equal(into, ByteView(bytes).subspan(offset, size)));
        // Nothing beside it is touched: the neighbour may be another fiber's block.
        CHECK(buffer.view()[shift + size] == std::byte{0x5A});
        if (shift > 0) CHECK(buffer.view()[shift - 1] == std::byte{0x5A});
      }
    }
  }
}

void a_batch_is_read_whole(VfsFixture& fixture) {
  Vfs& vfs = fixture.vfs();
  CHECK_OK(vfs.read({}, kClass));
  std::vector<ByteBuffer> contents;
  std::vector<std::unique_ptr<File>> files;
  for (std::size_t i = 0; i < 3; ++i) {
    contents.push_back(pattern(100000 + i * 1111, i));
    const std::string name = "batch/" + std::to_string(i);
    CHECK_OK(put(vfs, name, contents.back()));
    files.push_back(vfs.open(name).value());
  }
  constexpr std::size_t kRequests = 300;
  Rng rng(kSeed);
  std::vector<ByteBuffer> read(kRequests);
  std::vector<ReadRequest> requests;
  for (ByteBuffer& into : read) {
    const std::size_t which = rng.below(files.size());
    const std::uint64_t offset = rng.below(contents[which].size());
    into.resize(rng.below(std::min<std::uint64_t>(contents[which].size() - offset, 9000) + 1));
    requests.push_back({files[which].get(), offset, into});
  }
  CHECK_OK(vfs.read(requests, kClass));
  for (std::size_t i = 0; i < kRequests; ++i) {
    const auto which = static_cast<std::size_t>(
        std::ranges::find_if(files, [&](const auto& f) { return f.get() == requests[i].file; }) -
        files.begin());
    CHECK(std::ranges::equal(
        read[i], ByteView(contents[which]).subspan(requests[i].offset, requests[i].into.size())));
  }
}

void reading_past_the_end_is_corruption(VfsFixture& fixture) {
  Vfs& vfs = fixture.vfs();
  const ByteBuffer bytes = pattern(5000, kSeed);
  CHECK_OK(put(vfs, "f", bytes));
  const auto file = vfs.open("f").value();
  ByteBuffer into(5001);
  const MutableByteView view(into);
  CHECK_OK(read_into(vfs, *file, 5000, {}));
  CHECK(failed_with(read_into(vfs, *file, 0, view), Code::kCorruption));
  CHECK(failed_with(read_into(vfs, *file, 4999, view.first(2)), Code::kCorruption));
  CHECK(failed_with(read_into(vfs, *file, 8192, view.first(1)), Code::kCorruption));
  CHECK(failed_with(read_into(vfs, *file, UINT64_MAX, view.first(1)), Code::kCorruption));
  CHECK(failed_with(read_into(vfs, *file, UINT64_MAX - 1, view), Code::kCorruption));
  // One bad request fails the batch, and the message names the file.
  const std::array<ReadRequest, 3> batch = {ReadRequest{file.get(), 0, view.first(10)},
                                            ReadRequest{file.get(), 4990, view.subspan(10, 20)},
                                            ReadRequest{file.get(), 0, view.subspan(40, 10)}};
  const Status status = vfs.read(batch, kClass);
  REQUIRE(failed_with(status, Code::kCorruption));
  CHECK(status.error().to_string().find("f") != std::string::npos);
  CHECK(status.error().to_string().find("4990") != std::string::npos);
}

void segments_are_zero_filled_and_written_in_place(VfsFixture& fixture) {
  Vfs& vfs = fixture.vfs();
  constexpr std::size_t kSectors = 300;  // above 1 MiB: more than one write of zeros
  auto created = vfs.create_segment("log/1", kSectors * kSectorBytes);
  REQUIRE(created.has_value());
  SegmentFile& segment = **created;
  CHECK(segment.size() == kSectors * kSectorBytes);
  ByteBuffer model(segment.size());
  CHECK(holds(vfs, "log/1", model));
  Rng rng(kSeed);
  for (int round = 0; round < 20; ++round) {
    const std::size_t sector = rng.below(kSectors);
    const std::size_t count = 1 + rng.below(std::min<std::size_t>(kSectors - sector, 9));
    CHECK_OK(fill_sectors(segment, sector, count, round + 1, rng.chance(0.5)));
    std::fill_n(model.begin() + std::ptrdiff_t(sector * kSectorBytes), count * kSectorBytes,
                std::byte(round + 1));
  }
  ByteBuffer into(model.size());
  CHECK_OK(read_into(vfs, segment, 0, into));
  CHECK(into == model);
  created->reset();
  CHECK(holds(vfs, "log/1", model));
  auto again = vfs.open_segment("log/1");
  REQUIRE(again.has_value());
  CHECK((*again)->size() == model.size());
  CHECK_OK(fill_sectors(**again, 0, 1, 99, true));
  std::fill_n(model.begin(), kSectorBytes, std::byte{99});
  CHECK(holds(vfs, "log/1", model));
}

void segments_refuse_what_direct_io_cannot_do(VfsFixture& fixture) {
  Vfs& vfs = fixture.vfs();
  CHECK(failed_with(vfs.create_segment("odd", kSectorBytes + 1), Code::kInvalidArgument));
  auto segment = vfs.create_segment("s", 4 * kSectorBytes).value();
  const AlignedBuffer buffer(8 * kSectorBytes);
  std::ranges::fill(buffer.view(), std::byte{7});
  const MutableByteView v = buffer.view();
  const auto write = [&](std::uint64_t offset, ByteView bytes) {
    return segment->write(offset, bytes, true, IoClass::kLog);
  };
  CHECK(failed_with(write(1, v.first(kSectorBytes)), Code::kInvalidArgument));
  CHECK(failed_with(write(0, v.first(100)), Code::kInvalidArgument));
  CHECK(failed_with(write(0, v.subspan(8, kSectorBytes)), Code::kInvalidArgument));
  CHECK(failed_with(write(0, v.first(5 * kSectorBytes)), Code::kInvalidArgument));
  CHECK(failed_with(write(4 * kSectorBytes, v.first(kSectorBytes)), Code::kInvalidArgument));
  CHECK(failed_with(write(UINT64_MAX - 4095, v.first(kSectorBytes)), Code::kInvalidArgument));
  CHECK(holds(vfs, "s", ByteBuffer(4 * kSectorBytes)));
  CHECK_OK(put(vfs, "not-a-segment", as_bytes("abc")));
  CHECK(failed_with(vfs.open_segment("not-a-segment"), Code::kCorruption));
}

void segment_writes_run_side_by_side(VfsFixture& fixture) {
  Vfs& vfs = fixture.vfs();
  constexpr int kWriters = static_cast<int>(kSegmentWritesMax);
  constexpr int kRounds = 8;
  auto segment = vfs.create_segment("s", kWriters * kRounds * kSectorBytes).value();
  std::atomic<int> failures = 0;
  fixture.run_together(kWriters, [&](int writer) {
    for (int round = 0; round < kRounds; ++round) {
      const int sector = round * kWriters + writer;
      if (!fill_sectors(*segment, std::uint64_t(sector), 1, sector + 1, true)) ++failures;
    }
  });
  CHECK(failures == 0);
  const ByteBuffer bytes = get(vfs, "s").value();
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    if (bytes[at] != std::byte(at / kSectorBytes + 1)) {
      FAIL_CHECK("wrong byte at ", at);
      break;
    }
  }
}

void rename_replaces(VfsFixture& fixture) {
  Vfs& vfs = fixture.vfs();
  const ByteBuffer first = pattern(5000, 1);
  const ByteBuffer second = pattern(6000, 2);
  CHECK_OK(put(vfs, "a", first));
  CHECK_OK(put(vfs, "b", second));
  const auto old_b = vfs.open("b").value();
  CHECK_OK(vfs.rename("a", "b"));
  CHECK(failed_with(vfs.open("a"), Code::kNotFound));
  CHECK(holds(vfs, "b", first));
  ByteBuffer into(second.size());
  CHECK_OK(read_into(vfs, *old_b, 0, into));
  CHECK(into == second);
  CHECK_OK(vfs.rename("b", "new/folder/c"));
  CHECK(holds(vfs, "new/folder/c", first));
  CHECK_OK(vfs.rename("new/folder/c", "new/folder/c"));
  CHECK(holds(vfs, "new/folder/c", first));
  CHECK_OK(put(vfs, "a", second));  // the name is free again
  CHECK(failed_with(vfs.rename("a", "a/b"), Code::kAlreadyExists));
  CHECK(holds(vfs, "a", second));
}

void removed_files_stay_readable_while_open(VfsFixture& fixture) {
  Vfs& vfs = fixture.vfs();
  const ByteBuffer bytes = pattern(20000, kSeed);
  CHECK_OK(put(vfs, "f", bytes));
  const auto file = vfs.open("f").value();
  CHECK_OK(vfs.remove("f"));
  CHECK(failed_with(vfs.open("f"), Code::kNotFound));
  CHECK(failed_with(vfs.remove("f"), Code::kNotFound));
  ByteBuffer into(bytes.size());
  CHECK_OK(read_into(vfs, *file, 0, into));
  CHECK(into == bytes);
  CHECK_OK(put(vfs, "f", as_bytes("another")));
  CHECK_OK(read_into(vfs, *file, 0, into));
  CHECK(into == bytes);
  CHECK(as_text(get(vfs, "f").value()) == "another");
}

void list_gives_names_in_order(VfsFixture& fixture) {
  Vfs& vfs = fixture.vfs();
  for (const std::string_view name : {"b/2", "a", "b/10", "b.x", "b/deep/1", "c"}) {
    CHECK_OK(put(vfs, name, as_bytes(name)));
  }
  REQUIRE(vfs.create_segment("b/segment", kSectorBytes).has_value());
  const auto names = [&](std::string_view prefix) {
    std::string joined;
    const std::vector<FileInfo> files = vfs.list(prefix).value();
    for (const FileInfo& info : files) {
      const bool segment = info.name == "b/segment";
      CHECK(info.size == (segment ? kSectorBytes : info.name.size()));
      joined += info.name + " ";
    }
    return joined;
  };
  CHECK(names("") == "a b.x b/10 b/2 b/deep/1 b/segment c ");
  CHECK(names("b") == "b.x b/10 b/2 b/deep/1 b/segment ");
  CHECK(names("b/") == "b/10 b/2 b/deep/1 b/segment ");
  CHECK(names("b/deep/1") == "b/deep/1 ");
  CHECK(names("b/deep/1x").empty());
  CHECK(names("zzz/").empty());
  CHECK(names("../").empty());
}

void counters_count(VfsFixture& fixture) {
  Vfs& vfs = fixture.vfs();
  const auto of = [&](IoClass c) { return vfs.counters().by_class[static_cast<std::size_t>(c)]; };
  const auto before = of(IoClass::kFlush);
  const ByteBuffer bytes = pattern(300000, kSeed);
  auto file = vfs.create("f").value();
  CHECK_OK(file->append(bytes, IoClass::kFlush));
  CHECK_OK(file->sync(IoClass::kFlush));
  const auto after = of(IoClass::kFlush);
  CHECK(after.writes > before.writes);
  CHECK(after.write_bytes - before.write_bytes >= bytes.size());
  CHECK(after.syncs > before.syncs);
  const auto reads = of(IoClass::kPrefetch);
  const auto opened = vfs.open("f").value();
  ByteBuffer into(100);
  const std::array<ReadRequest, 2> batch = {
      ReadRequest{opened.get(), 0, MutableByteView(into).first(50)},
      ReadRequest{opened.get(), 100000, MutableByteView(into).subspan(50)}};
  CHECK_OK(vfs.read(batch, IoClass::kPrefetch));
  CHECK(of(IoClass::kPrefetch).reads - reads.reads == 2);
  CHECK(of(IoClass::kPrefetch).read_bytes - reads.read_bytes >= 100);
}

// Every fiber has files of its own and reads one that all share.
void many_fibers_work_at_once(VfsFixture& fixture) {
  Vfs& vfs = fixture.vfs();
  const ByteBuffer shared = pattern(200000, kSeed);
  CHECK_OK(put(vfs, "shared", shared));
  const auto file = vfs.open("shared").value();
  std::atomic<int> failures = 0;
  constexpr int kFibers = 6;
  fixture.run_together(kFibers, [&](int fiber) {
    Rng rng(kSeed + std::uint64_t(fiber));
    const auto expect = [&](bool ok) { failures += ok ? 0 : 1; };
    for (int round = 0; round < 15; ++round) {
      const std::string name = "own/" + std::to_string(fiber) + "/" + std::to_string(round % 3);
      const ByteBuffer bytes = pattern(rng.below(20000), rng.next());
      expect(put(vfs, name + ".tmp", bytes).has_value());
      expect(vfs.rename(name + ".tmp", name).has_value());
      expect(holds(vfs, name, bytes));
      ByteBuffer into(1 + rng.below(5000));
      const std::uint64_t offset = rng.below(shared.size() - into.size());
      expect(read_into(vfs, *file, offset, into).has_value());
      expect(std::ranges::equal(into, ByteView(shared).subspan(offset, into.size())));
      expect(vfs.list("own/").has_value());
      if (rng.chance(0.3)) expect(vfs.remove(name).has_value());
    }
  });
  CHECK(failures == 0);
}

void exactly_one_creator_wins(VfsFixture& fixture) {
  Vfs& vfs = fixture.vfs();
  std::atomic<int> winners = 0;
  std::atomic<int> surprises = 0;
  for (int round = 0; round < 10; ++round) {
    const std::string name = "race/" + std::to_string(round);
    fixture.run_together(4, [&](int) {
      const auto file = vfs.create(name);
      if (file) ++winners;
      if (!file && file.error().code() != Code::kAlreadyExists) ++surprises;
    });
  }
  CHECK(winners == 10);
  CHECK(surprises == 0);
}

void a_full_disk_recovers(VfsFixture& fixture) {
  if (fixture.capacity_bytes() == 0) return;
  Vfs& vfs = fixture.vfs();
  const ByteBuffer chunk = pattern(256 << 10, kSeed);
  CHECK_OK(put(vfs, "kept", chunk));
  Status status;
  std::uint64_t written = 0;
  {
    auto hog = vfs.create("hog").value();
    while (status && written <= fixture.capacity_bytes()) {
      status = hog->append(chunk, kClass);
      if (status) status = hog->sync(kClass);
      written += chunk.size();
    }
    REQUIRE(failed_with(status, Code::kDiskFull));
    CHECK_FALSE(hog->append(as_bytes("x"), kClass).has_value());
    CHECK_FALSE(hog->sync(kClass).has_value());
  }
  CHECK(failed_with(vfs.create_segment("big", align_up(fixture.capacity_bytes(), kSectorBytes)),
                    Code::kDiskFull));
  CHECK(vfs.list("big").value().empty());
  CHECK(holds(vfs, "kept", chunk));
  CHECK_OK(vfs.remove("hog"));
  CHECK_OK(put(vfs, "again", chunk));
  CHECK(holds(vfs, "again", chunk));
}

void everything_is_there_after_a_restart(VfsFixture& fixture) {
  const ByteBuffer bytes = pattern(300001, kSeed);
  fixture.run([&] {
    CHECK_OK(put(fixture.vfs(), "a/b/c", bytes));
    CHECK_OK(put(fixture.vfs(), "gone", bytes));
    CHECK_OK(fixture.vfs().remove("gone"));
    const auto segment = fixture.vfs().create_segment("s", 2 * kSectorBytes).value();
    CHECK_OK(fill_sectors(*segment, 1, 1, 5, true));
  });
  if (!fixture.restart()) return;
  fixture.run([&] {
    CHECK(holds(fixture.vfs(), "a/b/c", bytes));
    ByteBuffer model(2 * kSectorBytes);
    std::fill_n(model.begin() + kSectorBytes, kSectorBytes, std::byte{5});
    CHECK(holds(fixture.vfs(), "s", model));
    CHECK(fixture.vfs().list("").value().size() == 2);
  });
}

// What the head of vfs.h says a power cut leaves, no more and no less.
void a_power_cut_leaves_what_was_promised(
    const std::function<std::unique_ptr<VfsFixture>()>& make) {
  std::set<std::uint64_t> unsynced_sizes;
  std::set<int> mixes;
  int undone = 0;
  constexpr std::uint64_t kCuts = 60;
  for (std::uint64_t seed = 1; seed <= kCuts; ++seed) {
    CAPTURE(seed);
    const auto fixture = make();
    const ByteBuffer bytes = pattern(30000, seed);
    const ByteView synced = ByteView(bytes).first(9000);
    fixture->run([&] {
      Vfs& vfs = fixture->vfs();
      CHECK_OK(put(vfs, "synced", bytes));
      auto half = vfs.create("half").value();
      CHECK_OK(half->append(synced, kClass));
      CHECK_OK(half->sync(kClass));
      CHECK_OK(half->append(ByteView(bytes).subspan(9000), kClass));
      auto never = vfs.create("never").value();
      CHECK_OK(never->append(bytes, kClass));
      auto segment = vfs.create_segment("segment", 8 * kSectorBytes).value();
      CHECK_OK(fill_sectors(*segment, 0, 4, 1, true));
      CHECK_OK(fill_sectors(*segment, 4, 4, 2, false));
      CHECK_OK(put(vfs, "old", as_bytes("old")));
      CHECK_OK(put(vfs, "new", as_bytes("new")));
      CHECK_OK(vfs.rename("new", "old"));
      CHECK_OK(put(vfs, "removed", as_bytes("removed")));
      CHECK_OK(vfs.remove("removed"));
    });
    if (!fixture->power_cut(seed)) return;
    fixture->run([&] {
      Vfs& vfs = fixture->vfs();
      CHECK(holds(vfs, "synced", bytes));
      const ByteBuffer half = get(vfs, "half").value();
      REQUIRE(half.size() >= synced.size());
      CHECK(half.size() <= align_up(bytes.size(), kSectorBytes));
      CHECK(std::equal(synced.begin(), synced.end(), half.begin()));
      for (std::size_t at = synced.size(); at < half.size(); ++at) {
        const std::byte written = at < bytes.size() ? bytes[at] : std::byte{0};
        if (half[at] != written && half[at] != std::byte{0}) {
          FAIL_CHECK("a byte that was never written, at ", at);
          break;
        }
      }
      const auto never = get(vfs, "never");
      unsynced_sizes.insert(never ? never->size() : UINT64_MAX);
      const ByteBuffer segment = get(vfs, "segment").value();
      REQUIRE(segment.size() == 8 * kSectorBytes);
      int mix = 0;
      for (std::size_t sector = 0; sector < 8; ++sector) {
        const auto s = ByteView(segment).subspan(sector * kSectorBytes, kSectorBytes);
        const bool whole = std::ranges::all_of(s, [&](std::byte b) { return b == s.front(); });
        CHECK(whole);
        if (sector < 4) CHECK(s.front() == std::byte{1});
        if (sector >= 4) CHECK((s.front() == std::byte{2} || s.front() == std::byte{0}));
        mix = mix * 2 + (s.front() != std::byte{0} ? 1 : 0);
      }
      mixes.insert(mix);
      CHECK(as_text(get(vfs, "old").value()) == "new");
      CHECK(failed_with(vfs.open("new"), Code::kNotFound));
      const auto removed = get(vfs, "removed");
      if (removed) CHECK(as_text(*removed) == "removed");
      undone += removed ? 1 : 0;
    });
  }
  // A model of a disk that never loses anything would prove nothing.
  CHECK(unsynced_sizes.size() > 5);
  CHECK(mixes.size() > 5);
  CHECK(undone > 0);
  CHECK(undone < static_cast<int>(kCuts));
}

struct Case {
  std::string_view name;
  void (*body)(VfsFixture&);
};
constexpr Case kCases[] = {
    {"names are checked", names_are_checked},
    {"a name is a file or a folder", a_name_is_a_file_or_a_folder},
    {"absent files are not found", absent_files_are_not_found},
    {"create refuses an existing name", create_refuses_an_existing_name},
    {"appended bytes come back", appended_bytes_come_back},
    {"synced bytes are seen while appending goes on",
     synced_bytes_are_seen_while_appending_goes_on},
    {"any offset, size and address can be read", any_offset_size_and_address_can_be_read},
    {"a batch is read whole", a_batch_is_read_whole},
    {"reading past the end is corruption", reading_past_the_end_is_corruption},
    {"segments are zero-filled and written in place",
     segments_are_zero_filled_and_written_in_place},
    {"segments refuse what direct I/O cannot do", segments_refuse_what_direct_io_cannot_do},
    {"segment writes run side by side", segment_writes_run_side_by_side},
    {"rename replaces", rename_replaces},
    {"removed files stay readable while open", removed_files_stay_readable_while_open},
    {"list gives names in order", list_gives_names_in_order},
    {"counters count", counters_count},
    {"many fibers work at once", many_fibers_work_at_once},
    {"exactly one creator wins", exactly_one_creator_wins},
    {"a full disk recovers", a_full_disk_recovers},
};

}  // namespace

void VfsFixture::run_together(int count, const std::function<void(int)>& body) {
  std::vector<std::jthread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back([&body, i] { body(i); });
}

void vfs_contract(const std::function<std::unique_ptr<VfsFixture>()>& make) {
  for (const Case& c : kCases) {
    const auto fixture = make();
    fixture->run([&] {
      INFO("contract: ", c.name);
      c.body(*fixture);
    });
  }
  const auto fixture = make();
  everything_is_there_after_a_restart(*fixture);
  a_power_cut_leaves_what_was_promised(make);
}

}  // namespace coppice
