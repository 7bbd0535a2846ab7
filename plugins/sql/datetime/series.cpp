// series.cpp — generate_series over timestamps.
//
// Source:   PostgreSQL 15, generate_series_timestamp().
#include "interfaces/sql_kernels.h"
#include "interfaces/types/sql_error.h"
#include "plugins/sql/datetime/moments.h"
#include "plugins/sql/datetime/parts.h"
#include "plugins/sql/datetime/zone_table.h"

namespace coppice::sql_datetime {
namespace {

class TimestampSeries final : public SetProducer {
 public:
  // `zone`: where days and months are counted; null for local times.
  TimestampSeries(std::int64_t next, std::int64_t stop, Interval step, ZoneRef zone)
      : next_(next),
        stop_(stop),
        step_(step),
        ascending_(span_of(step) > 0),
        zone_(std::move(zone)) {}

  Result<bool> next(std::span<VectorBuffer> out) override {
    std::uint32_t rows = 0;
    for (; rows < kVectorRows && (ascending_ ? next_ <= stop_ : next_ >= stop_); ++rows) {
      *out[0].append_values<std::int64_t>(1) = next_;
      next_ = COPPICE_TRY(add_to_timestamp(next_, step_, zone_.get()));
    }
    return rows > 0;
  }

 private:
  std::int64_t next_, stop_;
  Interval step_;
  bool ascending_;
  ZoneRef zone_;
};

Result<std::unique_ptr<SetProducer>> series(std::span<const Datum> arguments, ZoneRef zone) {
  for (const Datum& argument : arguments)
    if (argument.null) return std::make_unique<TimestampSeries>(1, 0, Interval{0, 1, 0}, nullptr);
  const Interval step = interval_of(arguments[2].bits);
  if (span_of(step) == 0) return std::unexpected(sql_error("22023", "step size cannot equal zero"));
  return std::make_unique<TimestampSeries>(arguments[0].as_int(), arguments[1].as_int(), step,
                                           std::move(zone));
}

Result<std::unique_ptr<SetProducer>> local_series(CallContext&, std::span<const Datum> arguments) {
  return series(arguments, nullptr);
}
Result<std::unique_ptr<SetProducer>> zoned_series(CallContext& context,
                                                  std::span<const Datum> arguments) {
  return series(arguments, session_zone(context.settings().time_zone));
}

void add_one(SqlRegistry& registry, FunctionOid oid, TypeOid type, SetKernel kernel,
             Volatility volatility) {
  SqlFunction function;
  function.oid = oid;
  function.name = "generate_series";
  function.arguments = {type, type, type_oid::kInterval};
  function.result = type;
  function.volatility = volatility;
  function.set_kernel = kernel;
  registry.add(std::move(function));
}

}  // namespace

void add_series(SqlRegistry& registry) {
  add_one(registry, 938, type_oid::kTimestamp, local_series, Volatility::kImmutable);
  add_one(registry, 939, type_oid::kTimestamptz, zoned_series, Volatility::kStable);
}

}  // namespace coppice::sql_datetime
