// execution.cpp — parameters and look-ups.
#include "modules/executor/execution.h"

#include <algorithm>

#include "interfaces/types/sql_error.h"

namespace coppice::executor {

Execution::Execution(Engine& engine, const SqlRegistry& registry, const ExecuteContext& context,
                     std::size_t parameters, std::size_t slots)
    : engine_(engine),
      registry_(registry),
      context_(context),
      parameters_(std::max(parameters, context.parameters.size())) {
  slots_.assign(context.parameters.begin(), context.parameters.end());
  slots_.resize(std::max(slots, parameters_));
}

Result<const SqlType*> Execution::type(TypeOid oid) const {
  if (const SqlType* const found = registry_.find_type(oid)) return found;
  return std::unexpected(sql_error(sqlstate::kFeatureNotSupported,
                                   "type with OID " + std::to_string(oid) + " is not supported"));
}

Result<PhysicalType> Execution::physical(TypeOid oid) const {
  const SqlType* const found = COPPICE_TRY(type(oid));
  return found->info().physical;
}

Result<std::vector<PhysicalType>> Execution::physicals(std::span<const TypeOid> oids) const {
  std::vector<PhysicalType> types;
  for (const TypeOid oid : oids) {
    const PhysicalType one = COPPICE_TRY(physical(oid));
    types.push_back(one);
  }
  return types;
}

Status Execution::enter(unsigned levels) {
  levels_ += levels;
  if (levels_ <= kLevelsMax) return {};
  return std::unexpected(sql_error(sqlstate::kStatementTooComplex, "stack depth limit exceeded"));
}

Datum Execution::slot(std::uint32_t ordinal, PhysicalType type) const {
  if (ordinal >= slots_.size() || slots_[ordinal].null) return Datum::null_of(type);
  return slots_[ordinal].datum();
}

void Execution::set_slot(std::uint32_t ordinal, const Datum& value) {
  if (ordinal >= slots_.size()) slots_.resize(ordinal + std::size_t{1});
  slots_[ordinal] = Value(value);
  ++slots_version_;
}

std::unexpected<Error> bad_plan(std::string_view what) {
  return fail(Code::kInternal, "executor: " + std::string(what));
}

}  // namespace coppice::executor
