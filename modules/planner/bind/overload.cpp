// overload.cpp — PostgreSQL's rules of overload resolution.
#include "modules/planner/bind/overload.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "modules/planner/bind/coerce.h"

namespace coppice::planner {

namespace {

constexpr char kStringCategory = 'S';

bool accepts(const BindContext& context, const Candidate& candidate,
             std::span<const TypeOid> inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (!can_coerce(context, inputs[i], candidate.arguments[i], CastContext::kImplicit))
      return false;
  return true;
}

// Those with the highest score stay.
void keep_best(std::vector<Candidate>& candidates,
               const std::function<std::size_t(const Candidate&)>& score) {
  std::size_t best = 0;
  for (const Candidate& candidate : candidates) best = std::max(best, score(candidate));
  std::erase_if(candidates, [&](const Candidate& candidate) { return score(candidate) != best; });
}

std::size_t exact_matches(const Candidate& candidate, std::span<const TypeOid> inputs) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i] != type_oid::kUnknown && inputs[i] == candidate.arguments[i]) ++count;
  return count;
}

std::size_t preferred_matches(const BindContext& context, const Candidate& candidate,
                              std::span<const TypeOid> inputs) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const TypeOid type = candidate.arguments[i];
    if (inputs[i] == type_oid::kUnknown) continue;
    if (type == inputs[i] || (category_of(context, type) == category_of(context, inputs[i]) &&
                              is_preferred(context, type)))
      ++count;
  }
  return count;
}

struct Slot {
  char category = '\0';
  bool preferred = false;
};

// What an input without a type should be; false where the candidates disagree.
bool resolve_slot(const BindContext& context, const std::vector<Candidate>& candidates,
                  std::size_t at, Slot& slot) {
  bool conflict = false;
  for (const Candidate& candidate : candidates) {
    const TypeOid type = candidate.arguments[at];
    const char category = category_of(context, type);
    if (slot.category == '\0' || (category != slot.category && category == kStringCategory)) {
      slot = {category, is_preferred(context, type)};
    } else if (category == slot.category) {
      slot.preferred |= is_preferred(context, type);
    } else {
      conflict = true;
    }
  }
  return !conflict || slot.category == kStringCategory;
}

void filter_by_unknowns(const BindContext& context, std::span<const TypeOid> inputs,
                        std::vector<Candidate>& candidates) {
  std::vector<Slot> slots(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i] == type_oid::kUnknown && !resolve_slot(context, candidates, i, slots[i])) return;
  std::vector<Candidate> kept;
  for (const Candidate& candidate : candidates) {
    bool keep = true;
    for (std::size_t i = 0; i < inputs.size() && keep; ++i) {
      if (inputs[i] != type_oid::kUnknown) continue;
      const TypeOid type = candidate.arguments[i];
      keep = category_of(context, type) == slots[i].category &&
             (!slots[i].preferred || is_preferred(context, type));
    }
    if (keep) kept.push_back(candidate);
  }
  if (!kept.empty()) candidates = std::move(kept);
}

// All known inputs are of one type: the others may be of it, too.
Choice assume_same_type(const BindContext& context, std::span<const TypeOid> inputs,
                        const std::vector<Candidate>& candidates) {
  TypeOid known = type_oid::kUnknown;
  for (const TypeOid input : inputs) {
    if (input == type_oid::kUnknown) continue;
    if (known != type_oid::kUnknown && known != input) return {Choice::Kind::kAmbiguous};
    known = input;
  }
  if (known == type_oid::kUnknown) return {Choice::Kind::kAmbiguous};
  const std::vector<TypeOid> assumed(inputs.size(), known);
  Choice choice{Choice::Kind::kAmbiguous};
  for (const Candidate& candidate : candidates) {
    if (!accepts(context, candidate, assumed)) continue;
    if (choice.kind == Choice::Kind::kOne) return {Choice::Kind::kAmbiguous};
    choice = {Choice::Kind::kOne, candidate.index};
  }
  return choice;
}

}  // namespace

Choice choose(const BindContext& context, std::span<const TypeOid> inputs,
              std::vector<Candidate> candidates) {
  std::erase_if(candidates,
                [&](const Candidate& candidate) { return !accepts(context, candidate, inputs); });
  if (candidates.empty()) return {Choice::Kind::kNone};
  const auto only = [&] { return Choice{Choice::Kind::kOne, candidates.front().index}; };
  if (candidates.size() == 1) return only();

  keep_best(candidates, [&](const Candidate& c) { return exact_matches(c, inputs); });
  if (candidates.size() == 1) return only();
  keep_best(candidates, [&](const Candidate& c) { return preferred_matches(context, c, inputs); });
  if (candidates.size() == 1) return only();
  if (std::find(inputs.begin(), inputs.end(), type_oid::kUnknown) == inputs.end())
    return {Choice::Kind::kAmbiguous};
  filter_by_unknowns(context, inputs, candidates);
  if (candidates.size() == 1) return only();
  return assume_same_type(context, inputs, candidates);
}

}  // namespace coppice::planner
