// catalog_pack_test.cpp — the pack gives PostgreSQL's answers, and asks for what it cannot know.
#include <doctest/doctest.h>

#include "interfaces/types/sql_error.h"
#include "tests/plugins/sql/replay.h"

namespace coppice::sql_test {
namespace {

// Knows one relation, one setting and two schemas.
class AskingContext final : public CallContext {
 public:
  explicit AskingContext(const SqlRegistry& registry) : registry_(registry) {
    settings_.calls = this;
  }
  const SqlSettings& settings() const override { return settings_; }
  WallTime transaction_start() const override { return {}; }
  WallTime statement_start() const override { return {}; }
  WallTime clock_now() const override { return {}; }
  Rng& random() override { return random_; }
  const SqlRegistry* registry() const override { return &registry_; }
  std::optional<std::string> ask(std::string_view question,
                                 std::span<const Datum> arguments) override {
    if (question == "regclassin" && as_text(arguments[0].bytes) == "t") return "4000000000";
    if (question == "regclassout" && arguments[0].as_int() == 4'000'000'000) return "public.t";
    if (question == "current_setting" && as_text(arguments[0].bytes) == "jit") return "off";
    if (question == "current_schemas")
      return arguments[0].as_int() != 0 ? "{pg_catalog,public}" : "{public}";
    if (question == "pg_get_indexdef") return std::to_string(arguments.size()) + " arguments";
    return std::nullopt;
  }

 private:
  const SqlRegistry& registry_;
  SqlSettings settings_;
  Rng random_{1};
};

std::string text_of(const SqlType& type, const Vector& value, const SqlSettings& settings) {
  FormattedColumn out;
  const Status written = type.format(WireForm::kText, value, Selection::all(1), settings, out);
  REQUIRE(written);
  return out.ends.at(0) < 0 ? "NULL" : std::string(as_text(out.bytes));
}

// type -> text -> type's text; "SQLSTATE message" where it fails.
std::string through(const SqlType& type, std::string_view text, const SqlSettings& settings) {
  VectorBuffer value(type.info().physical);
  const Status read = type.parse(WireForm::kText, as_bytes(text), -1, settings, value);
  if (!read) return std::string(sqlstate_of(read.error())) + " " + read.error().message();
  return text_of(type, value.view(), settings);
}

const SqlFunction& function(const SqlRegistry& registry, FunctionOid oid) {
  const SqlFunction* const found = registry.find_function(oid);
  REQUIRE(found != nullptr);
  return *found;
}

std::string call(AskingContext& context, FunctionOid oid, std::vector<Vector> arguments) {
  const SqlFunction& called = function(*context.registry(), oid);
  const SqlType& type = *context.registry()->find_type(called.result);
  VectorBuffer out(type.info().physical);
  const Status done = called.kernel(context, arguments, Selection::all(1), 1, out);
  if (!done) return std::string(sqlstate_of(done.error())) + " " + done.error().message();
  return text_of(type, out.view(), context.settings());
}

Vector bytes(std::string_view text) {
  return Vector::constant(Datum::of(as_bytes(text)), 1);
}

std::string rows_of(AskingContext& context, FunctionOid oid, std::vector<Datum> arguments,
                    const SqlType& type) {
  auto producer = function(*context.registry(), oid).set_kernel(context, arguments);
  REQUIRE(producer);
  std::string all;
  for (;;) {
    std::vector<VectorBuffer> out;
    out.emplace_back(type.info().physical);
    const Result<bool> more = (*producer)->next(out);
    REQUIRE(more);
    if (!*more) return all;
    FormattedColumn formatted;
    REQUIRE(type.format(WireForm::kText, out[0].view(), Selection::all(out[0].size()),
                        context.settings(), formatted));
    for (std::size_t i = 0, from = 0; i < formatted.ends.size(); ++i) {
      const std::int64_t end = formatted.ends[i];
      all +=
          end < 0
              ? "NULL;"
              : std::string(
                    as_text(formatted.bytes).substr(from, static_cast<std::size_t>(end) - from)) +
                    ";";
      if (end >= 0) from = static_cast<std::size_t>(end);
    }
  }
}

}  // namespace

TEST_CASE("sql/catalog answers as PostgreSQL 15 does") {
  const std::unique_ptr<SqlRegistry> registry = full_registry();
  CHECK(replay(*registry, "tests/sql/golden/catalog.tsv") > 500);
}

TEST_CASE("regclass is written as the name that the statement knows") {
  const std::unique_ptr<SqlRegistry> registry = full_registry();
  AskingContext context(*registry);
  const SqlType& regclass = *registry->find_type(type_oid::kRegclass);
  CHECK(through(regclass, "t", context.settings()) == "public.t");
  CHECK(through(regclass, "4000000000", context.settings()) == "public.t");
  CHECK(through(regclass, "17", context.settings()) == "17");
  CHECK(through(regclass, "-", context.settings()) == "-");
  CHECK(through(regclass, "0", context.settings()) == "-");
  CHECK(through(regclass, "u", context.settings()) == "42P01 relation \"u\" does not exist");
  CHECK(through(regclass, "4000000000", SqlSettings()) == "4000000000");
  CHECK(through(*registry->find_type("regtype"), "nope", context.settings()) ==
        "42704 type \"nope\" does not exist");
  CHECK(through(*registry->find_type("regproc"), "nope", context.settings()) ==
        "42883 function \"nope\" does not exist");
  CHECK(call(context, 1079, {bytes("t")}) == "public.t");
  CHECK(call(context, 1079, {bytes("u")}) == "42P01 relation \"u\" does not exist");
  CHECK(call(context, 3495, {bytes("u")}) == "NULL");
  CHECK(registry->find_cast(type_oid::kRegclass, type_oid::kOid) != nullptr);
  CHECK(registry->find_cast(type_oid::kText, type_oid::kRegclass)->function->oid == 1079);
}

TEST_CASE("functions about the session and the catalog ask") {
  const std::unique_ptr<SqlRegistry> registry = full_registry();
  AskingContext context(*registry);
  const Vector one = Vector::constant(Datum::integer(PhysicalType::kInt32, 1), 1);
  const Vector yes = Vector::constant(Datum::integer(PhysicalType::kBool, 1), 1);
  const Vector no = Vector::constant(Datum::integer(PhysicalType::kBool, 0), 1);
  CHECK(call(context, 1643, {one}) == "1 arguments");
  CHECK(call(context, 2507, {one, one, yes}) == "3 arguments");
  CHECK(call(context, 1348, {one}) == "NULL");
  CHECK(call(context, 2077, {bytes("jit")}) == "off");
  CHECK(call(context, 2077, {bytes("jut")}) ==
        "42704 unrecognized configuration parameter \"jut\"");
  CHECK(call(context, 3294, {bytes("jut"), yes}) == "NULL");
  CHECK(call(context, 3294, {bytes("jut"), no}) ==
        "42704 unrecognized configuration parameter \"jut\"");
  CHECK(call(context, 1403, {yes}) == "{pg_catalog,public}");
  CHECK(call(context, 1403, {no}) == "{public}");
  CHECK(call(context, 3810, {}) == "f");
}

TEST_CASE("arrays come apart into rows") {
  const std::unique_ptr<SqlRegistry> registry = full_registry();
  AskingContext context(*registry);
  const SqlType& int4 = *registry->find_type(type_oid::kInt4);
  const SqlType& array = *registry->find_type("_int4");
  const auto unnested = [&](std::string_view text) {
    VectorBuffer value(array.info().physical);
    REQUIRE(array.parse(WireForm::kText, as_bytes(text), -1, context.settings(), value));
    return rows_of(context, 2331, {value.view().datum_at(0)}, int4);
  };
  CHECK(unnested("{}").empty());
  CHECK(unnested("{1,NULL,3}") == "1;NULL;3;");
  CHECK(unnested("{{1,2},{3,4}}") == "1;2;3;4;");
  CHECK(rows_of(context, 2331, {Datum::null_of(PhysicalType::kBytes)}, int4).empty());

  const SqlType& vector = *registry->find_type("int2vector");
  VectorBuffer value(vector.info().physical);
  REQUIRE(vector.parse(WireForm::kText, as_bytes("7 8 9"), -1, context.settings(), value));
  const Datum held = value.view().datum_at(0), first = Datum::integer(PhysicalType::kInt32, 1);
  CHECK(rows_of(context, 1192, {held, first}, int4) == "0;1;2;");
  CHECK(rows_of(context, 1191, {held, first, Datum::integer(PhysicalType::kBool, 1)}, int4) ==
        "2;1;0;");
  VectorBuffer elements(PhysicalType::kInt16), packed(PhysicalType::kBytes);
  REQUIRE(vector.unpack(held.bytes, elements));
  REQUIRE(vector.pack(elements.view(), packed));
  CHECK(packed.view().datum_at(0) == held);
}

TEST_CASE("binary arrays are checked before they are kept") {
  const std::unique_ptr<SqlRegistry> registry = full_registry();
  const SqlType& array = *registry->find_type("_int4");
  VectorBuffer good(array.info().physical);
  const SqlSettings settings;
  REQUIRE(array.parse(WireForm::kText, as_bytes("{1,NULL,{3"), -1, settings, good).has_value() ==
          false);
  REQUIRE(array.parse(WireForm::kText, as_bytes("{1,NULL,3}"), -1, settings, good));
  const ByteView whole = good.view().bytes_at(0);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    VectorBuffer out(array.info().physical);
    CHECK(!array.parse(WireForm::kBinary, whole.first(size), -1, settings, out));
  }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (unsigned bit = 0; bit < 8; ++bit) {  // whatever it says, it ends and does not overrun
      ByteBuffer bent(whole.begin(), whole.end());
      bent[at] ^= static_cast<std::byte>(1U << bit);
      VectorBuffer out(array.info().physical);
      const Status read = array.parse(WireForm::kBinary, bent, -1, settings, out);
      if (read) CHECK(out.size() == 1);
    }
  }
}

}  // namespace coppice::sql_test
