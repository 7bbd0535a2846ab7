// posting_node.h — AND, OR and NOT over posting lists at one read.
//
// Role:     what the planner's bitmap tree becomes once the leaves are opened. An AND decodes its
//           smallest child and probes the others where they lie; NOT stands only under an AND.
// Owns:     nothing of the lists.
// Errors:   kCorruption; kInvalidArgument for a NOT outside an AND; kLimitExceeded above
//           kPostingDepthMax levels.
// Threads:  const. Parks: never; the caller yields between calls.
#pragma once

#include <vector>

#include "modules/lsm/bitmap/posting_list.h"

namespace coppice::lsm {

inline constexpr unsigned kPostingDepthMax = 64;

struct PostingNode {
  enum class Kind : std::uint8_t { kList, kAnd, kOr, kNot };
  Kind kind = Kind::kList;
  // kOr: the children are keys of one index, which an egid can have only one of at a read; so
  // counts add up.
  bool disjoint = false;
  const PostingList* list = nullptr;  // kList
  std::vector<PostingNode> children;  // kNot: exactly one

  static PostingNode of(const PostingList& list) { return {Kind::kList, false, &list, {}}; }
  static PostingNode all_of(std::vector<PostingNode> children) {
    return {Kind::kAnd, false, nullptr, std::move(children)};
  }
  static PostingNode any_of(std::vector<PostingNode> children) {
    return {Kind::kOr, false, nullptr, std::move(children)};
  }
  static PostingNode key_range(std::vector<PostingNode> keys) {
    return {Kind::kOr, true, nullptr, std::move(keys)};
  }
  static PostingNode none_of(PostingNode child) {
    PostingNode node{Kind::kNot, false, nullptr, {}};
    node.children.push_back(std::move(child));
    return node;
  }

  // An upper bound of count(), from directories alone. UINT64_MAX for a NOT.
  std::uint64_t count_limit() const;
};

// Appends the egids that satisfy the node, ascending.
Status evaluate(const PostingNode& node, Hlc read, Ids& to);
// The same for the ids of a query that has others already: keeps those that satisfy the node.
Status filter(const PostingNode& node, Hlc read, Ids& ids);
// Without materialising where a directory knows.
Result<std::uint64_t> count(const PostingNode& node, Hlc read);

// Ascending and without repetition: least significant digit radix sort, skipping constant digits.
void sort_ids(Ids& ids);

}  // namespace coppice::lsm
