// input.cpp — from what the decoder found to values, with their ranges checked.
#include "plugins/sql/datetime/input.h"

#include <string>

#include "interfaces/types/sql_error.h"
#include "plugins/sql/datetime/calendar.h"
#include "plugins/sql/datetime/decoder.h"

namespace coppice::sql_datetime {
namespace {

std::unexpected<Error> out_of_range(std::string_view type, std::string_view text) {
  return std::unexpected(
      sql_error("22008", std::string(type) + " out of range: \"" + std::string(text) + "\""));
}

}  // namespace

Result<std::int32_t> read_date(std::string_view text, const SqlSettings& settings) {
  Decoder decoder(settings);
  if (const Reading reading = decoder.date_only(text); reading != Reading::kOk)
    return std::unexpected(reading_error(reading, "date", text, decoder.unknown_zone()));
  switch (decoder.kind()) {
    case Decoder::Kind::kEpoch:
      return kUnixEpochJulian - kEpochJulian;
    case Decoder::Kind::kEarly:
      return kDateEarly;
    case Decoder::Kind::kLate:
      return kDateLate;
    case Decoder::Kind::kMoment:
      break;
  }
  const Civil& civil = decoder.civil();
  if (!is_valid_julian(civil.year, civil.month)) return out_of_range("date", text);
  const std::int64_t date =
      std::int64_t{julian_of(civil.year, civil.month, civil.day)} - kEpochJulian;
  if (!is_valid_date(date)) return out_of_range("date", text);
  return static_cast<std::int32_t>(date);
}

Result<std::int64_t> read_time(std::string_view text, const SqlSettings& settings) {
  Decoder decoder(settings);
  if (const Reading reading = decoder.time_only(text); reading != Reading::kOk)
    return std::unexpected(reading_error(reading, "time", text, decoder.unknown_zone()));
  return time_of(decoder.civil());
}

Result<std::int64_t> read_timestamp(std::string_view text, bool zoned,
                                    const SqlSettings& settings) {
  const std::string_view type = zoned ? "timestamp with time zone" : "timestamp";
  Decoder decoder(settings);
  if (const Reading reading = decoder.date_time(text); reading != Reading::kOk)
    return std::unexpected(reading_error(reading, type, text, decoder.unknown_zone()));
  switch (decoder.kind()) {
    case Decoder::Kind::kEpoch:
      return -kUnixEpochUs;
    case Decoder::Kind::kEarly:
      return kTimestampEarly;
    case Decoder::Kind::kLate:
      return kTimestampLate;
    case Decoder::Kind::kMoment:
      break;
  }
  const std::optional<std::int64_t> timestamp =
      timestamp_of(decoder.civil(), zoned ? decoder.offset() : 0);
  if (!timestamp) return out_of_range("timestamp", text);
  return *timestamp;
}

}  // namespace coppice::sql_datetime
