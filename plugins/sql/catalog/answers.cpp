// answers.cpp — one question per row.
#include "plugins/sql/catalog/answers.h"

#include <charconv>

namespace coppice::sql_catalog {

Datum answer_datum(PhysicalType type, std::string_view answer) {
  if (is_bytes(type)) return Datum::of(as_bytes(answer));
  if (type == PhysicalType::kBool) return Datum::integer(type, answer == "t" ? 1 : 0);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(answer.data(), answer.data() + answer.size(), number);
  if (error != std::errc() || end != answer.data() + answer.size()) return Datum::null_of(type);
  if (type == PhysicalType::kInt32) number = static_cast<std::int32_t>(number);  // oids above 2^31
  return Datum::integer(type, number);
}

Status answer_rows(CallContext& context, std::string_view question,
                   std::span<const Vector> arguments, const Selection& rows, std::uint32_t size,
                   VectorBuffer& out) {
  std::vector<Datum> values(arguments.size());
  std::optional<std::string> answer;
  return each_datum(rows, size, out, [&](std::uint32_t row) -> Result<Datum> {
    for (std::size_t i = 0; i < arguments.size(); ++i) values[i] = arguments[i].datum_at(row);
    answer = context.ask(question, values);
    return answer ? answer_datum(out.type(), *answer) : Datum::null_of(out.type());
  });
}

}  // namespace coppice::sql_catalog
