// calibration.h — what this storage can do, measured once and kept beside the data.
//
// Role:     prices writes in reads: a background write of n bytes weighs as much as so many reads.
// Parks:    calibrate(), for at most kCalibrationTimeMax.
// Errors:   none that stop a boot: storage that cannot be measured gets the defaults.
#pragma once

#include <optional>
#include <string_view>

#include "interfaces/vfs.h"
#include "kernel/base/random.h"
#include "kernel/base/time.h"

namespace coppice::vfs {

inline constexpr Duration kCalibrationTimeMax = 2s;
inline constexpr std::string_view kCalibrationFile = "calibration";

struct Calibration {
  std::uint64_t read_latency_ns = 200'000;  // 4 KiB, one by one
  std::uint64_t reads_per_second = 20'000;  // 4 KiB, 32 at once
  std::uint64_t read_bytes_per_second = 500'000'000;
  std::uint64_t write_bytes_per_second = 200'000'000;

  // Reads that cost as much as a write of `bytes`.
  double write_in_reads(std::uint64_t bytes) const {
    return static_cast<double>(bytes) * static_cast<double>(reads_per_second) /
           static_cast<double>(write_bytes_per_second);
  }
};

ByteBuffer encode_calibration(const Calibration& calibration);
std::optional<Calibration> decode_calibration(ByteView bytes);

// What the file says, or a measurement that is then written there.
Calibration calibrate(Vfs& vfs, Rng rng);

}  // namespace coppice::vfs
