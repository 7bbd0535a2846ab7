// operators.cpp — which function an operator calls; rows of pg_operator.
#include "interfaces/sql_rows.h"
#include "plugins/sql/numeric/parts.h"

namespace coppice::sql_numeric {
namespace {

using type_oid::kBool;
using type_oid::kNumeric;

constexpr std::array kOperators = {
    OperatorRow{1751, "-", 0, kNumeric, kNumeric, 1771, "", ""},
    OperatorRow{1921, "+", 0, kNumeric, kNumeric, 1915, "", ""},
    OperatorRow{1763, "@", 0, kNumeric, kNumeric, 1704, "", ""},
    OperatorRow{1752, "=", kNumeric, kNumeric, kBool, 1718, "=", "<>"},
    OperatorRow{1753, "<>", kNumeric, kNumeric, kBool, 1719, "<>", "="},
    OperatorRow{1754, "<", kNumeric, kNumeric, kBool, 1722, ">", ">="},
    OperatorRow{1755, "<=", kNumeric, kNumeric, kBool, 1723, ">=", ">"},
    OperatorRow{1756, ">", kNumeric, kNumeric, kBool, 1720, "<", "<="},
    OperatorRow{1757, ">=", kNumeric, kNumeric, kBool, 1721, "<=", "<"},
    OperatorRow{1758, "+", kNumeric, kNumeric, kNumeric, 1724, "+", ""},
    OperatorRow{1759, "-", kNumeric, kNumeric, kNumeric, 1725, "", ""},
    OperatorRow{1760, "*", kNumeric, kNumeric, kNumeric, 1726, "*", ""},
    OperatorRow{1761, "/", kNumeric, kNumeric, kNumeric, 1727, "", ""},
    OperatorRow{1762, "%", kNumeric, kNumeric, kNumeric, 1729, "", ""},
    OperatorRow{1038, "^", kNumeric, kNumeric, kNumeric, 1739, "", ""},
};

}  // namespace

void add_operators(SqlRegistry& registry) {
  add_rows(registry, std::span<const OperatorRow>(kOperators));
}

}  // namespace coppice::sql_numeric
