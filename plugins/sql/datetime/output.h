// output.h — dates, times, timestamps and intervals as text.
//
// Source:   PostgreSQL 15, EncodeDateOnly(), EncodeDateTime(), EncodeInterval().
#pragma once

#include <cstdint>
#include <string>

#include "plugins/sql/datetime/interval.h"
#include "plugins/sql/datetime/style.h"
#include "plugins/sql/datetime/zone.h"

namespace coppice::sql_datetime {

void append_date(std::int32_t date, DateStyle style, std::string& to);
void append_time(std::int64_t time, std::string& to);
// `zone`: of a timestamptz; null for a timestamp.
void append_timestamp(std::int64_t timestamp, const Zone* zone, DateStyle style, std::string& to);
void append_interval(Interval interval, std::string& to);

}  // namespace coppice::sql_datetime
