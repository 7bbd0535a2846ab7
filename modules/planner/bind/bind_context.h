// bind_context.h — what a statement is bound against, and what is learnt of it on the way.
//
// Role:     passed down through every function of the binder: text (for positions), catalog view,
//           registry, search path, settings; collects parameter types, tables and their locks.
// Owns:     what was collected; everything else is the caller's and outlives it.
// Threads:  one statement's fiber.
// Parks:    never.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interfaces/planner.h"
#include "modules/planner/parse/parser.h"

namespace coppice::planner {

class BindContext {
 public:
  BindContext(const PlanContext& plan, const SqlRegistry& registry, std::string_view text);
  BindContext(const BindContext&) = delete;
  BindContext& operator=(const BindContext&) = delete;

  std::string_view text() const { return text_; }
  const PlanContext& plan() const { return plan_; }
  const CatalogView& catalog() const { return *plan_.catalog; }
  const SqlRegistry& registry() const { return registry_; }
  const SqlSettings& settings() const { return settings_; }

  // An error about one place of the text.
  [[nodiscard]] std::unexpected<Error> error(ast::Location at, std::string_view sqlstate,
                                             std::string message) const;
  [[nodiscard]] std::unexpected<Error> error(ast::Location at, std::string_view sqlstate,
                                             std::string message, std::string hint) const;
  // 0A000: `what` is not supported.
  [[nodiscard]] std::unexpected<Error> unsupported(ast::Location at, std::string_view what) const;
  // Adds the position to an error that has none.
  [[nodiscard]] Error located(Error error, ast::Location at) const;

  // 54001 when recursion has used the part of the fiber's stack that is the binder's. Every
  // function that recurses over the tree calls it.
  Status check_depth() const;

  // "integer"; "???" for types that no pack has.
  std::string type_text(TypeOid type, std::int32_t modifier = -1) const;

  // $n. Types as declared, or 0 until the first use that tells.
  Result<TypeOid> parameter_type(int number, ast::Location at);
  void set_parameter_type(int number, TypeOid type) {
    parameters_[static_cast<std::size_t>(number) - 1] = type;
  }
  const std::vector<TypeOid>& parameter_types() const { return parameters_; }
  // Slots behind the statement's parameters, for values that a subquery takes from outside.
  std::uint32_t new_outer_slots(std::uint32_t count) {
    outer_slots_ += count;
    return first_outer_slot_ + outer_slots_ - count;
  }
  std::uint32_t parameter_slots() const {
    return outer_slots_ == 0 ? static_cast<std::uint32_t>(parameters_.size())
                             : first_outer_slot_ + outer_slots_;
  }

  // The statement locks `table` with the strongest mode that was asked for.
  void use_table(const TableInfoRef& table, RelationLock lock);
  const std::vector<TableInfoRef>& tables() const { return tables_; }
  const std::vector<RelationLock>& locks() const { return locks_; }

  // A number for a column of some relation of this statement.
  std::uint32_t new_column_id() { return next_column_id_++; }

 private:
  const PlanContext& plan_;
  const SqlRegistry& registry_;
  std::string_view text_;
  SqlSettings settings_;
  const std::byte* stack_base_;
  std::vector<TypeOid> parameters_;
  std::uint32_t first_outer_slot_ = 0;
  std::uint32_t outer_slots_ = 0;
  std::uint32_t next_column_id_ = 0;
  std::vector<TableInfoRef> tables_;
  std::vector<RelationLock> locks_;
};

// "name", for messages: nothing is doubled.
std::string quoted(std::string_view name);

}  // namespace coppice::planner
