// sql_pack.cpp — the registry that packs fill.
#include "interfaces/sql_pack.h"

#include <utility>

#include "interfaces/types/sql_error.h"
#include "kernel/base/assert.h"

namespace coppice {

namespace {

std::uint64_t cast_key(TypeOid from, TypeOid to) {
  return std::uint64_t{from} << 32 | to;
}

template <class Map>
auto names_in(const Map& map, std::string_view name) -> decltype(std::span(map.begin()->second)) {
  const auto found = map.find(std::string(name));
  if (found == map.end()) return {};
  return std::span(found->second);
}

}  // namespace

std::string SqlType::describe(std::int32_t) const {
  return info_.display_name;
}

Result<std::int32_t> SqlType::modifier_of(std::span<const std::int64_t> arguments) const {
  if (arguments.empty()) return -1;
  return std::unexpected(
      sql_error("42601", "type modifier is not allowed for type \"" + info_.name + "\""));
}

Status SqlType::unpack(ByteView, VectorBuffer&) const {
  return fail(Code::kInternal, info_.name + " is no array");
}

Status SqlType::pack(const Vector&, VectorBuffer&) const {
  return fail(Code::kInternal, info_.name + " is no array");
}

const SqlType* SqlRegistry::add(std::unique_ptr<SqlType> type) {
  const SqlType* const added = types_.emplace_back(std::move(type)).get();
  const bool fresh = type_by_oid_.emplace(added->info().oid, added).second;
  COPPICE_ASSERT(fresh);
  type_by_name_.emplace(added->info().name, added);
  type_list_.push_back(added);
  return added;
}

const SqlFunction* SqlRegistry::add(SqlFunction function) {
  COPPICE_ASSERT((function.kernel != nullptr) != (function.set_kernel != nullptr));
  const SqlFunction* const added =
      functions_.emplace_back(std::make_unique<SqlFunction>(std::move(function))).get();
  const bool fresh = function_by_oid_.emplace(added->oid, added).second;
  COPPICE_ASSERT(fresh);
  functions_by_name_[added->name].push_back(added);
  function_list_.push_back(added);
  return added;
}

void SqlRegistry::add(SqlOperator op) {
  COPPICE_ASSERT(op.function != nullptr);
  const SqlOperator* const added =
      operators_.emplace_back(std::make_unique<SqlOperator>(std::move(op))).get();
  operators_by_name_[added->name].push_back(added);
  operator_list_.push_back(added);
}

void SqlRegistry::add(SqlCast cast) {
  const SqlCast* const added = casts_.emplace_back(std::make_unique<SqlCast>(cast)).get();
  const bool fresh = cast_by_types_.emplace(cast_key(added->from, added->to), added).second;
  COPPICE_ASSERT(fresh);
  cast_list_.push_back(added);
}

void SqlRegistry::add(SqlAggregate aggregate) {
  COPPICE_ASSERT(aggregate.make != nullptr);
  const SqlAggregate* const added =
      aggregates_.emplace_back(std::make_unique<SqlAggregate>(std::move(aggregate))).get();
  aggregates_by_name_[added->name].push_back(added);
  aggregate_list_.push_back(added);
}

void SqlRegistry::alias(std::string name, TypeOid type) {
  const SqlType* const target = find_type(type);
  COPPICE_ASSERT(target != nullptr);
  type_by_name_.emplace(std::move(name), target);
}

const SqlType* SqlRegistry::find_type(TypeOid oid) const {
  const auto found = type_by_oid_.find(oid);
  return found == type_by_oid_.end() ? nullptr : found->second;
}

const SqlType* SqlRegistry::find_type(std::string_view name) const {
  const auto found = type_by_name_.find(std::string(name));
  return found == type_by_name_.end() ? nullptr : found->second;
}

std::span<const SqlFunction* const> SqlRegistry::functions(std::string_view name) const {
  return names_in(functions_by_name_, name);
}

const SqlFunction* SqlRegistry::find_function(FunctionOid oid) const {
  const auto found = function_by_oid_.find(oid);
  return found == function_by_oid_.end() ? nullptr : found->second;
}

std::span<const SqlOperator* const> SqlRegistry::operators(std::string_view name) const {
  return names_in(operators_by_name_, name);
}

std::span<const SqlAggregate* const> SqlRegistry::aggregates(std::string_view name) const {
  return names_in(aggregates_by_name_, name);
}

const SqlCast* SqlRegistry::find_cast(TypeOid from, TypeOid to) const {
  const auto found = cast_by_types_.find(cast_key(from, to));
  return found == cast_by_types_.end() ? nullptr : found->second;
}

}  // namespace coppice
