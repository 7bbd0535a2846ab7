// zone.cpp — reading TZif and POSIX texts; looking up offsets.
#include "plugins/sql/datetime/zone.h"

#include <algorithm>
#include <cstdlib>

#include "plugins/sql/datetime/calendar.h"

namespace coppice::sql_datetime {
namespace {

constexpr std::int64_t kDay = 86400;

// A view that refuses to be read past its end.
class Reader {
 public:
  explicit Reader(ByteView bytes) : rest_(bytes) {}
  bool ok() const { return ok_; }
  ByteView take(std::size_t size) {
    if (size > rest_.size()) ok_ = false;
    if (!ok_) return {};
    const ByteView taken = rest_.first(size);
    rest_ = rest_.subspan(size);
    return taken;
  }
  template <class T>
  T number() {
    const ByteView bytes = take(sizeof(T));
    return ok_ ? load_be<T>(bytes.data()) : T{};
  }
  ByteView rest() const { return rest_; }

 private:
  ByteView rest_;
  bool ok_ = true;
};

struct Header {
  char version = 0;
  std::uint32_t utc_flags = 0, standard_flags = 0, leaps = 0, times = 0, types = 0, chars = 0;
  std::size_t body_bytes(std::size_t time_bytes) const {
    return times * (time_bytes + 1) + types * std::size_t{6} + chars + leaps * (time_bytes + 4) +
           standard_flags + utc_flags;
  }
};

Header read_header(Reader& reader) {
  Header header;
  const ByteView head = reader.take(20);
  if (!reader.ok() || !as_text(head).starts_with("TZif")) {
    reader.take(~std::size_t{0});
    return header;
  }
  header.version = static_cast<char>(head[4]);
  header.utc_flags = reader.number<std::uint32_t>();
  header.standard_flags = reader.number<std::uint32_t>();
  header.leaps = reader.number<std::uint32_t>();
  header.times = reader.number<std::uint32_t>();
  header.types = reader.number<std::uint32_t>();
  header.chars = reader.number<std::uint32_t>();
  return header;
}

}  // namespace

std::optional<Zone> Zone::from_tzif(std::string_view name, ByteView file) {
  Reader reader(file);
  Header header = read_header(reader);
  std::size_t time_bytes = 4;
  if (header.version >= '2') {  // the same again, with 64-bit times
    reader.take(header.body_bytes(4));
    header = read_header(reader);
    time_bytes = 8;
  }
  if (!reader.ok() || header.types == 0 || header.types > 256) return {};

  Zone zone;
  zone.name_ = name;
  const ByteView times = reader.take(header.times * time_bytes);
  const ByteView indices = reader.take(header.times);
  const ByteView types = reader.take(header.types * std::size_t{6});
  const std::string_view chars = as_text(reader.take(header.chars));
  reader.take(header.leaps * (time_bytes + 4) + header.standard_flags + header.utc_flags);
  if (!reader.ok()) return {};
  for (std::size_t i = 0; i < header.types; ++i) {
    const std::byte* const type = types.data() + i * 6;
    const std::string_view rest =
        chars.substr(std::min<std::size_t>(static_cast<std::size_t>(type[5]), chars.size()));
    Local& local = zone.locals_.emplace_back();
    local.offset = load_be<std::int32_t>(type);
    local.dst = type[4] != std::byte{0};
    local.abbreviation = rest.substr(0, rest.find('\0'));
    if (std::abs(local.offset) >= kDay) return {};
  }
  for (std::size_t i = 0; i < header.times; ++i) {
    const std::byte* const at = times.data() + i * time_bytes;
    const auto local = static_cast<std::uint16_t>(indices[i]);
    if (local >= zone.locals_.size()) return {};
    const std::int64_t when =
        time_bytes == 8 ? load_be<std::int64_t>(at) : load_be<std::int32_t>(at);
    if (!zone.changes_.empty() && zone.changes_.back().at >= when) return {};
    zone.changes_.push_back({when, local});
  }
  const std::string_view footer = as_text(reader.rest());
  if (footer.starts_with('\n')) {
    const std::string_view text = footer.substr(1, footer.find('\n', 1) - 1);
    if (!text.empty() && !zone.parse_posix(text)) return {};
  }
  return zone;
}

namespace {

// Reads what a POSIX TZ text is made of; every function answers false on bad input.
class PosixReader {
 public:
  explicit PosixReader(std::string_view text) : rest_(text) {}
  bool done() const { return rest_.empty(); }
  bool skip(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool name(std::string& to) {
    if (skip('<')) {
      const std::size_t end = rest_.find('>');
      if (end == std::string_view::npos) return false;
      to = rest_.substr(0, end);
      rest_.remove_prefix(end + 1);
      return true;
    }
    std::size_t size = 0;
    while (size < rest_.size() &&
           (std::string_view("+-,").find(rest_[size]) == std::string_view::npos) &&
           !(rest_[size] >= '0' && rest_[size] <= '9'))
      ++size;
    to = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return to.size() < 64;
  }
  bool number(std::int32_t& to, std::int32_t min, std::int32_t max) {
    if (rest_.empty() || rest_[0] < '0' || rest_[0] > '9') return false;
    std::int64_t value = 0;
    while (!rest_.empty() && rest_[0] >= '0' && rest_[0] <= '9') {
      value = value * 10 + (rest_[0] - '0');
      if (value > max) return false;
      rest_.remove_prefix(1);
    }
    to = static_cast<std::int32_t>(value);
    return value >= min;
  }
  // [+-]hh[:mm[:ss]]
  bool seconds(std::int32_t& to) {
    const bool negative = skip('-');
    if (!negative) skip('+');
    std::int32_t hours = 0, minutes = 0, rest = 0;
    if (!number(hours, 0, 24 * 7 - 1)) return false;
    if (skip(':')) {
      if (!number(minutes, 0, 59)) return false;
      if (skip(':') && !number(rest, 0, 60)) return false;
    }
    to = hours * 3600 + minutes * 60 + rest;
    if (negative) to = -to;
    return true;
  }
  bool change(ZoneChange& to) {
    if (skip('J')) {
      to.kind = ZoneChange::Kind::kJulianDay;
      if (!number(to.day, 1, 365)) return false;
    } else if (skip('M')) {
      to.kind = ZoneChange::Kind::kMonthWeekDay;
      if (!number(to.month, 1, 12) || !skip('.') || !number(to.week, 1, 5) || !skip('.') ||
          !number(to.day, 0, 6))
        return false;
    } else {
      to.kind = ZoneChange::Kind::kDayOfYear;
      if (!number(to.day, 0, 365)) return false;
    }
    return !skip('/') || seconds(to.seconds);
  }

 private:
  std::string_view rest_;
};

}  // namespace

bool Zone::parse_posix(std::string_view text) {
  PosixReader reader(text);
  Local standard;
  if (!reader.name(standard.abbreviation) || !reader.seconds(standard.offset)) return false;
  standard.offset = -standard.offset;  // POSIX counts west
  if (std::abs(standard.offset) >= kDay) return false;
  const auto add = [&](const Local& local) {
    for (std::size_t i = 0; i < locals_.size(); ++i)
      if (locals_[i].offset == local.offset && locals_[i].dst == local.dst &&
          locals_[i].abbreviation == local.abbreviation)
        return static_cast<std::uint16_t>(i);
    locals_.push_back(local);
    return static_cast<std::uint16_t>(locals_.size() - 1);
  };
  if (reader.done()) {
    add(standard);
    return true;
  }
  Local daylight;
  daylight.dst = true;
  if (!reader.name(daylight.abbreviation)) return false;
  daylight.offset = standard.offset + 3600;
  Rule rule;
  rule.begin = {ZoneChange::Kind::kMonthWeekDay, 3, 2, 0, 7200};
  rule.end = {ZoneChange::Kind::kMonthWeekDay, 11, 1, 0, 7200};
  if (!reader.done() && !reader.skip(',')) {
    if (!reader.seconds(daylight.offset)) return false;
    daylight.offset = -daylight.offset;
    if (!reader.done() && !reader.skip(',')) return false;
  }
  if (std::abs(daylight.offset) >= kDay) return false;
  if (!reader.done() && (!reader.change(rule.begin) || !reader.skip(',') ||
                         !reader.change(rule.end) || !reader.done()))
    return false;
  rule.standard = add(standard);
  rule.daylight = add(daylight);
  rule_ = rule;
  return true;
}

std::optional<Zone> Zone::from_posix(std::string_view text) {
  Zone zone;
  zone.name_ = text;
  if (!zone.parse_posix(text)) return {};
  return zone;
}

Zone Zone::fixed(std::int32_t offset) {
  const auto text_of = [](std::int32_t seconds) {
    std::string text(1, seconds < 0 ? '-' : '+');
    const std::int32_t all = std::abs(seconds);
    const auto two = [&](std::int32_t n) {
      text.push_back(static_cast<char>('0' + n / 10));
      text.push_back(static_cast<char>('0' + n % 10));
    };
    two(all / 3600);
    if (all % 3600 != 0) {
      text.push_back(':');
      two(all / 60 % 60);
    }
    if (all % 60 != 0) {
      text.push_back(':');
      two(all % 60);
    }
    return text;
  };
  Zone zone;
  const std::string east = text_of(offset);
  zone.name_ = "<" + east + ">" + text_of(-offset);
  if (offset == 0) zone.name_ = "<+00>-00";
  zone.locals_.push_back({offset, false, east});
  return zone;
}

Zone Zone::utc() {
  Zone zone;
  zone.name_ = "UTC";
  zone.locals_.push_back({0, false, "UTC"});
  return zone;
}

// The two changes of a year, in time's order.
std::array<Zone::Change, 2> Zone::rule_changes(std::int64_t year) const {
  const auto civil_year = static_cast<std::int32_t>(year);
  const auto day_of_change = [&](const ZoneChange& change) -> std::int64_t {
    const std::int64_t first = std::int64_t{julian_of(civil_year, 1, 1)} - kUnixEpochJulian;
    if (change.kind == ZoneChange::Kind::kDayOfYear) return first + change.day;
    if (change.kind == ZoneChange::Kind::kJulianDay)
      return first + change.day - 1 + (is_leap(civil_year) && change.day >= 60 ? 1 : 0);
    const std::int32_t month_start = julian_of(civil_year, change.month, 1);
    std::int32_t day = (change.day - day_of_week(month_start) + 7) % 7 + (change.week - 1) * 7;
    while (day >= days_in_month(civil_year, change.month)) day -= 7;
    return std::int64_t{month_start} - kUnixEpochJulian + day;
  };
  const std::int64_t begin =
      day_of_change(rule_->begin) * kDay + rule_->begin.seconds - locals_[rule_->standard].offset;
  const std::int64_t end =
      day_of_change(rule_->end) * kDay + rule_->end.seconds - locals_[rule_->daylight].offset;
  const Change to_daylight{begin, rule_->daylight};
  const Change to_standard{end, rule_->standard};
  return begin < end ? std::array{to_daylight, to_standard} : std::array{to_standard, to_daylight};
}

Zone::Next Zone::next_after(std::int64_t at) const {
  Next next;
  const auto later = std::ranges::upper_bound(changes_, at, {}, &Change::at);
  if (later != changes_.begin())
    next.before = (later - 1)->local;
  else
    next.before = changes_.empty() && rule_ ? rule_->standard : fixed_local_;
  if (later != changes_.end()) {
    next.after = later->local;
    next.at = later->at;
    next.any = true;
    return next;
  }
  if (!rule_) return next;
  const std::int64_t last =
      changes_.empty() ? std::numeric_limits<std::int64_t>::min() : changes_.back().at;
  // Four years around `at` hold the change before it and the one after it.
  Civil civil;
  const std::int64_t day = at >= 0 ? at / kDay : (at - kDay + 1) / kDay;
  set_date(civil, static_cast<std::int32_t>(std::clamp<std::int64_t>(
                      day + kUnixEpochJulian, 366 * 2, kTimestampEndDate + kEpochJulian)));
  for (std::int64_t year = civil.year - 1; year <= civil.year + 2; ++year) {
    for (const Change& change : rule_changes(year)) {
      if (change.at <= last) continue;
      if (change.at <= at) {
        next.before = change.local;
      } else {
        next.after = change.local;
        next.at = change.at;
        next.any = true;
        return next;
      }
    }
  }
  return next;
}

std::uint16_t Zone::local_at(std::int64_t at) const {
  return next_after(at).before;
}

const Zone::Local& Zone::at(std::int64_t unix_seconds) const {
  return locals_[local_at(unix_seconds)];
}

const Zone::Local& Zone::at_local(std::int64_t local_seconds) const {
  const Next next = next_after(local_seconds - kDay);
  if (!next.any) return locals_[next.before];
  const Local& before = locals_[next.before];
  const Local& after = locals_[next.after];
  const std::int64_t before_time = local_seconds - before.offset;
  const std::int64_t after_time = local_seconds - after.offset;
  if (before_time < next.at && after_time < next.at) return before;
  if (before_time > next.at && after_time >= next.at) return after;
  return before_time > after_time ? before : after;
}

const Zone::Local* Zone::find_abbreviation(std::string_view abbreviation,
                                           std::int64_t unix_seconds) const {
  const auto matches = [&](std::uint16_t local) {
    return locals_[local].abbreviation == abbreviation;
  };
  const auto later = std::ranges::upper_bound(changes_, unix_seconds, {}, &Change::at);
  if (const std::uint16_t now = local_at(unix_seconds); matches(now)) return &locals_[now];
  for (auto change = later; change != changes_.begin();)
    if (matches((--change)->local)) return &locals_[change->local];
  if (matches(fixed_local_)) return &locals_[fixed_local_];
  for (auto change = later; change != changes_.end(); ++change)
    if (matches(change->local)) return &locals_[change->local];
  if (rule_ && matches(rule_->standard)) return &locals_[rule_->standard];
  if (rule_ && matches(rule_->daylight)) return &locals_[rule_->daylight];
  return nullptr;
}

}  // namespace coppice::sql_datetime
