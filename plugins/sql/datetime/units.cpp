// units.cpp — looking up units by name.
#include "plugins/sql/datetime/units.h"

#include <algorithm>

#include "interfaces/sql_kernels.h"
#include "interfaces/types/sql_error.h"

namespace coppice::sql_datetime {
namespace {

constexpr std::size_t kNameBytesMax = 63;

std::string quoted(std::string_view what, const UnitName& unit, std::string_view type) {
  return "unit \"" + unit.text + "\" not " + std::string(what) + " for type " + std::string(type);
}

}  // namespace

UnitName unit_of(std::string_view text, UnitWords words) {
  UnitName name;
  name.text = text.substr(0, kNameBytesMax);
  std::ranges::transform(name.text, name.text.begin(), ascii_lower);
  Word word = find_interval_word(name.text);
  if (word.field == Field::kUnknown && words == UnitWords::kUnitsAndParts)
    word = find_date_word(name.text);
  name.known = word.field == Field::kUnits ||
               (words == UnitWords::kUnitsAndParts && word.field == Field::kReserved);
  name.unit = word.unit;
  return name;
}

Error unit_not_recognized(const UnitName& unit, std::string_view type) {
  return sql_error("22023", quoted("recognized", unit, type));
}
Error unit_not_supported(const UnitName& unit, std::string_view type) {
  return sql_error(sqlstate::kFeatureNotSupported, quoted("supported", unit, type));
}

}  // namespace coppice::sql_datetime
