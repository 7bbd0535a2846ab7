// log.cpp — formatting a record; the sink does the rest.
#include "kernel/core/log.h"

#include <array>
#include <chrono>

#include "kernel/base/assert.h"
#include "kernel/fiber/account.h"
#include "kernel/fiber/fiber.h"

namespace coppice {

namespace {

constexpr std::size_t kSpeakerMax = 96;  // of kLogFieldsMax, kept for what follows

// "fiber=flush tenant=7": who speaks, as far as it is known.
void append_speaker(std::string& fields) {
  if (fiber::current() == nullptr) return;
  const auto add = [&](std::string_view key, std::string_view value) {
    if (!fields.empty()) fields += ' ';
    fields.append(key).append("=").append(value);
  };
  if (const std::string_view name = fiber::current_name(); !name.empty()) add("fiber", name);
  if (const fiber::Account* account = fiber::current_account()) {
    add("tenant", std::to_string(account->tenant().value));
  }
}

}  // namespace

std::string_view log_level_name(LogLevel level) {
  constexpr std::array<std::string_view, 6> kNames = {"trace", "debug", "info",
                                                      "warn",  "error", "off"};
  return kNames[static_cast<std::size_t>(level)];
}

std::string format_log_line(const LogRecord& record) {
  using namespace std::chrono;
  const sys_time<microseconds> at{microseconds(record.at.us)};
  const auto midnight = floor<days>(at);
  const year_month_day date(midnight);
  const hh_mm_ss time(at - midnight);
  std::string line = fmt::format(
      "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}Z {:<5} {}: {}", static_cast<int>(date.year()),
      static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), time.hours().count(),
      time.minutes().count(), time.seconds().count(), time.subseconds().count(),
      log_level_name(record.level), record.part, record.message);
  if (!record.fields.empty()) {
    line += ' ';
    line += record.fields;
  }
  return line;
}

LogHub::LogHub(const Clock& clock, std::unique_ptr<LogSink> sink, LogLevel level)
    : clock_(clock), sink_(std::move(sink)), level_(level) {
  COPPICE_ASSERT(sink_ != nullptr);
}

void Log::write(LogLevel level, std::string_view message, fmt::string_view fields,
                fmt::format_args args) const noexcept {
  // vformat() alone: of Debian's library, built by GCC, clang cannot link the templates.
  std::string text = fmt::vformat(fields, args);
  if (text.size() > kLogFieldsMax - kSpeakerMax) text.resize(kLogFieldsMax - kSpeakerMax);
  append_speaker(text);
  hub_->sink().write({.at = hub_->clock().wall_now(),
                      .level = level,
                      .part = part_,
                      .message = message,
                      .fields = text});
}

}  // namespace coppice
