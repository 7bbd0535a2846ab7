// overload.h — which of several functions or operators of one name is meant.
//
// Source:   PostgreSQL 15, func_match_argtypes and func_select_candidate (parse_func.c),
//           oper_select_candidate (parse_oper.c).
#pragma once

#include "modules/planner/bind/bind_context.h"

namespace coppice::planner {

struct Candidate {
  std::vector<TypeOid> arguments = {};  // as many as there are inputs
  std::size_t index = 0;                // the caller's
};

struct Choice {
  enum class Kind : std::uint8_t { kOne, kNone, kAmbiguous } kind = Kind::kNone;
  std::size_t index = 0;
};

// The inputs may be unknown. An exact match is the caller's to look for first.
Choice choose(const BindContext& context, std::span<const TypeOid> inputs,
              std::vector<Candidate> candidates);

}  // namespace coppice::planner
