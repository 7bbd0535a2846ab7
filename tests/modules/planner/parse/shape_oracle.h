// shape_oracle.h — the shape reader against libpg_query's scanner; shared by test and fuzz target.
#pragma once

#include <string>

#include "modules/planner/parse/shape_key.h"

namespace coppice::planner {

// Empty when all is well, else what is wrong: a literal that is none or was missed, or a normalised
// text that does not read as the tokens it stands for.
std::string check_shape(ShapeReader& reader, const std::string& text);

}  // namespace coppice::planner
