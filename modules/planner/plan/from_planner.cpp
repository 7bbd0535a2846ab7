// from_planner.cpp — joins: which conditions go where, what is joined how, and in which order.
#include "modules/planner/plan/from_planner.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "modules/planner/bind/coerce.h"
#include "modules/planner/plan/access_path.h"
#include "modules/planner/plan/join_keys.h"

namespace coppice::planner {

namespace {

using Kind = Expression::Kind;
using Conjuncts = std::vector<ExpressionRef>;
using Relations = std::uint64_t;  // a set of them

class FromPlanner {
 public:
  FromPlanner(BindContext& context, FromRequest request)
      : context_(context), request_(std::move(request)), clause_(*request_.clause) {}

  Result<Planned> plan();

 private:
  struct Leaf {
    FromTree* tree = nullptr;
    Relations relations = 0;
    Conjuncts own;
    Planned planned;
    bool done = false;
  };

  void number_columns();
  void collect_needed(const FromTree& tree);
  Relations relations_of(const Expression& expression) const;
  Relations relations_of(const FromTree& tree) const;
  Conjuncts take(Conjuncts& from, Relations within) const;
  Result<Planned> plan_tree(FromTree& tree, Conjuncts conjuncts);
  Result<Planned> plan_outer(FromTree& tree, Conjuncts conjuncts);
  Result<Planned> plan_inner(FromTree& tree, Conjuncts conjuncts);
  void flatten(FromTree& tree, std::vector<Leaf>& leaves, Conjuncts& conjuncts);
  std::size_t best_next(const std::vector<Leaf>& leaves, Relations joined,
                        const Conjuncts& conjuncts) const;
  bool rejects_nulls(const Expression& condition, Relations of) const;
  Planned nothing() const;

