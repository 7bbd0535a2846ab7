// series.cpp — generate_series over numeric.
#include "interfaces/sql_kernels.h"
#include "interfaces/types/sql_error.h"
#include "plugins/sql/numeric/arithmetic.h"
#include "plugins/sql/numeric/number.h"
#include "plugins/sql/numeric/parts.h"

namespace coppice::sql_numeric {
namespace {

class NumericSeries final : public SetProducer {
 public:
  NumericSeries() : done_(true) {}
  NumericSeries(Number next, Number stop, Number step)
      : next_(std::move(next)), stop_(std::move(stop)), step_(std::move(step)) {}

  Result<bool> next(std::span<VectorBuffer> out) override {
    std::uint32_t count = 0;
    std::string bytes;
    for (; count < kVectorRows && !finished(); ++count) {
      bytes.clear();
      COPPICE_TRY(store(next_, bytes));
      out[0].append_bytes(as_bytes(bytes));
      next_ = add(next_, step_);
    }
    return count != 0;
  }

 private:
  bool finished() {
    const int order = done_ ? 0 : compare(next_, stop_);
    done_ = done_ || (step_.negative ? order < 0 : order > 0);
    return done_;
  }

  Number next_, stop_, step_;
  bool done_ = false;
};

Result<Number> finite_argument(const Datum& argument, std::string_view what) {
  Number value;
  load(argument.bytes, value);
  if (value.finite()) return value;
  return std::unexpected(
      sql_error("22023", std::string(what) + " cannot be " + (value.nan() ? "NaN" : "infinity")));
}

// generate_series(start, stop [, step])
Result<std::unique_ptr<SetProducer>> generate_series(CallContext&,
                                                     std::span<const Datum> arguments) {
  for (const Datum& argument : arguments)
    if (argument.null) return std::make_unique<NumericSeries>();
  Number start = COPPICE_TRY(finite_argument(arguments[0], "start value"));
  Number stop = COPPICE_TRY(finite_argument(arguments[1], "stop value"));
  Number step = number_of(1);
  if (arguments.size() == 3) step = COPPICE_TRY(finite_argument(arguments[2], "step size"));
  if (step.zero()) return std::unexpected(sql_error("22023", "step size cannot equal zero"));
  return std::make_unique<NumericSeries>(std::move(start), std::move(stop), std::move(step));
}

void add_one(SqlRegistry& registry, FunctionOid oid, std::size_t arguments) {
  SqlFunction function;
  function.oid = oid;
  function.name = "generate_series";
  function.arguments.assign(arguments, type_oid::kNumeric);
  function.result = type_oid::kNumeric;
  function.set_kernel = generate_series;
  registry.add(std::move(function));
}

}  // namespace

void add_series(SqlRegistry& registry) {
  add_one(registry, 3259, 3);
  add_one(registry, 3260, 2);
}

}  // namespace coppice::sql_numeric
