// answers.h — kernels whose result is what the running statement answers to a question.
#pragma once

#include <algorithm>

#include "interfaces/sql_pack.h"

namespace coppice::sql_catalog {

// The text of a question as a template argument: the name of the SQL function.
template <std::size_t N>
struct Question {
  char text[N] = {};
  consteval Question(const char (&from)[N]) { std::copy_n(from, N, text); }
  constexpr std::string_view view() const { return {text, N - 1}; }
};

// No answer: NULL. Answers are texts; booleans are "t" and "f", numbers are decimal.
Status answer_rows(CallContext& context, std::string_view question,
                   std::span<const Vector> arguments, const Selection& rows, std::uint32_t size,
                   VectorBuffer& out);
template <Question kQuestion>
Status answer_kernel(CallContext& context, std::span<const Vector> arguments, const Selection& rows,
                     std::uint32_t size, VectorBuffer& out) {
  return answer_rows(context, kQuestion.view(), arguments, rows, size, out);
}

// An answer as a value of a physical type. NULL for what is no number where one is due.
Datum answer_datum(PhysicalType type, std::string_view answer);

// visit(row) -> Result<Datum> for every selected row; the other rows become NULL.
template <class Visit>
Status each_datum(const Selection& rows, std::uint32_t size, VectorBuffer& out, Visit visit) {
  Status status;
  std::uint32_t done = 0;
  rows.for_each([&](std::uint32_t row) {
    if (!status) return;
    for (; done < row; ++done) out.append_null();
    Result<Datum> value = visit(row);
    if (!value) {
      status = std::unexpected(std::move(value.error()));
      return;
    }
    out.append(*value);
    ++done;
  });
  for (; status && done < size; ++done) out.append_null();
  return status;
}

}  // namespace coppice::sql_catalog
