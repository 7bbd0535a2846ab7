// casts.cpp — rows of pg_cast that have a text on one side.
#include "interfaces/sql_rows.h"
#include "plugins/sql/text/parts.h"

namespace coppice::sql_text {
namespace {

using type_oid::kBool;
using type_oid::kBpchar;
using type_oid::kChar;
using type_oid::kInt4;
using type_oid::kName;
using type_oid::kText;
using type_oid::kVarchar;

constexpr std::array kCasts = {
    CastRow{kBool, kBpchar, CastContext::kAssignment, 2971},
    CastRow{kBool, kText, CastContext::kAssignment, 2971},
    CastRow{kBool, kVarchar, CastContext::kAssignment, 2971},
    CastRow{kBpchar, kBpchar, CastContext::kImplicit, 668},
    CastRow{kBpchar, kChar, CastContext::kAssignment, 944},
    CastRow{kBpchar, kName, CastContext::kImplicit, 409},
    CastRow{kBpchar, kText, CastContext::kImplicit, 401},
    CastRow{kBpchar, kVarchar, CastContext::kImplicit, 401},
    CastRow{kChar, kBpchar, CastContext::kAssignment, 860},
    CastRow{kChar, kInt4, CastContext::kExplicit, 77},
    CastRow{kChar, kText, CastContext::kImplicit, 946},
    CastRow{kChar, kVarchar, CastContext::kAssignment, 946},
    CastRow{kInt4, kChar, CastContext::kExplicit, 78},
    CastRow{kName, kBpchar, CastContext::kAssignment, 408},
    CastRow{kName, kText, CastContext::kImplicit, 406},
    CastRow{kName, kVarchar, CastContext::kAssignment, 1401},
    CastRow{kText, kBpchar, CastContext::kImplicit, 0},
    CastRow{kText, kChar, CastContext::kAssignment, 944},
    CastRow{kText, kName, CastContext::kImplicit, 407},
    CastRow{kText, kVarchar, CastContext::kImplicit, 0},
    CastRow{kVarchar, kBpchar, CastContext::kImplicit, 0},
    CastRow{kVarchar, kChar, CastContext::kAssignment, 944},
    CastRow{kVarchar, kName, CastContext::kImplicit, 1400},
    CastRow{kVarchar, kText, CastContext::kImplicit, 0},
    CastRow{kVarchar, kVarchar, CastContext::kImplicit, 669},
};

}  // namespace

void add_casts(SqlRegistry& registry) {
  add_rows(registry, std::span<const CastRow>(kCasts));
}

}  // namespace coppice::sql_text
