// replay.cpp — evaluates one question at a time, without a binder or an executor.
#include "tests/plugins/sql/replay.h"

#include <doctest/doctest.h>

#include <array>
#include <charconv>
#include <fstream>

#include "interfaces/types/sql_error.h"
#include "plugins/sql/catalog/catalog_pack.h"
#include "plugins/sql/core/core_pack.h"
#include "plugins/sql/datetime/datetime_pack.h"
#include "plugins/sql/numeric/numeric_pack.h"
#include "plugins/sql/regex/regex_pack.h"
#include "plugins/sql/text/text_pack.h"

namespace coppice::sql_test {
namespace {

constexpr std::size_t kShownMax = 25;  // differences printed of one file

std::string error_text(const Error& error) {
  return "! " + std::string(sqlstate_of(error)) + " " + error.message();
}

std::string unescape(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out.push_back(text[i]);
      continue;
    }
    const char c = text[++i];
    out.push_back(c == 't' ? '\t' : c == 'n' ? '\n' : c == 'r' ? '\r' : c);
  }
  return out;
}

std::vector<std::string_view> split(std::string_view text, char by) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0;;) {
    const std::size_t end = text.find(by, at);
    parts.push_back(text.substr(at, end - at));
    if (end == std::string_view::npos) return parts;
    at = end + 1;
  }
}

std::string hex(ByteView bytes) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (const std::byte byte : bytes) {
    out.push_back(kDigits[static_cast<std::size_t>(byte) >> 4]);
    out.push_back(kDigits[static_cast<std::size_t>(byte) & 15]);
  }
  return out;
}

Result<std::string> format_one(const SqlType& type, const Vector& vector, const Selection& rows,
                               WireForm form, const SqlSettings& settings) {
  FormattedColumn column;
  COPPICE_TRY(type.format(form, vector, rows, settings, column));
  REQUIRE(column.ends.size() == 1);
  if (column.ends[0] < 0) return "null";
  const std::string body(as_text(column.bytes));
  return form == WireForm::kText ? "= " + body : hex(column.bytes);
}

Status parse_into(const TypedText& value, const SqlSettings& settings, VectorBuffer& out) {
  if (!value.text) {
    out.append_null();
    return {};
  }
  return value.type->parse(WireForm::kText, as_bytes(*value.text), -1, settings, out);
}

// As the binder sees it, without casts.
bool accepts(TypeOid wanted, const SqlType& given) {
  if (wanted == type_oid::kAnyarray) return given.info().element != 0;
  return wanted == type_oid::kAny || wanted == given.info().oid;
}

Selection only_row(std::uint32_t row, std::uint32_t rows) {
  Selection::Mask mask{};
  mask[0] = std::uint64_t{1} << row;
  return Selection::from_mask(mask, rows);
}

}  // namespace

std::optional<std::string> TestContext::ask(std::string_view question, std::span<const Datum>) {
  if (question == "current_database") return "testdb";
  if (question == "current_user") return "postgres";
  return {};
}

std::unique_ptr<SqlRegistry> full_registry() {
  auto registry = std::make_unique<SqlRegistry>();
  const sql_core::CorePack core;
  const sql_datetime::DatetimePack datetime;
  const sql_numeric::NumericPack numeric;
  const sql_regex::RegexPack regex;
  const sql_text::TextPack text;
  const sql_catalog::CatalogPack catalog;  // last: arrays of all types before it
  const std::vector<const SqlPack*> packs = {&core, &datetime, &numeric, &regex, &text, &catalog};
  for (const SqlPack* const pack : packs) pack->add_types(*registry);
  for (const SqlPack* const pack : packs) pack->add_functions(*registry);
  return registry;
}

std::string Evaluator::input(const SqlType& type, std::int32_t modifier, std::string_view text) {
  const SqlSettings& settings = context_.settings();
  VectorBuffer values(type.info().physical);
  if (const Status parsed = type.parse(WireForm::kText, as_bytes(text), modifier, settings, values);
      !parsed)
    return error_text(parsed.error());
  REQUIRE(values.size() == 1);
  const Selection all = Selection::all(1);
  const auto out = format_one(type, values.view(), all, WireForm::kText, settings);
  FormattedColumn binary;
  if (const Status sent = type.format(WireForm::kBinary, values.view(), all, settings, binary);
      !sent)
    return error_text(sent.error());

  VectorBuffer received(type.info().physical);  // and back
  const Status back = type.parse(WireForm::kBinary, binary.bytes, -1, settings, received);
  REQUIRE(back);
  CHECK(received.view().datum_at(0) == values.view().datum_at(0));
  if (!out) return error_text(out.error());
  return *out + " " + hex(binary.bytes);
}

