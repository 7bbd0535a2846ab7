// index_match.cpp — index conditions out of restrictions, counted where their values are known.
#include "modules/planner/plan/index_match.h"

#include <algorithm>
#include <utility>

#include "modules/planner/plan/index_keys.h"

namespace coppice::planner {

namespace {

using Kind = Restriction::Kind;

// A second index is worth its postings only if it leaves out most rows.
constexpr double kWorthwhilePart = 0.2;
// More branches than this make a tree that nobody gains by.
constexpr std::size_t kBranchesMax = 32;

struct Known {
  Restriction restriction;
  std::size_t condition = 0;
};

// Takes all restrictions of one column that an IndexBound can hold; says if it fixes the value.
bool fill(std::vector<Known>& known, std::int16_t attribute, bool list_taken, IndexBound& bound,
          std::vector<std::size_t>& covered) {
  const auto find = [&](Kind kind) {
    return std::find_if(known.begin(), known.end(), [&](const Known& k) {
      return k.restriction.attribute == attribute && k.restriction.kind == kind;
    });
  };
  const auto cover = [&](const Known& k) {
    if (k.restriction.exact) covered.push_back(k.condition);
  };
  if (const auto equal = find(Kind::kEqual); equal != known.end()) {
    bound.equal = true;
    bound.from = std::move(equal->restriction.values.front());
    cover(*equal);
    return true;
  }
  if (const auto null = find(Kind::kIsNull); null != known.end()) {
    bound.is_null = true;
    cover(*null);
    return true;
  }
  if (const auto list = find(Kind::kIn); list != known.end() && !list_taken) {
    bound.in_list = std::move(list->restriction.values);
    cover(*list);
    return true;
  }
  if (const auto prefix = find(Kind::kPrefix); prefix != known.end()) {
    bound.prefix = true;
    bound.from = std::move(prefix->restriction.values.front());
    cover(*prefix);
    return false;
  }
  if (const auto from = find(Kind::kFrom); from != known.end()) {
    bound.from = std::move(from->restriction.values.front());
    bound.from_inclusive = from->restriction.inclusive;
    cover(*from);
  }
  if (const auto to = find(Kind::kTo); to != known.end()) {
    bound.to = std::move(to->restriction.values.front());
    bound.to_inclusive = to->restriction.inclusive;
    cover(*to);
  }
  return false;
}

bool says_something(const IndexBound& bound) {
  return bound.from != nullptr || bound.to != nullptr || bound.is_null || !bound.in_list.empty();
}

}  // namespace

std::vector<std::shared_ptr<const IndexInfo>> IndexMatcher::readable() const {
  std::vector<std::shared_ptr<const IndexInfo>> usable;
  const Snapshot* const snapshot = context_.plan().view.snapshot;
  for (const auto& index : relation_.table->indexes) {
    if (index->state != IndexState::kReadable) continue;
    if (snapshot != nullptr && index->valid_from > snapshot->read_at()) continue;
    usable.push_back(index);
  }
  return usable;
}

std::optional<IndexMatch> IndexMatcher::leaf(const std::shared_ptr<const IndexInfo>& index,
                                             std::span<const ExpressionRef> conditions,
                                             bool outside) const {
  std::vector<Known> known;
  for (std::size_t i = 0; i < conditions.size(); ++i)
    if (auto restriction = restriction_of(context_, relation_, *conditions[i], outside))
      known.push_back({*std::move(restriction), i});
  IndexMatch match;
  match.condition.index = index;
  bool list_taken = false;
  bool all_equal = true;
  for (const IndexColumn& column : index->columns) {
    IndexBound bound;
    const bool fixes = fill(known, column.attribute, list_taken, bound, match.covered);
    if (!says_something(bound)) break;
    list_taken |= !bound.in_list.empty();
    all_equal &= bound.equal;
    match.condition.bounds.push_back(std::move(bound));
    if (!fixes) break;
  }
  if (match.condition.bounds.empty()) return {};
  match.unique =
      index->unique && all_equal && match.condition.bounds.size() == index->columns.size();
  match.rows = match.unique ? 1 : outside ? guess(match.condition) : estimate(match.condition);
  return match;
}

// x OR y: every branch must have an index.
std::optional<IndexMatch> IndexMatcher::any(const Expression& condition) const {
  if (condition.arguments.size() > kBranchesMax) return {};
  IndexMatch match;
  match.condition.kind = IndexCondition::Kind::kOr;
  bool exact = true;
  for (const ExpressionRef& branch : condition.arguments) {
    std::vector<ExpressionRef> conditions;
    split_conjuncts(branch->clone(), conditions);
    auto one = best(conditions);
    if (!one) return {};
    exact &= one->covered.size() == conditions.size();
    match.rows += one->rows;
    match.condition.children.push_back(std::move(one->condition));
  }
  match.rows = std::min(match.rows, table_rows_);
  if (exact) match.covered.push_back(0);
  return match;
}

std::optional<IndexMatch> IndexMatcher::best(std::span<const ExpressionRef> conditions) const {
  std::vector<IndexMatch> matches;
  for (const auto& index : readable())
    if (auto match = leaf(index, conditions, false)) matches.push_back(*std::move(match));
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    if (conditions[i]->kind != Expression::Kind::kOr) continue;
    auto match = any(*conditions[i]);
    if (!match) continue;
    if (!match->covered.empty()) match->covered.front() = i;
    matches.push_back(*std::move(match));
  }
  if (matches.empty()) return {};
  std::vector<std::size_t> order(matches.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (matches[a].rows != matches[b].rows) return matches[a].rows < matches[b].rows;
    if (matches[a].covered.size() != matches[b].covered.size())
      return matches[a].covered.size() > matches[b].covered.size();
    return a < b;
  });
  IndexMatch result = std::move(matches[order.front()]);
  for (std::size_t i = 1; i < order.size() && !result.unique; ++i) {
    IndexMatch& next = matches[order[i]];
    const bool adds = std::any_of(next.covered.begin(), next.covered.end(), [&](std::size_t c) {
      return std::find(result.covered.begin(), result.covered.end(), c) == result.covered.end();
    });
    if (!adds || next.rows > table_rows_ * kWorthwhilePart) continue;
    if (result.condition.kind != IndexCondition::Kind::kAnd) {
      IndexCondition both;
      both.kind = IndexCondition::Kind::kAnd;
      both.children.push_back(std::move(result.condition));
      result.condition = std::move(both);
    }
    result.condition.children.push_back(std::move(next.condition));
    result.rows = std::max(1.0, result.rows * next.rows / table_rows_);
    for (const std::size_t c : next.covered) result.covered.push_back(c);
  }
  std::sort(result.covered.begin(), result.covered.end());
  result.covered.erase(std::unique(result.covered.begin(), result.covered.end()),
                       result.covered.end());
  return result;
}

