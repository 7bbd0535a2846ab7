// replay.h — PostgreSQL's recorded answers (tests/sql/golden/*.tsv) against the packs.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "interfaces/sql_pack.h"
#include "kernel/base/random.h"

namespace coppice::sql_test {

// The session a test pretends to be.
class TestContext final : public CallContext {
 public:
  SqlSettings values;
  WallTime now{1'700'000'000'123'456};  // 2023-11-14 22:13:20.123456+00

  const SqlSettings& settings() const override { return values; }
  WallTime transaction_start() const override { return now; }
  WallTime statement_start() const override { return now; }
  WallTime clock_now() const override { return now; }
  Rng& random() override { return random_; }
  std::optional<std::string> ask(std::string_view question, std::span<const Datum>) override;
  const SqlRegistry* registry() const override { return known; }

  const SqlRegistry* known = nullptr;

 private:
  Rng random_{1};
};

// All packs in one registry.
std::unique_ptr<SqlRegistry> full_registry();

struct TypedText {
  const SqlType* type;
  std::optional<std::string> text;  // none: NULL
};

class Evaluator {
 public:
  explicit Evaluator(const SqlRegistry& registry) : registry_(registry) {
    context_.known = &registry;
  }

  // The answer in the words of the golden files: "= text", "null" or "! SQLSTATE message". Every
  // call is made with constants and with flat vectors under a selection; both must agree.
  std::string input(const SqlType& type, std::int32_t modifier, std::string_view text);
  // `as`: the type to show the result as, where it is not the function's own.
  std::string call(const SqlFunction& function, const std::vector<TypedText>& arguments,
                   const SqlType* as = nullptr);
  // All rows of a set function, joined by commas; "null" for none.
  std::string rows(const SqlFunction& function, const std::vector<TypedText>& arguments);
  std::string cast(const SqlType& to, const TypedText& value);
  std::string aggregate(const SqlAggregate& aggregate, const std::vector<TypedText>& values);

  const SqlFunction* find(std::string_view name, const std::vector<TypedText>& arguments) const;
  TestContext& context() { return context_; }

 private:
  const SqlRegistry& registry_;
  TestContext context_;
};

// Asks everything in `path`; fails the running test with a list of what differs. Gives the number
// of questions.
std::size_t replay(const SqlRegistry& registry, std::string_view path);

}  // namespace coppice::sql_test
