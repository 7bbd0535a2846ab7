// style.h — what SHOW datestyle says, in parts.
#pragma once

#include <cstdint>
#include <string_view>

namespace coppice::sql_datetime {

enum class DateOrder : std::uint8_t { kMonthDayYear, kDayMonthYear, kYearMonthDay };
enum class DateOutput : std::uint8_t { kIso, kPostgres, kSql, kGerman };

struct DateStyle {
  DateOutput output = DateOutput::kIso;
  DateOrder order = DateOrder::kMonthDayYear;
};

constexpr DateStyle date_style_of(std::string_view setting) {
  DateStyle style;
  const auto has = [&](std::string_view word) {
    return setting.find(word) != std::string_view::npos;
  };
  if (has("Postgres")) style.output = DateOutput::kPostgres;
  if (has("SQL")) style.output = DateOutput::kSql;
  if (has("German")) style.output = DateOutput::kGerman;
  if (has("DMY")) style.order = DateOrder::kDayMonthYear;
  if (has("YMD")) style.order = DateOrder::kYearMonthDay;
  return style;
}

}  // namespace coppice::sql_datetime
