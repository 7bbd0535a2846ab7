// calibration_test.cpp — what is stored, what is believed, what is left behind.
#include "modules/vfs/calibration.h"

#include <doctest/doctest.h>

#include "kernel/fiber/sim_runtime.h"
#include "tests/support/faulty_vfs.h"

namespace coppice::vfs {
namespace {

void in_fiber(const std::function<void()>& body) {
  fiber::SimRuntime runtime(1);
  REQUIRE(runtime.run([&body] { body(); }).has_value());
}

// A disk on which every operation takes 50 microseconds.
FaultyOptions slow() {
  return {.pause = [] { static_cast<void>(fiber::sleep_for(50us)); }};
}

TEST_CASE("a calibration is measured once, kept, and leaves no scratch file") {
  FaultyVfs disk(slow());
  in_fiber([&] {
    const Instant start = fiber::clock().now();
    const Calibration first = calibrate(disk, Rng(1));
    CHECK(fiber::clock().now() - start < kCalibrationTimeMax);
    CHECK(first.read_latency_ns >= 50'000);
    CHECK(first.read_latency_ns < 60'000);
    CHECK(first.reads_per_second > 32 * 15'000);  // a batch costs one pause
    const auto files = disk.list("").value();
    REQUIRE(files.size() == 1);
    CHECK(files[0].name == kCalibrationFile);
    const std::uint64_t steps = disk.steps();
    const Calibration second = calibrate(disk, Rng(2));
    CHECK(disk.steps() == steps + 0);
    CHECK(second.reads_per_second == first.reads_per_second);
  });
}

TEST_CASE("a damaged calibration is measured anew") {
  FaultyVfs disk(slow());
  in_fiber([&] {
    const Calibration first = calibrate(disk, Rng(1));
    REQUIRE(disk.flip_bit(kCalibrationFile, 6, 3));
    const Calibration second = calibrate(disk, Rng(1));
    CHECK(second.read_latency_ns < 2 * first.read_latency_ns);
    CHECK(decode_calibration(encode_calibration(second)).has_value());
  });
}

TEST_CASE("storage that fails gets the defaults") {
  FaultyVfs disk(slow());
  disk.add_rule({.op = FileOp::kAppend, .times = UINT64_MAX});
  in_fiber([&] {
    const Calibration found = calibrate(disk, Rng(1));
    CHECK(found.reads_per_second == Calibration().reads_per_second);
    CHECK(disk.list("").value().empty());
  });
}

TEST_CASE("any bytes but the right ones are refused") {
  const ByteBuffer good = encode_calibration(Calibration{});
  CHECK(decode_calibration(good).has_value());
  for (std::size_t size = 0; size < good.size(); ++size) {
    CHECK_FALSE(decode_calibration(ByteView(good).first(size)).has_value());
  }
  for (std::size_t i = 0; i < good.size(); ++i) {
    ByteBuffer bad = good;
    bad[i] ^= std::byte{1};
    CHECK_FALSE(decode_calibration(bad).has_value());
  }
}

TEST_CASE("writes are priced in reads") {
  const Calibration c{.reads_per_second = 1000, .write_bytes_per_second = 1'000'000};
  CHECK(c.write_in_reads(4000) == doctest::Approx(4.0));
}

}  // namespace
}  // namespace coppice::vfs