const SqlFunction* Evaluator::find(std::string_view name,
                                   const std::vector<TypedText>& arguments) const {
  if (name.starts_with("pg_catalog.")) name.remove_prefix(11);
  for (const SqlFunction* const candidate : registry_.functions(name)) {
    if (candidate->variadic ? arguments.size() < candidate->arguments.size()
                            : arguments.size() != candidate->arguments.size())
      continue;
    bool fits = true;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const TypeOid wanted = candidate->arguments[std::min(i, candidate->arguments.size() - 1)];
      fits &= accepts(wanted, *arguments[i].type);
    }
    if (fits) return candidate;
  }
  return nullptr;
}

std::string Evaluator::call(const SqlFunction& function, const std::vector<TypedText>& arguments,
                            const SqlType* as) {
  const bool same = function.result == type_oid::kAnyarray;  // as the argument
  const SqlType* const result = as != nullptr ? as
                                : same        ? arguments[0].type
                                              : registry_.find_type(function.result);
  if (result == nullptr) return "no such result type";
  REQUIRE(result->info().physical == registry_.find_type(function.result)->info().physical);
  std::vector<VectorBuffer> singles, triples;
  bool null = false;
  for (const TypedText& argument : arguments) {
    null |= !argument.text.has_value();
    VectorBuffer& one = singles.emplace_back(argument.type->info().physical);
    if (const Status parsed = parse_into(argument, context_.settings(), one); !parsed)
      return error_text(parsed.error());
    VectorBuffer& three = triples.emplace_back(argument.type->info().physical);
    three.append_null();
    three.append(one.view().datum_at(0));
    three.append_null();
  }
  if (null && function.strict) return "null";

  std::vector<Vector> constants, flats;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    constants.push_back(Vector::constant(singles[i].view().datum_at(0), 1));
    flats.push_back(triples[i].view());
  }
  const auto evaluate = [&](std::span<const Vector> vectors, const Selection& rows,
                            std::uint32_t size) -> std::string {
    VectorBuffer out(result->info().physical);
    if (const Status done = function.kernel(context_, vectors, rows, size, out); !done)
      return error_text(done.error());
    REQUIRE(out.size() == size);
    const auto text = format_one(*result, out.view(), rows, WireForm::kText, context_.settings());
    return text ? *text : error_text(text.error());
  };
  const std::string answer = evaluate(constants, Selection::all(1), 1);
  const std::string again = evaluate(flats, only_row(1, 3), 3);
  if (function.volatility != Volatility::kVolatile) CHECK(again == answer);
  return answer;
}

std::string Evaluator::rows(const SqlFunction& function, const std::vector<TypedText>& arguments) {
  const SqlType& result = *registry_.find_type(function.result);
  std::vector<VectorBuffer> values;
  std::vector<Datum> datums;
  for (const TypedText& argument : arguments) {
    VectorBuffer& one = values.emplace_back(argument.type->info().physical);
    if (const Status parsed = parse_into(argument, context_.settings(), one); !parsed)
      return error_text(parsed.error());
    datums.push_back(one.view().datum_at(0));
  }
  const auto producer = function.set_kernel(context_, datums);
  if (!producer) return error_text(producer.error());
  std::string all;
  for (bool more = true; more;) {
    std::array<VectorBuffer, 1> batch = {VectorBuffer(result.info().physical)};
    const Result<bool> next = (*producer)->next(batch);
    if (!next) return error_text(next.error());
    more = *next;
    const Vector vector = batch[0].view();
    REQUIRE(vector.size() <= kVectorRows);
    REQUIRE((vector.size() != 0) == more);
    FormattedColumn column;
    REQUIRE(result.format(WireForm::kText, vector, Selection::all(vector.size()),
                          context_.settings(), column));
    std::int64_t from = 0;
    for (const std::int64_t end : column.ends) {
      const auto at = static_cast<std::size_t>(from), size = static_cast<std::size_t>(end - from);
      all += (all.empty() ? "" : ",") + std::string(as_text(column.bytes).substr(at, size));
      from = end;
    }
  }
  return all.empty() ? "null" : "= " + all;
}

std::string Evaluator::cast(const SqlType& to, const TypedText& value) {
  const SqlCast* const cast = registry_.find_cast(value.type->info().oid, to.info().oid);
  if (cast == nullptr) return "no such cast";
  if (cast->function == nullptr) {  // binary-coercible: the same vector under another type
    REQUIRE(to.info().physical == value.type->info().physical);
    VectorBuffer values(to.info().physical);
    if (const Status parsed = parse_into(value, context_.settings(), values); !parsed)
      return error_text(parsed.error());
    const auto text =
        format_one(to, values.view(), Selection::all(1), WireForm::kText, context_.settings());
    return text ? *text : error_text(text.error());
  }
  return call(*cast->function, {value}, &to);
}

