// match_functions.cpp — ~ !~ ~* !~* and their functions.
#include <optional>

#include "interfaces/sql_kernels.h"
#include "interfaces/sql_rows.h"
#include "plugins/sql/regex/parts.h"
#include "plugins/sql/regex/pattern.h"

namespace coppice::sql_regex {
namespace {

using type_oid::kBool;
using type_oid::kBpchar;
using type_oid::kName;
using type_oid::kText;

// The pattern is compiled once for all rows that have the same.
template <bool kIgnoreCase, bool kWanted>
Status match(CallContext&, std::span<const Vector> arguments, const Selection& rows,
             std::uint32_t size, VectorBuffer& out) {
  const Argument<std::string_view> texts(arguments[0]);
  const Argument<std::string_view> patterns(arguments[1]);
  std::optional<Pattern> pattern;
  std::string written;
  return each_fixed<bool>(rows, size, out, [&](std::uint32_t row, bool& to) -> Status {
    if (!pattern || written != patterns[row]) {
      written = patterns[row];
      pattern = COPPICE_TRY(Pattern::compile(written, kIgnoreCase));
    }
    to = pattern->matches(texts[row]) == kWanted;
    return {};
  });
}

constexpr std::array kFunctions = {
    FunctionRow{1254, "textregexeq", kBool, {kText, kText}, match<false, true>},
    FunctionRow{1256, "textregexne", kBool, {kText, kText}, match<false, false>},
    FunctionRow{1238, "texticregexeq", kBool, {kText, kText}, match<true, true>},
    FunctionRow{1239, "texticregexne", kBool, {kText, kText}, match<true, false>},
    FunctionRow{79, "nameregexeq", kBool, {kName, kText}, match<false, true>},
    FunctionRow{1252, "nameregexne", kBool, {kName, kText}, match<false, false>},
    FunctionRow{1240, "nameicregexeq", kBool, {kName, kText}, match<true, true>},
    FunctionRow{1241, "nameicregexne", kBool, {kName, kText}, match<true, false>},
    FunctionRow{1658, "bpcharregexeq", kBool, {kBpchar, kText}, match<false, true>},
    FunctionRow{1659, "bpcharregexne", kBool, {kBpchar, kText}, match<false, false>},
    FunctionRow{1656, "bpcharicregexeq", kBool, {kBpchar, kText}, match<true, true>},
    FunctionRow{1657, "bpcharicregexne", kBool, {kBpchar, kText}, match<true, false>},
};
constexpr std::array kOperators = {
    OperatorRow{641, "~", kText, kText, kBool, 1254, "", "!~"},
    OperatorRow{642, "!~", kText, kText, kBool, 1256, "", "~"},
    OperatorRow{1228, "~*", kText, kText, kBool, 1238, "", "!~*"},
    OperatorRow{1229, "!~*", kText, kText, kBool, 1239, "", "~*"},
    OperatorRow{639, "~", kName, kText, kBool, 79, "", "!~"},
    OperatorRow{640, "!~", kName, kText, kBool, 1252, "", "~"},
    OperatorRow{1226, "~*", kName, kText, kBool, 1240, "", "!~*"},
    OperatorRow{1227, "!~*", kName, kText, kBool, 1241, "", "~*"},
    OperatorRow{1055, "~", kBpchar, kText, kBool, 1658, "", "!~"},
    OperatorRow{1056, "!~", kBpchar, kText, kBool, 1659, "", "~"},
    OperatorRow{1234, "~*", kBpchar, kText, kBool, 1656, "", "!~*"},
    OperatorRow{1235, "!~*", kBpchar, kText, kBool, 1657, "", "~*"},
};

}  // namespace

void add_matches(SqlRegistry& registry) {
  add_rows(registry, std::span<const FunctionRow>(kFunctions));
  add_rows(registry, std::span<const OperatorRow>(kOperators));
}

}  // namespace coppice::sql_regex
