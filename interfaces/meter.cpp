// meter.cpp — rolling usage up, and the resources' names.
#include "interfaces/meter.h"

#include "kernel/base/assert.h"

namespace coppice {

std::string_view resource_name(Resource resource) {
  switch (resource) {
    case Resource::kCpuTicks:
      return "cpu_ticks";
    case Resource::kReads:
      return "reads";
    case Resource::kReadBytes:
      return "read_bytes";
    case Resource::kWrites:
      return "writes";
    case Resource::kWriteBytes:
      return "write_bytes";
    case Resource::kLogBytes:
      return "log_bytes";
    case Resource::kNetworkBytes:
      return "network_bytes";
    case Resource::kRowsRead:
      return "rows_read";
    case Resource::kRowsReturned:
      return "rows_returned";
  }
  unreachable();
}

void Meter::roll_up() {
  if (parent_ == nullptr) return;
  for (std::size_t i = 0; i < kResourceCount; ++i) {
    parent_->used_[i].fetch_add(used_[i].exchange(0, std::memory_order_relaxed),
                                std::memory_order_relaxed);
  }
}

}  // namespace coppice