std::string Evaluator::aggregate(const SqlAggregate& aggregate,
                                 const std::vector<TypedText>& values) {
  const SqlType* const result = registry_.find_type(aggregate.result);
  if (result == nullptr) return "no such result type";
  VectorBuffer column(values[0].type->info().physical);
  for (const TypedText& value : values)
    if (const Status parsed = parse_into(value, context_.settings(), column); !parsed)
      return error_text(parsed.error());
  const std::vector<Vector> arguments = {column.view()};
  const auto rows = static_cast<std::uint32_t>(values.size());
  const auto evaluate = [&](std::uint32_t group_count) -> std::string {
    const std::unique_ptr<AggregateState> state = aggregate.make(context_);
    state->resize(group_count);
    const std::vector<std::uint32_t> groups(rows, group_count - 1);
    if (const Status done = state->update(arguments, Selection::all(rows), groups); !done)
      return error_text(done.error());
    VectorBuffer out(result->info().physical);
    if (const Status done = state->finish(group_count - 1, 1, out); !done)
      return error_text(done.error());
    const auto text =
        format_one(*result, out.view(), Selection::all(1), WireForm::kText, context_.settings());
    return text ? *text : error_text(text.error());
  };
  const std::string answer = evaluate(1);
  CHECK(evaluate(3) == answer);
  return answer;
}

namespace {

std::string answer_of(const SqlRegistry& registry, Evaluator& evaluator,
                      const std::vector<std::string_view>& fields) {
  if (fields[0] == "setting") {
    SqlSettings& settings = evaluator.context().values;
    (fields[1] == "timezone" ? settings.time_zone : settings.date_style) = fields[4];
    return "set";
  }
  std::vector<TypedText> values;
  std::vector<const SqlType*> types;
  if (!fields[2].empty())
    for (const std::string_view name : split(fields[2], ','))
      types.push_back(registry.find_type(name));
  for (const SqlType* const type : types)
    if (type == nullptr) return "no such type";
  for (std::size_t i = 4; i < fields.size() && !types.empty(); ++i) {
    TypedText& value = values.emplace_back(TypedText{types[std::min(i - 4, types.size() - 1)], {}});
    if (fields[i] != "\\N") value.text = unescape(fields[i]);
  }
  if (fields[0] == "in") {
    std::int32_t modifier = 0;
    std::from_chars(fields[4].data(), fields[4].data() + fields[4].size(), modifier);
    return evaluator.input(*types[0], modifier, unescape(fields[5]));
  }
  if (fields[0] == "cast") return evaluator.cast(*types[1], values[0]);
  if (fields[0] == "op") {
    for (const SqlOperator* const op : registry.operators(fields[1])) {
      const bool left = types.size() == 2 ? accepts(op->left, *types[0]) : op->left == 0;
      if (left && accepts(op->right, *types.back())) return evaluator.call(*op->function, values);
    }
    return "no such operator";
  }
  if (fields[0] == "agg") {
    for (const SqlAggregate* const candidate : registry.aggregates(fields[1]))
      if (candidate->arguments.size() == 1 && (candidate->arguments[0] == types[0]->info().oid ||
                                               candidate->arguments[0] == type_oid::kAny))
        return evaluator.aggregate(*candidate, values);
    return "no such aggregate";
  }
  const SqlFunction* const function = evaluator.find(fields[1], values);
  if (function != nullptr && fields[0] == "set") return evaluator.rows(*function, values);
  return function == nullptr ? "no such function" : evaluator.call(*function, values);
}

}  // namespace

std::size_t replay(const SqlRegistry& registry, std::string_view path) {
  std::ifstream file{std::string(path)};
  REQUIRE(file.good());
  Evaluator evaluator(registry);
  std::size_t questions = 0, different = 0;
  std::string shown, line;
  while (std::getline(file, line)) {
    ++questions;
    const std::vector<std::string_view> fields = split(line, '\t');
    REQUIRE(fields.size() >= 4);
    const std::string answer = answer_of(registry, evaluator, fields);
    const std::string wanted = unescape(fields[3]);
    if (answer == wanted) continue;
    if (++different <= kShownMax) shown += "\n" + line + "\n  gives " + answer;
  }
  CHECK_MESSAGE(different == 0, different, " of ", questions, " answers differ:", shown);
  return questions;
}

}  // namespace coppice::sql_test
