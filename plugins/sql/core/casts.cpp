// casts.cpp — rows of pg_cast between the types of this pack.
#include "interfaces/sql_rows.h"
#include "plugins/sql/core/parts.h"

namespace coppice::sql_core {
namespace {

using type_oid::kBool;
using type_oid::kFloat4;
using type_oid::kFloat8;
using type_oid::kInt2;
using type_oid::kInt4;
using type_oid::kInt8;
using type_oid::kOid;

constexpr std::array kCasts = {
    CastRow{kBool, kInt4, CastContext::kExplicit, 2558},
    CastRow{kFloat4, kFloat8, CastContext::kImplicit, 311},
    CastRow{kFloat4, kInt2, CastContext::kAssignment, 238},
    CastRow{kFloat4, kInt4, CastContext::kAssignment, 319},
    CastRow{kFloat4, kInt8, CastContext::kAssignment, 653},
    CastRow{kFloat8, kFloat4, CastContext::kAssignment, 312},
    CastRow{kFloat8, kInt2, CastContext::kAssignment, 237},
    CastRow{kFloat8, kInt4, CastContext::kAssignment, 317},
    CastRow{kFloat8, kInt8, CastContext::kAssignment, 483},
    CastRow{kInt2, kFloat4, CastContext::kImplicit, 236},
    CastRow{kInt2, kFloat8, CastContext::kImplicit, 235},
    CastRow{kInt2, kInt4, CastContext::kImplicit, 313},
    CastRow{kInt2, kInt8, CastContext::kImplicit, 754},
    CastRow{kInt2, kOid, CastContext::kImplicit, 313},
    CastRow{kInt4, kBool, CastContext::kExplicit, 2557},
    CastRow{kInt4, kFloat4, CastContext::kImplicit, 318},
    CastRow{kInt4, kFloat8, CastContext::kImplicit, 316},
    CastRow{kInt4, kInt2, CastContext::kAssignment, 314},
    CastRow{kInt4, kInt8, CastContext::kImplicit, 481},
    CastRow{kInt4, kOid, CastContext::kImplicit, 0},
    CastRow{kInt8, kFloat4, CastContext::kImplicit, 652},
    CastRow{kInt8, kFloat8, CastContext::kImplicit, 482},
    CastRow{kInt8, kInt2, CastContext::kAssignment, 714},
    CastRow{kInt8, kInt4, CastContext::kAssignment, 480},
    CastRow{kInt8, kOid, CastContext::kImplicit, 1287},
    CastRow{kOid, kInt4, CastContext::kAssignment, 0},
    CastRow{kOid, kInt8, CastContext::kAssignment, 1288},
};

}  // namespace

void add_casts(SqlRegistry& registry) {
  add_rows(registry, std::span<const CastRow>(kCasts));
}

}  // namespace coppice::sql_core
