// reg_types.h — oids that are written as the names of what they are the numbers of.
#pragma once

#include "interfaces/sql_pack.h"

namespace coppice::sql_catalog {

// The oid of the relation `text` names, or the number it is. 42P01.
Result<std::uint32_t> relation_of(std::string_view text, CallContext* calls);

}  // namespace coppice::sql_catalog
