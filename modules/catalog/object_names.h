// object_names.h — the names that PostgreSQL gives to indexes which were given none.
//
// Source:   PostgreSQL 15, makeObjectName, ChooseIndexName and ChooseIndexNameAddition
//           (indexcmds.c).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "interfaces/catalog.h"

namespace coppice::catalog {

inline constexpr std::size_t kIdentifierBytesMax = 63;

// "<first>_<second>_<label>", the longer of the first two cut (between characters of UTF-8) until
// it fits. Empty parts are left out with their underscore.
std::string make_object_name(std::string_view first, std::string_view second,
                             std::string_view label);

// The `attempt`-th choice for an index of `table`: t_pkey, t_pkey1, t_pkey2 …
std::string index_name_choice(std::string_view table, const NewIndex& index, unsigned attempt);

}  // namespace coppice::catalog
