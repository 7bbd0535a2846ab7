// comparisons.cpp — = <> < <= > >= of texts and byte strings, by memcmp.
#include "interfaces/sql_kernels.h"
#include "interfaces/sql_rows.h"
#include "plugins/sql/text/parts.h"
#include "plugins/sql/text/text_length.h"

namespace coppice::sql_text {
namespace {

using type_oid::kBool;
using type_oid::kBpchar;
using type_oid::kBytea;
using type_oid::kChar;
using type_oid::kName;
using type_oid::kText;

// char(n) is compared without its padding.
template <class Op>
struct Padded {
  static bool apply(std::string_view a, std::string_view b) {
    return Op::apply(without_padding(a), without_padding(b));
  }
};

template <class Op>
constexpr ScalarKernel kCompare = fixed_kernel<Op, bool, std::string_view, std::string_view>;

constexpr std::array kFunctions = {
    FunctionRow{1049, "bpcharlt", kBool, {kBpchar, kBpchar}, kCompare<Padded<Less>>},
    FunctionRow{1050, "bpcharle", kBool, {kBpchar, kBpchar}, kCompare<Padded<LessEqual>>},
    FunctionRow{1053, "bpcharne", kBool, {kBpchar, kBpchar}, kCompare<Padded<NotEqual>>},
    FunctionRow{1048, "bpchareq", kBool, {kBpchar, kBpchar}, kCompare<Padded<Equal>>},
    FunctionRow{1051, "bpchargt", kBool, {kBpchar, kBpchar}, kCompare<Padded<Greater>>},
    FunctionRow{1052, "bpcharge", kBool, {kBpchar, kBpchar}, kCompare<Padded<GreaterEqual>>},
    FunctionRow{2175, "bpchar_pattern_le", kBool, {kBpchar, kBpchar}, kCompare<Padded<LessEqual>>},
    FunctionRow{2174, "bpchar_pattern_lt", kBool, {kBpchar, kBpchar}, kCompare<Padded<Less>>},
    FunctionRow{
        2177, "bpchar_pattern_ge", kBool, {kBpchar, kBpchar}, kCompare<Padded<GreaterEqual>>},
    FunctionRow{2178, "bpchar_pattern_gt", kBool, {kBpchar, kBpchar}, kCompare<Padded<Greater>>},
    FunctionRow{1949, "bytealt", kBool, {kBytea, kBytea}, kCompare<Less>},
    FunctionRow{1950, "byteale", kBool, {kBytea, kBytea}, kCompare<LessEqual>},
    FunctionRow{1953, "byteane", kBool, {kBytea, kBytea}, kCompare<NotEqual>},
    FunctionRow{1948, "byteaeq", kBool, {kBytea, kBytea}, kCompare<Equal>},
    FunctionRow{1951, "byteagt", kBool, {kBytea, kBytea}, kCompare<Greater>},
    FunctionRow{1952, "byteage", kBool, {kBytea, kBytea}, kCompare<GreaterEqual>},
    FunctionRow{1246, "charlt", kBool, {kChar, kChar}, kCompare<Less>},
    FunctionRow{72, "charle", kBool, {kChar, kChar}, kCompare<LessEqual>},
    FunctionRow{70, "charne", kBool, {kChar, kChar}, kCompare<NotEqual>},
    FunctionRow{61, "chareq", kBool, {kChar, kChar}, kCompare<Equal>},
    FunctionRow{73, "chargt", kBool, {kChar, kChar}, kCompare<Greater>},
    FunctionRow{74, "charge", kBool, {kChar, kChar}, kCompare<GreaterEqual>},
    FunctionRow{655, "namelt", kBool, {kName, kName}, kCompare<Less>},
    FunctionRow{656, "namele", kBool, {kName, kName}, kCompare<LessEqual>},
    FunctionRow{659, "namene", kBool, {kName, kName}, kCompare<NotEqual>},
    FunctionRow{62, "nameeq", kBool, {kName, kName}, kCompare<Equal>},
    FunctionRow{657, "namegt", kBool, {kName, kName}, kCompare<Greater>},
    FunctionRow{658, "namege", kBool, {kName, kName}, kCompare<GreaterEqual>},
    FunctionRow{241, "namelttext", kBool, {kName, kText}, kCompare<Less>},
    FunctionRow{242, "nameletext", kBool, {kName, kText}, kCompare<LessEqual>},
    FunctionRow{245, "namenetext", kBool, {kName, kText}, kCompare<NotEqual>},
    FunctionRow{240, "nameeqtext", kBool, {kName, kText}, kCompare<Equal>},
    FunctionRow{244, "namegttext", kBool, {kName, kText}, kCompare<Greater>},
    FunctionRow{243, "namegetext", kBool, {kName, kText}, kCompare<GreaterEqual>},
    FunctionRow{248, "textltname", kBool, {kText, kName}, kCompare<Less>},
    FunctionRow{249, "textlename", kBool, {kText, kName}, kCompare<LessEqual>},
    FunctionRow{252, "textnename", kBool, {kText, kName}, kCompare<NotEqual>},
    FunctionRow{247, "texteqname", kBool, {kText, kName}, kCompare<Equal>},
    FunctionRow{251, "textgtname", kBool, {kText, kName}, kCompare<Greater>},
    FunctionRow{250, "textgename", kBool, {kText, kName}, kCompare<GreaterEqual>},
    FunctionRow{740, "text_lt", kBool, {kText, kText}, kCompare<Less>},
    FunctionRow{741, "text_le", kBool, {kText, kText}, kCompare<LessEqual>},
    FunctionRow{157, "textne", kBool, {kText, kText}, kCompare<NotEqual>},
    FunctionRow{67, "texteq", kBool, {kText, kText}, kCompare<Equal>},
    FunctionRow{742, "text_gt", kBool, {kText, kText}, kCompare<Greater>},
    FunctionRow{743, "text_ge", kBool, {kText, kText}, kCompare<GreaterEqual>},
    FunctionRow{2161, "text_pattern_le", kBool, {kText, kText}, kCompare<LessEqual>},
    FunctionRow{2160, "text_pattern_lt", kBool, {kText, kText}, kCompare<Less>},
    FunctionRow{2163, "text_pattern_ge", kBool, {kText, kText}, kCompare<GreaterEqual>},
    FunctionRow{2164, "text_pattern_gt", kBool, {kText, kText}, kCompare<Greater>},
};

}  // namespace

void add_comparisons(SqlRegistry& registry) {
  add_rows(registry, std::span<const FunctionRow>(kFunctions));
}

}  // namespace coppice::sql_text