  BindContext& context_;
  FromRequest request_;
  FromClause& clause_;
  std::unordered_map<std::uint32_t, std::size_t> relation_of_;
};

void FromPlanner::number_columns() {
  for (std::size_t i = 0; i < clause_.relations.size(); ++i) {
    for (const RelationColumn& column : clause_.relations[i].columns) relation_of_[column.id] = i;
    if (clause_.relations[i].egid) relation_of_[*clause_.relations[i].egid] = i;
  }
}

void FromPlanner::collect_needed(const FromTree& tree) {
  if (tree.left == nullptr) return;
  if (tree.condition != nullptr) collect_columns(*tree.condition, request_.needed);
  collect_needed(*tree.left);
  collect_needed(*tree.right);
}

Relations FromPlanner::relations_of(const Expression& expression) const {
  Relations found = 0;
  walk(expression, [&](const Expression& node) {
    if (node.kind == Kind::kColumn) {
      const auto known = relation_of_.find(node.ordinal);
      if (known != relation_of_.end()) found |= Relations{1} << known->second;
    }
    return true;
  });
  return found;
}

Relations FromPlanner::relations_of(const FromTree& tree) const {
  if (tree.left == nullptr) return Relations{1} << tree.relation;
  return relations_of(*tree.left) | relations_of(*tree.right);
}

// Those that look at nothing but `within`, taken out of `from`.
Conjuncts FromPlanner::take(Conjuncts& from, Relations within) const {
  Conjuncts taken, rest;
  for (ExpressionRef& conjunct : from) {
    const Relations of = relations_of(*conjunct);
    ((of & ~within) == 0 ? taken : rest).push_back(std::move(conjunct));
  }
  from = std::move(rest);
  return taken;
}

// A row whose columns of `of` are all NULL cannot pass.
bool FromPlanner::rejects_nulls(const Expression& condition, Relations of) const {
  switch (condition.kind) {
    case Kind::kColumn: {
      const auto known = relation_of_.find(condition.ordinal);
      return known != relation_of_.end() && (of >> known->second & 1) != 0;
    }
    case Kind::kCall:
      if (!condition.function->strict) return false;
      break;
    case Kind::kAnd:
    case Kind::kIsNotNull:
    case Kind::kNot:
    case Kind::kTextCast:
      break;
    case Kind::kInList:
    case Kind::kArrayAny:
      return rejects_nulls(*condition.arguments.front(), of);
    case Kind::kOr:
      return std::all_of(condition.arguments.begin(), condition.arguments.end(),
                         [&](const ExpressionRef& part) { return rejects_nulls(*part, of); });
    default:
      return false;
  }
  return std::any_of(condition.arguments.begin(), condition.arguments.end(),
                     [&](const ExpressionRef& part) { return rejects_nulls(*part, of); });
}

void FromPlanner::flatten(FromTree& tree, std::vector<Leaf>& leaves, Conjuncts& conjuncts) {
  if (tree.left == nullptr || tree.join != JoinKind::kInner) {
    Leaf leaf;
    leaf.tree = &tree;
    leaf.relations = relations_of(tree);
    leaves.push_back(std::move(leaf));
    return;
  }
  split_conjuncts(std::move(tree.condition), conjuncts);
  flatten(*tree.left, leaves, conjuncts);
  flatten(*tree.right, leaves, conjuncts);
}

// The leaf to join next: one that a condition ties to what is joined, the smallest of them.
std::size_t FromPlanner::best_next(const std::vector<Leaf>& leaves, Relations joined,
                                   const Conjuncts& conjuncts) const {
  std::size_t best = leaves.size();
  bool best_tied = false;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (leaves[i].done) continue;
    const bool tied = std::any_of(conjuncts.begin(), conjuncts.end(), [&](const ExpressionRef& c) {
      const Relations of = relations_of(*c);
      return (of & leaves[i].relations) != 0 && (of & joined) != 0 &&
             (of & ~(joined | leaves[i].relations)) == 0;
    });
    const bool better = best == leaves.size() || (tied && !best_tied) ||
                        (tied == best_tied && leaves[i].planned.node->rows_estimate <
                                                  leaves[best].planned.node->rows_estimate);
    if (!better) continue;
    best = i;
    best_tied = tied;
  }
  return best;
}

Result<Planned> FromPlanner::plan_inner(FromTree& tree, Conjuncts conjuncts) {
  std::vector<Leaf> leaves;
  flatten(tree, leaves, conjuncts);
  for (Leaf& leaf : leaves) {
    leaf.own = take(conjuncts, leaf.relations);
    // Conditions without any relation go to the first.
    leaf.planned = COPPICE_TRY(plan_tree(*leaf.tree, std::move(leaf.own)));
  }
  std::size_t next = 0;
  for (std::size_t i = 1; i < leaves.size(); ++i)
    if (leaves[i].planned.node->rows_estimate < leaves[next].planned.node->rows_estimate) next = i;
  Planned joined = std::move(leaves[next].planned);
  leaves[next].done = true;
  Relations in = leaves[next].relations;
  for (std::size_t count = 1; count < leaves.size(); ++count) {
    next = best_next(leaves, in, conjuncts);
    Leaf& leaf = leaves[next];
    leaf.done = true;
    in |= leaf.relations;
    Conjuncts here = take(conjuncts, in);
    const Relation* const table =
        leaf.tree->left == nullptr ? &clause_.relations[leaf.tree->relation] : nullptr;
    joined = COPPICE_TRY(join(context_, {.left = std::move(joined),
                                         .right = std::move(leaf.planned),
                                         .kind = JoinKind::kInner,
                                         .conditions = std::move(here),
                                         .right_table = table}));
  }
  return filter(std::move(joined), make_and(context_, std::move(conjuncts)));
}

Result<Planned> FromPlanner::plan_outer(FromTree& tree, Conjuncts conjuncts) {
  if (tree.join == JoinKind::kRight) {
    std::swap(tree.left, tree.right);
    tree.join = JoinKind::kLeft;
  }
  const Relations right = relations_of(*tree.right);
  const Relations left = relations_of(*tree.left);
  if (tree.join == JoinKind::kLeft &&
      std::any_of(conjuncts.begin(), conjuncts.end(),
                  [&](const ExpressionRef& c) { return rejects_nulls(*c, right); })) {
    tree.join = JoinKind::kInner;
    return plan_inner(tree, std::move(conjuncts));
  }
  Conjuncts on;
  split_conjuncts(std::move(tree.condition), on);
  Conjuncts left_own, right_own;
  if (tree.join == JoinKind::kLeft) {
    left_own = take(conjuncts, left);
    // What looks at nothing decides whether rows match, as the rest of ON does.
    Conjuncts constant = take(on, 0);
    right_own = take(on, right);
    for (ExpressionRef& conjunct : constant) on.push_back(std::move(conjunct));
  }
  Planned left_plan = COPPICE_TRY(plan_tree(*tree.left, std::move(left_own)));
  Planned right_plan = COPPICE_TRY(plan_tree(*tree.right, std::move(right_own)));
  const Relation* const table =
      tree.right->left == nullptr ? &clause_.relations[tree.right->relation] : nullptr;
  Planned joined = COPPICE_TRY(join(context_, {.left = std::move(left_plan),
                                               .right = std::move(right_plan),
                                               .kind = tree.join,
                                               .conditions = std::move(on),
                                               .right_table = table}));
  return filter(std::move(joined), make_and(context_, std::move(conjuncts)));
}

Result<Planned> FromPlanner::plan_tree(FromTree& tree, Conjuncts conjuncts) {
  COPPICE_TRY(context_.check_depth());
  if (tree.left == nullptr) {
    const bool alone = clause_.relations.size() == 1;
    return plan_relation(context_, clause_.relations[tree.relation], request_.needed,
                         std::move(conjuncts), alone ? request_.order : std::nullopt);
  }
  if (tree.join == JoinKind::kInner) return plan_inner(tree, std::move(conjuncts));
  return plan_outer(tree, std::move(conjuncts));
}

// For WHERE false: what would have been read, without rows.
Planned FromPlanner::nothing() const {
  std::vector<TypeOid> types;
  std::vector<std::int32_t> modifiers;
  std::vector<std::uint32_t> ids;
  for (const Relation& relation : clause_.relations) {
    for (const RelationColumn& column : relation.columns) {
      types.push_back(column.type);
      modifiers.push_back(column.modifier);
      ids.push_back(column.id);
    }
    if (!relation.egid) continue;
    types.push_back(type_oid::kInt8);
    modifiers.push_back(-1);
    ids.push_back(*relation.egid);
  }
  return no_rows(std::move(types), std::move(modifiers), std::move(ids));
}

Result<Planned> FromPlanner::plan() {
  number_columns();
  Conjuncts conjuncts;
  if (request_.where != nullptr) collect_columns(*request_.where, request_.needed);
  split_conjuncts(std::move(request_.where), conjuncts);
  std::erase_if(conjuncts, [](const ExpressionRef& c) { return is_constant_bool(*c, true); });
  if (clause_.tree == nullptr) return filter(one_row(), make_and(context_, std::move(conjuncts)));
  const bool never = std::any_of(conjuncts.begin(), conjuncts.end(), [](const ExpressionRef& c) {
    return is_null_constant(*c) || is_constant_bool(*c, false);
  });
  if (never) return nothing();
  collect_needed(*clause_.tree);
  std::sort(request_.needed.begin(), request_.needed.end());
  return plan_tree(*clause_.tree, std::move(conjuncts));
}

}  // namespace

void collect_columns(const Expression& expression, std::vector<std::uint32_t>& to) {
  walk(expression, [&](const Expression& node) {
    if (node.kind == Kind::kColumn) to.push_back(node.ordinal);
    return true;
  });
}

Result<Planned> plan_from(BindContext& context, FromRequest request) {
  return FromPlanner(context, std::move(request)).plan();
}

}  // namespace coppice::planner
