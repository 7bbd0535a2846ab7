// sql_kernels.cpp — the texts of faults, and errors that every type raises.
#include "interfaces/sql_kernels.h"

#include "interfaces/types/sql_error.h"

namespace coppice {

Error fault_error(Fault fault) {
  switch (fault) {
    case Fault::kInt2Range:
      return sql_error("22003", "smallint out of range");
    case Fault::kInt4Range:
      return sql_error("22003", "integer out of range");
    case Fault::kInt8Range:
      return sql_error("22003", "bigint out of range");
    case Fault::kOidRange:
      return sql_error("22003", "OID out of range");
    case Fault::kFloatOverflow:
      return sql_error("22003", "value out of range: overflow");
    case Fault::kFloatUnderflow:
      return sql_error("22003", "value out of range: underflow");
    case Fault::kDivisionByZero:
      return sql_error("22012", "division by zero");
    case Fault::kCharRange:
      return sql_error("22003", "\"char\" out of range");
    case Fault::kDateRange:
      return sql_error("22008", "date out of range");
    case Fault::kTimestampRange:
      return sql_error("22008", "timestamp out of range");
    case Fault::kIntervalRange:
      return sql_error("22008", "interval out of range");
    case Fault::kDateOverflow:
      return sql_error("22008", "date out of range for timestamp");
    case Fault::kSqrtNegative:
      return sql_error("2201F", "cannot take square root of a negative number");
    case Fault::kLogZero:
      return sql_error("2201E", "cannot take logarithm of zero");
    case Fault::kLogNegative:
      return sql_error("2201E", "cannot take logarithm of a negative number");
    case Fault::kPowerZeroNegative:
      return sql_error("2201F", "zero raised to a negative power is undefined");
    case Fault::kPowerComplex:
      return sql_error("2201F",
                       "a negative number raised to a non-integer power yields a complex result");
    case Fault::kInputRange:
      return sql_error("22003", "input is out of range");
    case Fault::kNone:
      break;
  }
  unreachable();
}

std::unexpected<Error> invalid_text(std::string_view type, std::string_view value) {
  return std::unexpected(sql_error("22P02", "invalid input syntax for type " + std::string(type) +
                                                ": \"" + std::string(value) + "\""));
}

std::unexpected<Error> text_out_of_range(std::string_view type, std::string_view value) {
  return std::unexpected(sql_error(
      "22003",
      "value \"" + std::string(value) + "\" is out of range for type " + std::string(type)));
}

Status check_binary_size(ByteView value, std::size_t size) {
  if (value.size() < size)
    return std::unexpected(
        sql_error(sqlstate::kProtocolViolation, "insufficient data left in message"));
  if (value.size() > size)
    return std::unexpected(sql_error("22P03", "incorrect binary data format"));
  return {};
}

std::string_view trim_spaces(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace coppice