double IndexMatcher::guess(const IndexCondition& leaf) const {
  double part = 1;
  for (const IndexBound& bound : leaf.bounds) {
    if (!bound.in_list.empty()) {
      part *= 0.005 * static_cast<double>(bound.in_list.size());
    } else if (bound.equal || bound.is_null) {
      part *= 0.005;
    } else {
      part *= bound.prefix || (bound.from != nullptr && bound.to != nullptr) ? 0.02 : 0.333;
    }
  }
  const double least = leaf.bounds.front().in_list.empty()
                           ? 1
                           : static_cast<double>(leaf.bounds.front().in_list.size());
  return std::clamp(table_rows_ * part, std::min(least, table_rows_), table_rows_);
}

double IndexMatcher::estimate(const IndexCondition& leaf) const {
  const PlanContext& plan = context_.plan();
  if (plan.engine == nullptr) return guess(leaf);
  const auto ranges = constant_ranges(context_, *relation_.table, leaf);
  if (!ranges) return guess(leaf);
  if (ranges->empty()) return 1;
  BitmapNode node;
  node.index = leaf.index->storage;
  node.ranges = *ranges;
  const auto count = plan.engine->estimate_of(plan.view, node);
  return count ? std::max(1.0, static_cast<double>(*count)) : guess(leaf);
}

}  // namespace coppice::planner
