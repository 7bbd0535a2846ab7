// decoder.h — dates, times and timestamps from text.
//
// Role:     fields in any order that leaves no doubt: ISO 8601, SQL, names of months, AM and PM,
//           BC, zones by offset, abbreviation or name, and words like epoch and tomorrow.
// Source:   PostgreSQL 15, DecodeDateTime(), DecodeTimeOnly() and what they call.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interfaces/sql_pack.h"
#include "plugins/sql/datetime/calendar.h"
#include "plugins/sql/datetime/fields.h"
#include "plugins/sql/datetime/style.h"
#include "plugins/sql/datetime/tokens.h"
#include "plugins/sql/datetime/zone.h"

namespace coppice::sql_datetime {

class Decoder {
 public:
  explicit Decoder(const SqlSettings& settings);

  // A date, with or without a time and a zone. Only the longest text allowed differs.
  Reading date_only(std::string_view text);
  Reading date_time(std::string_view text);
  // A time, with or without a date and a zone; both are checked and forgotten.
  Reading time_only(std::string_view text);

  enum class Kind : std::uint8_t { kMoment, kEpoch, kEarly, kLate };
  Kind kind() const { return kind_; }
  const Civil& civil() const { return civil_; }
  std::int32_t offset() const { return offset_; }  // seconds east
  const std::string& unknown_zone() const { return unknown_zone_; }

 private:
  enum class Half : std::uint8_t { kNone, kAm, kPm };

  Reading decode(std::string_view text, std::size_t bytes_max);
  Reading field(std::size_t i);
  Reading date_field(std::size_t i);
  Reading date_in_time(std::size_t i);
  Reading number_field(std::size_t i);
  Reading number_in_time(std::size_t i);
  Reading labelled_number(const std::string& text);
  Reading labelled_part(Unit unit, std::int32_t value, const std::string& text, std::size_t at);
  Reading word_field(std::size_t i);
  Reading reserved(Unit unit);
  Reading iso_time_marker(std::size_t i);
  Reading dashed_time(std::string_view text);
  Reading named_zone(const std::string& text);
  Reading finish();
  Reading finish_zone();

  Reading decode_date(std::string_view text);
  Reading decode_time(std::string_view text);
  Reading decode_zone(std::string_view text);
  Reading decode_number(std::string_view text, bool text_month, std::uint32_t seen,
                        std::uint32_t& found);
  Reading decode_run(std::string_view text, std::uint32_t seen, std::uint32_t& found);
  Reading validate_date();
  bool set_part(Field part, std::int32_t value, std::uint32_t& found);
  Reading set_now();
  std::int64_t local_seconds() const;

  DateOrder order_;
  ZoneRef session_zone_;
  CallContext* calls_;  // who knows what time it is; may be null

  bool time_only_ = false;
  std::vector<RawField> fields_;
  std::uint32_t seen_ = 0;   // bits of Field
  std::uint32_t found_ = 0;  // by the field at hand
  Unit prefix_ = Unit::kNone;
  Half half_ = Half::kNone;
  bool text_month_ = false, julian_ = false, two_digits_ = false, bc_ = false;
  std::int32_t day_of_year_ = 0;
  ZoneRef zone_, abbreviation_zone_;
  std::string abbreviation_, unknown_zone_;
  Kind kind_ = Kind::kMoment;
  Civil civil_;
  std::int32_t offset_ = 0;
};

}  // namespace coppice::sql_datetime
