// zone_table.cpp — the zones of /usr/share/zoneinfo.
#include "plugins/sql/datetime/zone_table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "interfaces/types/sql_error.h"

namespace coppice::sql_datetime {
namespace {

constexpr std::string_view kFolder = "/usr/share/zoneinfo";
constexpr std::size_t kFileBytesMax = 64 << 10;
constexpr std::size_t kNameBytesMax = 255;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), lower);
  return out;
}

ByteBuffer read_file(const std::string& path) {
  ByteBuffer bytes;
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return bytes;
  bytes.resize(kFileBytesMax);
  bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file));
  std::fclose(file);
  return bytes;
}

class ZoneTable {
 public:
  ZoneTable() {
    namespace fs = std::filesystem;
    std::error_code error;
    auto entry = fs::recursive_directory_iterator(fs::path(kFolder), error);
    for (const auto end = fs::recursive_directory_iterator(); !error && entry != end;
         entry.increment(error)) {
      const std::string path = entry->path().string();
      const std::string name = path.substr(kFolder.size() + 1);
      if (name == "posix" || name == "right") {  // the same again, and with leap seconds
        entry.disable_recursion_pending();
        continue;
      }
      std::error_code ignored;
      if (!entry->is_regular_file(ignored)) continue;
      if (auto zone = Zone::from_tzif(name, read_file(path)))
        entries_.push_back({lower_case(name), std::make_shared<const Zone>(*std::move(zone))});
    }
    std::ranges::sort(entries_, {}, &Entry::key);
  }

  ZoneRef find(std::string_view name) const {
    const std::string key = lower_case(name);
    const auto found = std::ranges::lower_bound(entries_, key, {}, &Entry::key);
    return found == entries_.end() || found->key != key ? nullptr : found->zone;
  }
  const ZoneRef& utc() const { return utc_; }

 private:
  struct Entry {
    std::string key;
    ZoneRef zone;
  };
  std::vector<Entry> entries_;
  ZoneRef utc_ = std::make_shared<const Zone>(Zone::utc());
};

const ZoneTable& zone_table() {
  static const ZoneTable table;
  return table;
}

// Hours as SET timezone takes them: a plain number, east of UTC.
std::optional<std::int32_t> offset_of_number(std::string_view text) {
  double hours = 0;
  const bool plus = text.starts_with('+');
  const auto* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data() + (plus ? 1 : 0), end, hours);
  if (read.ec != std::errc() || read.ptr != end || !(std::abs(hours) < 24)) return {};
  return static_cast<std::int32_t>(std::lround(hours * 3600));
}

}  // namespace

ZoneRef find_zone(std::string_view name) {
  if (name.empty() || name.size() > kNameBytesMax) return nullptr;
  if (name == "UTC") return zone_table().utc();
  if (ZoneRef zone = zone_table().find(name)) return zone;
  std::string upper(name);
  std::ranges::transform(upper, upper.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  if (auto zone = Zone::from_posix(upper)) return std::make_shared<const Zone>(*std::move(zone));
  return nullptr;
}

Result<ZoneRef> zone_by_name(std::string_view name) {
  if (ZoneRef zone = find_zone(name)) return zone;
  return std::unexpected(
      sql_error("22023", "time zone \"" + std::string(name) + "\" not recognized"));
}

ZoneRef session_zone(std::string_view name) {
  if (const auto offset = offset_of_number(name))
    return std::make_shared<const Zone>(Zone::fixed(*offset));
  if (ZoneRef zone = find_zone(name)) return zone;
  return zone_table().utc();
}

}  // namespace coppice::sql_datetime
