// bind_context.cpp — errors with positions, parameters, tables.
#include "modules/planner/bind/bind_context.h"

#include <algorithm>
#include <utility>

namespace coppice::planner {

namespace {

constexpr int kParametersMax = 65535;
// Of a fiber's 256 KiB: what is below has room for the callers and for the kernels that fold
// constants.
constexpr std::ptrdiff_t kStackBytesMax = 144 * 1024;

// The highest $n that the text may hold; strings and comments count too.
std::uint32_t highest_parameter(std::string_view text) {
  std::uint32_t highest = 0;
  for (std::size_t at = text.find('$'); at != std::string_view::npos; at = text.find('$', at + 1)) {
    std::uint32_t number = 0;
    for (std::size_t i = at + 1; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i)
      number = std::min<std::uint32_t>(number * 10 + static_cast<std::uint32_t>(text[i] - '0'),
                                       kParametersMax + 1);
    if (number <= kParametersMax) highest = std::max(highest, number);
  }
  return highest;
}

}  // namespace

BindContext::BindContext(const PlanContext& plan, const SqlRegistry& registry,
                         std::string_view text)
    : plan_(plan),
      registry_(registry),
      text_(text),
      stack_base_(static_cast<const std::byte*>(__builtin_frame_address(0))),
      parameters_(plan.parameter_types.begin(), plan.parameter_types.end()) {
  if (plan.settings != nullptr) settings_ = *plan.settings;
  // Drivers declare "unknown" for what is to be inferred.
  std::replace(parameters_.begin(), parameters_.end(), type_oid::kUnknown, TypeOid{0});
  first_outer_slot_ =
      std::max(highest_parameter(text), static_cast<std::uint32_t>(parameters_.size()));
}

std::unexpected<Error> BindContext::error(ast::Location at, std::string_view sqlstate,
                                          std::string message) const {
  return std::unexpected(sql_error_at(text_, at, sqlstate, std::move(message)));
}

std::unexpected<Error> BindContext::error(ast::Location at, std::string_view sqlstate,
                                          std::string message, std::string hint) const {
  return std::unexpected(sql_error_at(text_, at, sqlstate, std::move(message))
                             .note(sql_field::kHint, std::move(hint)));
}

std::unexpected<Error> BindContext::unsupported(ast::Location at, std::string_view what) const {
  return error(at, sqlstate::kFeatureNotSupported, std::string(what) + " is not supported");
}

Error BindContext::located(Error error, ast::Location at) const {
  if (at < 0 || error.find_note(sql_field::kPosition) != nullptr) return error;
  const std::uint32_t position = position_of(text_, static_cast<std::size_t>(at));
  return std::move(error).note(sql_field::kPosition, std::to_string(position));
}

Status BindContext::check_depth() const {
  const auto* const here = static_cast<const std::byte*>(__builtin_frame_address(0));
  if (std::abs(stack_base_ - here) < kStackBytesMax) return {};
  return std::unexpected(
      sql_error(sqlstate::kStatementTooComplex, "stack depth limit exceeded")
          .note(sql_field::kHint, "Write the expression with fewer levels of nesting."));
}

std::string BindContext::type_text(TypeOid type, std::int32_t modifier) const {
  const SqlType* const known = registry_.find_type(type);
  return known == nullptr ? "???" : known->describe(modifier);
}

Result<TypeOid> BindContext::parameter_type(int number, ast::Location at) {
  if (number < 1 || number > kParametersMax)
    return error(at, "42P02", "there is no parameter $" + std::to_string(number));
  const auto index = static_cast<std::size_t>(number) - 1;
  if (index >= parameters_.size()) parameters_.resize(index + 1, TypeOid{0});
  return parameters_[index];
}

void BindContext::use_table(const TableInfoRef& table, RelationLock lock) {
  const auto same = [&](const TableInfoRef& known) { return known->oid == table->oid; };
  const auto found = std::find_if(tables_.begin(), tables_.end(), same);
  if (found == tables_.end()) {
    tables_.push_back(table);
    locks_.push_back(lock);
    return;
  }
  RelationLock& known = locks_[static_cast<std::size_t>(found - tables_.begin())];
  known = std::max(known, lock);
}

std::string quoted(std::string_view name) {
  return "\"" + std::string(name) + "\"";
}

}  // namespace coppice::planner
