// execution.h — what all operators and evaluators of one statement share.
//
// Role:     the transaction, the parameters with subplans' outer values behind them, the type
//           look-ups.
// Owns:     the values of the parameter slots.
// Threads:  one fiber.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "interfaces/executor.h"

namespace coppice::executor {

// AddressSanitizer's frames are several times as large.
#if defined(__SANITIZE_ADDRESS__)
#define COPPICE_LARGE_FRAMES 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define COPPICE_LARGE_FRAMES 1
#endif
#endif

// Levels of operators and expressions below one another, as they stand on the stack, each about 200
// bytes; operators and subqueries count as several.
#ifdef COPPICE_LARGE_FRAMES
inline constexpr unsigned kLevelsMax = 240;
#else
inline constexpr unsigned kLevelsMax = kExpressionDepthMax + 200;
#endif
inline constexpr unsigned kOperatorLevels = 4;
inline constexpr unsigned kSubqueryLevels = 40;

class Execution {
 public:
  // `parameters`: of the statement; the slots behind them are for subplans' outer values.
  Execution(Engine& engine, const SqlRegistry& registry, const ExecuteContext& context,
            std::size_t parameters, std::size_t slots);
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;

  Engine& engine() { return engine_; }
  const SqlRegistry& registry() const { return registry_; }
  Transaction& txn() { return *context_.txn; }
  const ExecuteContext& context() const { return context_; }
  CallContext& calls() { return *context_.calls; }
  const SqlSettings& settings() const { return context_.calls->settings(); }
  Budget* budget() const { return context_.budget; }
  void charge(Resource what, std::uint64_t amount) {
    if (context_.meter != nullptr) context_.meter->charge(what, amount);
  }

  // 0A000 for a type that no pack has.
  Result<const SqlType*> type(TypeOid oid) const;
  Result<PhysicalType> physical(TypeOid oid) const;
  Result<std::vector<PhysicalType>> physicals(std::span<const TypeOid> oids) const;

  // While operators and evaluators are made: how deep this one is. 54001. After an error nothing
  // more
  // is made, so only success needs to leave().
  Status enter(unsigned levels);
  void leave(unsigned levels) { levels_ -= levels; }

  // Null for a slot that nobody filled.
  Datum slot(std::uint32_t ordinal, PhysicalType type) const;
  std::size_t parameters() const { return parameters_; }
  void set_slot(std::uint32_t ordinal, const Datum& value);
  // Moves on when any slot changes: what was worked out from constants and parameters holds as
  // long
  // as it stays.
  std::uint64_t slots_version() const { return slots_version_; }

  // Which run of the statement this is: a run on a new snapshot shares nothing with the one
  // before.
  std::uint64_t generation() const { return generation_; }
  void start_over() { ++generation_; }

  std::uint64_t rows_affected = 0;
  std::vector<OperatorStats> stats;  // in order of creation, by Operator

 private:
  Engine& engine_;
  const SqlRegistry& registry_;
  const ExecuteContext context_;
  const std::size_t parameters_;
  std::vector<Value> slots_;
  std::uint64_t slots_version_ = 1;
  std::uint64_t generation_ = 1;
  unsigned levels_ = 0;
};

// A plan that does not fit together: a bug of whoever made it.
std::unexpected<Error> bad_plan(std::string_view what);

}  // namespace coppice::executor
