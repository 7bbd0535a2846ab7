// input.h — values of the pack's types from text.
//
// Source:   PostgreSQL 15, date_in(), time_in(), timestamp_in(), timestamptz_in().
#pragma once

#include <cstdint>
#include <string_view>

#include "interfaces/sql_pack.h"

namespace coppice::sql_datetime {

Result<std::int32_t> read_date(std::string_view text, const SqlSettings& settings);
Result<std::int64_t> read_time(std::string_view text, const SqlSettings& settings);
Result<std::int64_t> read_timestamp(std::string_view text, bool zoned, const SqlSettings& settings);

}  // namespace coppice::sql_datetime
