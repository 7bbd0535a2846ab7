// sql_group_states.h — the states of an aggregate, one plain value per group.
//
// Role:     what most aggregates of a pack derive from.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "interfaces/sql_pack.h"

namespace coppice {

template <class State>
class GroupStates : public AggregateState {
 public:
  void resize(std::uint32_t groups) override { states_.resize(groups); }
  std::uint64_t memory_bytes() const override { return states_.capacity() * sizeof(State); }

 protected:
  bool single() const { return states_.size() == 1; }
  State& group(std::uint32_t index) { return states_[index]; }
  std::span<State> groups() { return states_; }

  // visit(state, row) for every selected row that is not null.
  template <class Visit>
  void each_value(const Vector& argument, const Selection& rows,
                  std::span<const std::uint32_t> groups, Visit visit) {
    const bool nulls = argument.has_nulls();
    rows.for_each([&](std::uint32_t row) {
      if (!nulls || !argument.is_null(row)) visit(states_[groups[row]], row);
    });
  }

 private:
  std::vector<State> states_;
};

// An AggregateFactory.
template <class States>
std::unique_ptr<AggregateState> make_state(CallContext&) {
  return std::make_unique<States>();
}

}  // namespace coppice
