// operators.cpp — which function an operator calls; rows of pg_operator.
#include "interfaces/sql_rows.h"
#include "plugins/sql/text/parts.h"

namespace coppice::sql_text {
namespace {

using type_oid::kAnynonarray;
using type_oid::kBool;
using type_oid::kBpchar;
using type_oid::kBytea;
using type_oid::kChar;
using type_oid::kName;
using type_oid::kText;

constexpr std::array kOperators = {
    OperatorRow{1058, "<", kBpchar, kBpchar, kBool, 1049, ">", ">="},
    OperatorRow{1059, "<=", kBpchar, kBpchar, kBool, 1050, ">=", ">"},
    OperatorRow{1057, "<>", kBpchar, kBpchar, kBool, 1053, "<>", "="},
    OperatorRow{1054, "=", kBpchar, kBpchar, kBool, 1048, "=", "<>"},
    OperatorRow{1060, ">", kBpchar, kBpchar, kBool, 1051, "<", "<="},
    OperatorRow{1061, ">=", kBpchar, kBpchar, kBool, 1052, "<=", "<"},
    OperatorRow{2327, "~<=~", kBpchar, kBpchar, kBool, 2175, "~>=~", "~>~"},
    OperatorRow{2326, "~<~", kBpchar, kBpchar, kBool, 2174, "~>~", "~>=~"},
    OperatorRow{2329, "~>=~", kBpchar, kBpchar, kBool, 2177, "~<=~", "~<~"},
    OperatorRow{2330, "~>~", kBpchar, kBpchar, kBool, 2178, "~<~", "~<=~"},
    OperatorRow{1957, "<", kBytea, kBytea, kBool, 1949, ">", ">="},
    OperatorRow{1958, "<=", kBytea, kBytea, kBool, 1950, ">=", ">"},
    OperatorRow{1956, "<>", kBytea, kBytea, kBool, 1953, "<>", "="},
    OperatorRow{1955, "=", kBytea, kBytea, kBool, 1948, "=", "<>"},
    OperatorRow{1959, ">", kBytea, kBytea, kBool, 1951, "<", "<="},
    OperatorRow{1960, ">=", kBytea, kBytea, kBool, 1952, "<=", "<"},
    OperatorRow{631, "<", kChar, kChar, kBool, 1246, ">", ">="},
    OperatorRow{632, "<=", kChar, kChar, kBool, 72, ">=", ">"},
    OperatorRow{630, "<>", kChar, kChar, kBool, 70, "<>", "="},
    OperatorRow{92, "=", kChar, kChar, kBool, 61, "=", "<>"},
    OperatorRow{633, ">", kChar, kChar, kBool, 73, "<", "<="},
    OperatorRow{634, ">=", kChar, kChar, kBool, 74, "<=", "<"},
    OperatorRow{660, "<", kName, kName, kBool, 655, ">", ">="},
    OperatorRow{661, "<=", kName, kName, kBool, 656, ">=", ">"},
    OperatorRow{643, "<>", kName, kName, kBool, 659, "<>", "="},
    OperatorRow{93, "=", kName, kName, kBool, 62, "=", "<>"},
    OperatorRow{662, ">", kName, kName, kBool, 657, "<", "<="},
    OperatorRow{663, ">=", kName, kName, kBool, 658, "<=", "<"},
    OperatorRow{255, "<", kName, kText, kBool, 241, ">", ">="},
    OperatorRow{256, "<=", kName, kText, kBool, 242, ">=", ">"},
    OperatorRow{259, "<>", kName, kText, kBool, 245, "<>", "="},
    OperatorRow{254, "=", kName, kText, kBool, 240, "=", "<>"},
    OperatorRow{258, ">", kName, kText, kBool, 244, "<", "<="},
    OperatorRow{257, ">=", kName, kText, kBool, 243, "<=", "<"},
    OperatorRow{261, "<", kText, kName, kBool, 248, ">", ">="},
    OperatorRow{262, "<=", kText, kName, kBool, 249, ">=", ">"},
    OperatorRow{265, "<>", kText, kName, kBool, 252, "<>", "="},
    OperatorRow{260, "=", kText, kName, kBool, 247, "=", "<>"},
    OperatorRow{264, ">", kText, kName, kBool, 251, "<", "<="},
    OperatorRow{263, ">=", kText, kName, kBool, 250, "<=", "<"},
    OperatorRow{664, "<", kText, kText, kBool, 740, ">", ">="},
    OperatorRow{665, "<=", kText, kText, kBool, 741, ">=", ">"},
    OperatorRow{531, "<>", kText, kText, kBool, 157, "<>", "="},
    OperatorRow{98, "=", kText, kText, kBool, 67, "=", "<>"},
    OperatorRow{666, ">", kText, kText, kBool, 742, "<", "<="},
    OperatorRow{667, ">=", kText, kText, kBool, 743, "<=", "<"},
    OperatorRow{2315, "~<=~", kText, kText, kBool, 2161, "~>=~", "~>~"},
    OperatorRow{2314, "~<~", kText, kText, kBool, 2160, "~>~", "~>=~"},
    OperatorRow{2317, "~>=~", kText, kText, kBool, 2163, "~<=~", "~<~"},
    OperatorRow{2318, "~>~", kText, kText, kBool, 2164, "~<~", "~<=~"},
    OperatorRow{1209, "~~", kText, kText, kBool, 850, "", "!~~"},
    OperatorRow{1210, "!~~", kText, kText, kBool, 851, "", "~~"},
    OperatorRow{1207, "~~", kName, kText, kBool, 858, "", "!~~"},
    OperatorRow{1208, "!~~", kName, kText, kBool, 859, "", "~~"},
    OperatorRow{1211, "~~", kBpchar, kText, kBool, 1631, "", "!~~"},
    OperatorRow{1212, "!~~", kBpchar, kText, kBool, 1632, "", "~~"},
    OperatorRow{1627, "~~*", kText, kText, kBool, 1633, "", "!~~*"},
    OperatorRow{1628, "!~~*", kText, kText, kBool, 1634, "", "~~*"},
    OperatorRow{1625, "~~*", kName, kText, kBool, 1635, "", "!~~*"},
    OperatorRow{1626, "!~~*", kName, kText, kBool, 1636, "", "~~*"},
    OperatorRow{1629, "~~*", kBpchar, kText, kBool, 1660, "", "!~~*"},
    OperatorRow{1630, "!~~*", kBpchar, kText, kBool, 1661, "", "~~*"},
    OperatorRow{2016, "~~", kBytea, kBytea, kBool, 2005, "", "!~~"},
    OperatorRow{2017, "!~~", kBytea, kBytea, kBool, 2006, "", "~~"},
    OperatorRow{3877, "^@", kText, kText, kBool, 3696, "", ""},
    OperatorRow{654, "||", kText, kText, kText, 1258, "", ""},
    OperatorRow{2018, "||", kBytea, kBytea, kBytea, 2011, "", ""},
    OperatorRow{2779, "||", kText, kAnynonarray, kText, 2003, "", ""},
    OperatorRow{2780, "||", kAnynonarray, kText, kText, 2004, "", ""},
};

}  // namespace

void add_operators(SqlRegistry& registry) {
  add_rows(registry, std::span<const OperatorRow>(kOperators));
}

}  // namespace coppice::sql_text
