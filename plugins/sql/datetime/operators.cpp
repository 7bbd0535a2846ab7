// operators.cpp — which function an operator calls; rows of pg_operator.
#include "interfaces/sql_rows.h"
#include "plugins/sql/datetime/parts.h"

namespace coppice::sql_datetime {
namespace {

using type_oid::kBool;
using type_oid::kDate;
using type_oid::kFloat8;
using type_oid::kInt4;
using type_oid::kInterval;
using type_oid::kTime;
using type_oid::kTimestamp;
using type_oid::kTimestamptz;

constexpr std::array kOperators = {
    OperatorRow{1336, "-", 0, kInterval, kInterval, 1168, "", ""},
    OperatorRow{2555, "+", kInt4, kDate, kDate, 2550, "+", ""},
    OperatorRow{1584, "*", kFloat8, kInterval, kInterval, 1624, "*", ""},
    OperatorRow{1100, "+", kDate, kInt4, kDate, 1141, "+", ""},
    OperatorRow{1101, "-", kDate, kInt4, kDate, 1142, "", ""},
    OperatorRow{1099, "-", kDate, kDate, kInt4, 1140, "", ""},
    OperatorRow{1095, "<", kDate, kDate, kBool, 1087, ">", ">="},
    OperatorRow{1096, "<=", kDate, kDate, kBool, 1088, ">=", ">"},
    OperatorRow{1094, "<>", kDate, kDate, kBool, 1091, "<>", "="},
    OperatorRow{1093, "=", kDate, kDate, kBool, 1086, "=", "<>"},
    OperatorRow{1097, ">", kDate, kDate, kBool, 1089, "<", "<="},
    OperatorRow{1098, ">=", kDate, kDate, kBool, 1090, "<=", "<"},
    OperatorRow{1360, "+", kDate, kTime, kTimestamp, 1272, "+", ""},
    OperatorRow{2345, "<", kDate, kTimestamp, kBool, 2338, ">", ">="},
    OperatorRow{2346, "<=", kDate, kTimestamp, kBool, 2339, ">=", ">"},
    OperatorRow{2350, "<>", kDate, kTimestamp, kBool, 2343, "<>", "="},
    OperatorRow{2347, "=", kDate, kTimestamp, kBool, 2340, "=", "<>"},
    OperatorRow{2349, ">", kDate, kTimestamp, kBool, 2341, "<", "<="},
    OperatorRow{2348, ">=", kDate, kTimestamp, kBool, 2342, "<=", "<"},
    OperatorRow{2358, "<", kDate, kTimestamptz, kBool, 2351, ">", ">="},
    OperatorRow{2359, "<=", kDate, kTimestamptz, kBool, 2352, ">=", ">"},
    OperatorRow{2363, "<>", kDate, kTimestamptz, kBool, 2356, "<>", "="},
    OperatorRow{2360, "=", kDate, kTimestamptz, kBool, 2353, "=", "<>"},
    OperatorRow{2362, ">", kDate, kTimestamptz, kBool, 2354, "<", "<="},
    OperatorRow{2361, ">=", kDate, kTimestamptz, kBool, 2355, "<=", "<"},
    OperatorRow{1076, "+", kDate, kInterval, kTimestamp, 2071, "+", ""},
    OperatorRow{1077, "-", kDate, kInterval, kTimestamp, 2072, "", ""},
    OperatorRow{1363, "+", kTime, kDate, kTimestamp, 1296, "+", ""},
    OperatorRow{1399, "-", kTime, kTime, kInterval, 1690, "", ""},
    OperatorRow{1110, "<", kTime, kTime, kBool, 1102, ">", ">="},
    OperatorRow{1111, "<=", kTime, kTime, kBool, 1103, ">=", ">"},
    OperatorRow{1109, "<>", kTime, kTime, kBool, 1106, "<>", "="},
    OperatorRow{1108, "=", kTime, kTime, kBool, 1145, "=", "<>"},
    OperatorRow{1112, ">", kTime, kTime, kBool, 1104, "<", "<="},
    OperatorRow{1113, ">=", kTime, kTime, kBool, 1105, "<=", "<"},
    OperatorRow{1800, "+", kTime, kInterval, kTime, 1747, "+", ""},
    OperatorRow{1801, "-", kTime, kInterval, kTime, 1748, "", ""},
    OperatorRow{2371, "<", kTimestamp, kDate, kBool, 2364, ">", ">="},
    OperatorRow{2372, "<=", kTimestamp, kDate, kBool, 2365, ">=", ">"},
    OperatorRow{2376, "<>", kTimestamp, kDate, kBool, 2369, "<>", "="},
    OperatorRow{2373, "=", kTimestamp, kDate, kBool, 2366, "=", "<>"},
    OperatorRow{2375, ">", kTimestamp, kDate, kBool, 2367, "<", "<="},
    OperatorRow{2374, ">=", kTimestamp, kDate, kBool, 2368, "<=", "<"},
    OperatorRow{2067, "-", kTimestamp, kTimestamp, kInterval, 2031, "", ""},
    OperatorRow{2062, "<", kTimestamp, kTimestamp, kBool, 2054, ">", ">="},
    OperatorRow{2063, "<=", kTimestamp, kTimestamp, kBool, 2055, ">=", ">"},
    OperatorRow{2061, "<>", kTimestamp, kTimestamp, kBool, 2053, "<>", "="},
    OperatorRow{2060, "=", kTimestamp, kTimestamp, kBool, 2052, "=", "<>"},
    OperatorRow{2064, ">", kTimestamp, kTimestamp, kBool, 2057, "<", "<="},
    OperatorRow{2065, ">=", kTimestamp, kTimestamp, kBool, 2056, "<=", "<"},
    OperatorRow{2534, "<", kTimestamp, kTimestamptz, kBool, 2520, ">", ">="},
    OperatorRow{2535, "<=", kTimestamp, kTimestamptz, kBool, 2521, ">=", ">"},
    OperatorRow{2539, "<>", kTimestamp, kTimestamptz, kBool, 2525, "<>", "="},
    OperatorRow{2536, "=", kTimestamp, kTimestamptz, kBool, 2522, "=", "<>"},
    OperatorRow{2538, ">", kTimestamp, kTimestamptz, kBool, 2523, "<", "<="},
    OperatorRow{2537, ">=", kTimestamp, kTimestamptz, kBool, 2524, "<=", "<"},
    OperatorRow{2066, "+", kTimestamp, kInterval, kTimestamp, 2032, "+", ""},
    OperatorRow{2068, "-", kTimestamp, kInterval, kTimestamp, 2033, "", ""},
    OperatorRow{2384, "<", kTimestamptz, kDate, kBool, 2377, ">", ">="},
    OperatorRow{2385, "<=", kTimestamptz, kDate, kBool, 2378, ">=", ">"},
    OperatorRow{2389, "<>", kTimestamptz, kDate, kBool, 2382, "<>", "="},
    OperatorRow{2386, "=", kTimestamptz, kDate, kBool, 2379, "=", "<>"},
    OperatorRow{2388, ">", kTimestamptz, kDate, kBool, 2380, "<", "<="},
    OperatorRow{2387, ">=", kTimestamptz, kDate, kBool, 2381, "<=", "<"},
    OperatorRow{2540, "<", kTimestamptz, kTimestamp, kBool, 2527, ">", ">="},
    OperatorRow{2541, "<=", kTimestamptz, kTimestamp, kBool, 2528, ">=", ">"},
    OperatorRow{2545, "<>", kTimestamptz, kTimestamp, kBool, 2532, "<>", "="},
    OperatorRow{2542, "=", kTimestamptz, kTimestamp, kBool, 2529, "=", "<>"},
    OperatorRow{2544, ">", kTimestamptz, kTimestamp, kBool, 2530, "<", "<="},
    OperatorRow{2543, ">=", kTimestamptz, kTimestamp, kBool, 2531, "<=", "<"},
    OperatorRow{1328, "-", kTimestamptz, kTimestamptz, kInterval, 1188, "", ""},
    OperatorRow{1322, "<", kTimestamptz, kTimestamptz, kBool, 1154, ">", ">="},
    OperatorRow{1323, "<=", kTimestamptz, kTimestamptz, kBool, 1155, ">=", ">"},
    OperatorRow{1321, "<>", kTimestamptz, kTimestamptz, kBool, 1153, "<>", "="},
    OperatorRow{1320, "=", kTimestamptz, kTimestamptz, kBool, 1152, "=", "<>"},
    OperatorRow{1324, ">", kTimestamptz, kTimestamptz, kBool, 1157, "<", "<="},
    OperatorRow{1325, ">=", kTimestamptz, kTimestamptz, kBool, 1156, "<=", "<"},
    OperatorRow{1327, "+", kTimestamptz, kInterval, kTimestamptz, 1189, "+", ""},
    OperatorRow{1329, "-", kTimestamptz, kInterval, kTimestamptz, 1190, "", ""},
    OperatorRow{1583, "*", kInterval, kFloat8, kInterval, 1618, "*", ""},
    OperatorRow{1585, "/", kInterval, kFloat8, kInterval, 1326, "", ""},
    OperatorRow{2551, "+", kInterval, kDate, kTimestamp, 2546, "+", ""},
    OperatorRow{1849, "+", kInterval, kTime, kTime, 1848, "+", ""},
    OperatorRow{2553, "+", kInterval, kTimestamp, kTimestamp, 2548, "+", ""},
    OperatorRow{2554, "+", kInterval, kTimestamptz, kTimestamptz, 2549, "+", ""},
    OperatorRow{1337, "+", kInterval, kInterval, kInterval, 1169, "+", ""},
    OperatorRow{1338, "-", kInterval, kInterval, kInterval, 1170, "", ""},
    OperatorRow{1332, "<", kInterval, kInterval, kBool, 1164, ">", ">="},
    OperatorRow{1333, "<=", kInterval, kInterval, kBool, 1165, ">=", ">"},
    OperatorRow{1331, "<>", kInterval, kInterval, kBool, 1163, "<>", "="},
    OperatorRow{1330, "=", kInterval, kInterval, kBool, 1162, "=", "<>"},
    OperatorRow{1334, ">", kInterval, kInterval, kBool, 1167, "<", "<="},
    OperatorRow{1335, ">=", kInterval, kInterval, kBool, 1166, "<=", "<"},
};

}  // namespace

void add_operators(SqlRegistry& registry) {
  add_rows(registry, std::span<const OperatorRow>(kOperators));
}

}  // namespace coppice::sql_datetime
