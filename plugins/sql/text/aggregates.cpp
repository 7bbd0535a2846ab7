// aggregates.cpp — min and max of texts, string_agg.
#include "interfaces/sql_call.h"
#include "interfaces/sql_extremes.h"
#include "interfaces/sql_rows.h"
#include "interfaces/types/sql_error.h"
#include "plugins/sql/text/parts.h"
#include "plugins/sql/text/text_length.h"

namespace coppice::sql_text {
namespace {

using type_oid::kBpchar;
using type_oid::kBytea;
using type_oid::kText;

struct PaddedLess {
  static bool apply(std::string_view a, std::string_view b) {
    return without_padding(a) < without_padding(b);
  }
};
struct PaddedGreater {
  static bool apply(std::string_view a, std::string_view b) {
    return without_padding(b) < without_padding(a);
  }
};

// string_agg(value, delimiter): a NULL value counts for nothing, a NULL delimiter is empty.
class StringAgg final : public GroupStates<Extreme<std::string>> {
 public:
  Status update(std::span<const Vector> arguments, const Selection& rows,
                std::span<const std::uint32_t> groups) override {
    // Nothing is added past a bound: a batch of one long constant is a thousand times as long.
    bool too_long = false;
    std::size_t added = 0;
    each_value(arguments[0], rows, groups, [&](Extreme<std::string>& state, std::uint32_t row) {
      if (too_long || added > kBatchBytesMax) return;
      const std::size_t before = state.value.size();
      if (state.any && !arguments[1].is_null(row))
        state.value.append(as_text(arguments[1].bytes_at(row)));
      state.value.append(as_text(arguments[0].bytes_at(row)));
      state.any = true;
      added += state.value.size() - before;
      too_long = state.value.size() > kValueBytesMax;
    });
    heap_bytes_ += added;
    if (too_long)
      return std::unexpected(
          sql_error(sqlstate::kProgramLimitExceeded, "string_agg: result is too long"));
    if (added > kBatchBytesMax)
      return std::unexpected(
          sql_error(sqlstate::kOutOfMemory, "out of memory")
              .note(sql_field::kDetail, "What one batch of rows adds is too large."));
    return {};
  }
  Status finish(std::uint32_t first, std::uint32_t count, VectorBuffer& out) override {
    for (std::uint32_t i = first; i < first + count; ++i) {
      if (group(i).any)
        out.append_bytes(as_bytes(group(i).value));
      else
        out.append_null();
    }
    return {};
  }
  std::uint64_t memory_bytes() const override {
    return GroupStates<Extreme<std::string>>::memory_bytes() + heap_bytes_;
  }

 private:
  std::uint64_t heap_bytes_ = 0;
};

constexpr std::array kAggregates = {
    AggregateRow{2145, "min", kText, kText, make_state<BytesExtreme<Less>>},
    AggregateRow{2129, "max", kText, kText, make_state<BytesExtreme<Greater>>},
    AggregateRow{2245, "min", kBpchar, kBpchar, make_state<BytesExtreme<PaddedLess>>},
    AggregateRow{2244, "max", kBpchar, kBpchar, make_state<BytesExtreme<PaddedGreater>>},
};

void add_string_agg(SqlRegistry& registry, FunctionOid oid, TypeOid type) {
  SqlAggregate aggregate;
  aggregate.oid = oid;
  aggregate.name = "string_agg";
  aggregate.arguments = {type, type};
  aggregate.result = type;
  aggregate.make = make_state<StringAgg>;
  registry.add(std::move(aggregate));
}

}  // namespace

void add_aggregates(SqlRegistry& registry) {
  add_rows(registry, std::span<const AggregateRow>(kAggregates));
  add_string_agg(registry, 3538, kText);
  add_string_agg(registry, 3545, kBytea);
}

}  // namespace coppice::sql_text
