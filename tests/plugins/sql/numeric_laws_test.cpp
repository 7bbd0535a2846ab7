// numeric_laws_test.cpp — what must hold of numbers of any length, where no answers are recorded.
#include <doctest/doctest.h>

#include <algorithm>

#include "interfaces/types/sql_error.h"
#include "kernel/base/random.h"
#include "plugins/sql/numeric/arithmetic.h"
#include "plugins/sql/numeric/operations.h"
#include "plugins/sql/numeric/powers.h"
#include "tests/plugins/sql/replay.h"

namespace coppice::sql_test {
namespace {

using namespace sql_numeric;

// Digits come in runs of zeros, nines and others: that is where carries and estimates go wrong.
std::string random_digits(Rng& rng, std::size_t count) {
  std::string digits;
  while (digits.size() < count) {
    const std::uint64_t kind = rng.below(4);
    const std::size_t run = 1 + rng.below(kind == 3 ? 4 : 12);
    for (std::size_t i = 0; i < run; ++i)
      digits.push_back(kind == 0 ? '0' : kind == 1 ? '9' : static_cast<char>('0' + rng.below(10)));
  }
  return digits.substr(0, count);
}

Number random_number(Rng& rng, std::size_t longest) {
  std::string text = rng.chance(0.5) ? "-" : "";
  text += random_digits(rng, 1 + rng.below(longest));
  if (rng.chance(0.6)) text += "." + random_digits(rng, 1 + rng.below(longest));
  const Result<Number> number = number_from_text(text);
  REQUIRE(number);
  return *number;
}

std::string bytes_of(const Number& number) {
  std::string bytes;
  REQUIRE(store(number, bytes));
  return bytes;
}

std::string text_of(const Number& number) {
  ByteBuffer text;
  const std::string bytes = bytes_of(number);
  append_numeric_text(text, as_bytes(bytes));
  return std::string(as_text(text));
}

bool normalised(const Number& number) {
  if (number.digits.empty()) return !number.negative && number.weight == 0;
  return number.digits[0] != 0 && number.digits.back() != 0;
}

void check_equal(const Number& a, const Number& b) {
  CHECK(normalised(a));
  CHECK(text_of(a) == text_of(b));
}

}  // namespace

TEST_CASE("numeric: a = quotient * b + remainder, and the remainder is below b") {
  Rng rng(11);
  for (int round = 0; round < 3000; ++round) {
    const std::size_t longest = round % 10 == 0 ? 400 : 60;
    const Number a = random_number(rng, longest),
                 b = random_number(rng, longest / (1 + rng.below(3)));
    if (b.zero()) continue;
    const Number quotient = divide(a, b, 0, Rounding::kTruncate);
    const Number rest = remainder(a, b);
    CHECK(normalised(quotient));
    CHECK(compare_magnitudes(rest, b) < 0);
    CHECK((rest.zero() || rest.negative == a.negative));
    Number again = add(multiply(quotient, b), rest);
    again.scale = a.scale;
    check_equal(again, a);
  }
}

TEST_CASE("numeric: a quotient is the nearest one with its scale") {
  Rng rng(12);
  for (int round = 0; round < 1500; ++round) {
    const Number a = random_number(rng, 40), b = random_number(rng, 40);
    if (b.zero()) continue;
    const int scale = static_cast<int>(rng.below(60));
    const Number quotient = divide(a, b, scale);
    const Number error = subtract(multiply(quotient, b), a);  // |error| * 2 * 10^scale <= |b|
    const Number unit = *number_from_text("1e-" + std::to_string(scale));
    CHECK(compare_magnitudes(multiply(error, number_of(2)), multiply(b, unit)) <= 0);
  }
}

TEST_CASE("numeric: products distribute, sums and differences undo each other") {
  Rng rng(13);
  for (int round = 0; round < 2000; ++round) {
    const std::size_t longest = round % 10 == 0 ? 500 : 50;
    const Number a = random_number(rng, longest), b = random_number(rng, longest),
                 c = random_number(rng, longest);
    check_equal(multiply(a, b), multiply(b, a));
    Number left = multiply(a, add(b, c)), right = add(multiply(a, b), multiply(a, c));
    left.scale = right.scale = std::max(left.scale, right.scale);
    check_equal(left, right);
    Number back = subtract(add(a, b), b);
    back.scale = a.scale;
    check_equal(back, a);
    CHECK(subtract(a, a).zero());
  }
}

TEST_CASE("numeric: long products agree with products of their halves") {
  Rng rng(14);
  for (const std::size_t length : {900U, 2600U, 9000U, 20000U}) {
    const Number a = *number_from_text("7" + random_digits(rng, length)),
                 b = *number_from_text("3" + random_digits(rng, length * 2 / 3));
    const Number shift = *number_from_text("1e" + std::to_string(length / 2));
    const Number high = divide(a, shift, 0, Rounding::kTruncate), low = remainder(a, shift);
    check_equal(multiply(a, b, 0),
                add(multiply(multiply(high, b, 0), shift, 0), multiply(low, b, 0)));
  }
}

TEST_CASE("numeric: a root is the largest number whose square is not above") {
  Rng rng(15);
  for (int round = 0; round < 600; ++round) {
    Number a = random_number(rng, round % 20 == 0 ? 600 : 60);
    a.negative = false;
    const int scale = static_cast<int>(rng.below(80));
    const Number root = square_root(a, scale);
    CHECK(normalised(root));
    // (root - unit/2)^2 <= a <= (root + unit/2)^2
    const Number half = *number_from_text("5e-" + std::to_string(scale + 1));
    const Number above = add(root, half), below = subtract(root, half);
    CHECK(compare(multiply(above, above), a) >= 0);
    if (below.sign() > 0) CHECK(compare(multiply(below, below), a) <= 0);
  }
}

TEST_CASE("numeric: logarithms undo exponentials") {
  Rng rng(16);
  for (int round = 0; round < 100; ++round) {
    Number x = random_number(rng, 3);
    const Result<Number> power = exponential(x);
    if (!power || power->zero()) continue;
    const Result<Number> back = natural_logarithm(*power);
    REQUIRE(back);
    const Number error = subtract(*back, x);
    // The power has at least 16 digits: so has what its logarithm says, but for its size.
    CHECK(compare_magnitudes(error, *number_from_text("1e-12")) <= 0);
  }
}

TEST_CASE("numeric: bytes order as values do, and so do keys") {
  Rng rng(17);
  const std::unique_ptr<SqlRegistry> registry = full_registry();
  const SqlType& type = *registry->find_type(type_oid::kNumeric);
  std::vector<Number> numbers = {special(Kind::kNan), special(Kind::kInfinity),
                                 special(Kind::kNegativeInfinity), Number(), number_of(0, 3)};
  for (int i = 0; i < 150; ++i) numbers.push_back(random_number(rng, i % 15 == 0 ? 80 : 6));
  for (int i = 0; i < 20; ++i) {  // the same value at another scale
    Number again = numbers[5 + rng.below(150)];
    again.scale += 2;
    numbers.push_back(again);
  }
  VectorBuffer column(PhysicalType::kBytes);
  for (const Number& number : numbers) column.append_bytes(as_bytes(bytes_of(number)));
  const Vector values = column.view();
  const KeyOrder orders[] = {KeyOrder::ascending_nulls_last(), KeyOrder::descending_nulls_first()};
  for (const KeyOrder order : orders) {
    std::vector<ByteBuffer> keys(numbers.size());
    for (std::uint32_t i = 0; i < numbers.size(); ++i) {
      KeyWriter writer(keys[i]);
      type.write_key(values, i, order, writer);
    }
    for (std::uint32_t i = 0; i < numbers.size(); ++i) {
      for (std::uint32_t j = 0; j < numbers.size(); ++j) {
        const int expected = compare_bytes(values.bytes_at(i), values.bytes_at(j));
        if (numbers[i].finite() && numbers[j].finite())
          CHECK(expected == compare(numbers[i], numbers[j]));
        const int keyed = compare_keys(keys[i], keys[j]);
        CHECK((keyed > 0) - (keyed < 0) == (order.descending ? -expected : expected));
      }
    }
  }
}

TEST_CASE("numeric: a key says when it lost the scale") {
  const std::unique_ptr<SqlRegistry> registry = full_registry();
  const SqlType& type = *registry->find_type(type_oid::kNumeric);
  const auto lossy = [&](std::string_view text) {
    VectorBuffer column(PhysicalType::kBytes);
    REQUIRE(type.parse(WireForm::kText, as_bytes(text), -1, SqlSettings(), column));
    ByteBuffer key;
    KeyWriter writer(key);
    type.write_key(column.view(), 0, KeyOrder::ascending_nulls_last(), writer);
    return writer.lossy();
  };
  for (const std::string_view text :
       {"0", "1", "-1.5", "1500", "0.0015", "123456.789", "NaN", "1e50"})
    CHECK_FALSE(lossy(text));
  for (const std::string_view text : {"0.0", "1.0", "-1.50", "1500.000", "0.00150", "10000.0"})
    CHECK(lossy(text));
}

TEST_CASE("numeric: modifiers and their errors") {
  const std::unique_ptr<SqlRegistry> registry = full_registry();
  const SqlType& type = *registry->find_type(type_oid::kNumeric);
  const auto modifier = [&](std::vector<std::int64_t> arguments) {
    const Result<std::int32_t> made = type.modifier_of(arguments);
    return made ? type.describe(*made)
                : std::string(sqlstate_of(made.error())) + " " + made.error().message();
  };
  CHECK(modifier({}) == "numeric");
  CHECK(modifier({10}) == "numeric(10,0)");
  CHECK(modifier({10, 2}) == "numeric(10,2)");
  CHECK(modifier({1000, 1000}) == "numeric(1000,1000)");
  CHECK(modifier({3, -1000}) == "numeric(3,-1000)");
  CHECK(modifier({0}) == "22023 NUMERIC precision 0 must be between 1 and 1000");
  CHECK(modifier({1001, 2}) == "22023 NUMERIC precision 1001 must be between 1 and 1000");
  CHECK(modifier({5, 1001}) == "22023 NUMERIC scale 1001 must be between -1000 and 1000");
  CHECK(modifier({5, -1001}) == "22023 NUMERIC scale -1001 must be between -1000 and 1000");
  CHECK(modifier({1, 2, 3}) == "22023 invalid NUMERIC type modifier");

  const auto detail = [&](std::string_view text, std::vector<std::int64_t> arguments) {
    VectorBuffer out(PhysicalType::kBytes);
    const Status parsed = type.parse(WireForm::kText, as_bytes(text), *type.modifier_of(arguments),
                                     SqlSettings(), out);
    REQUIRE_FALSE(parsed);
    CHECK(parsed.error().message() == "numeric field overflow");
    const std::string* const note = parsed.error().find_note(sql_field::kDetail);
    return note == nullptr ? std::string() : *note;
  };
  CHECK(detail("1000", {5, 2}) ==
        "A field with precision 5, scale 2 must round to an absolute value less than 10^3.");
  CHECK(detail("1", {2, 2}) ==
        "A field with precision 2, scale 2 must round to an absolute value less than 1.");
  CHECK(detail("1", {2, 4}) ==
        "A field with precision 2, scale 4 must round to an absolute value less than 10^-2.");
  CHECK(detail("-inf", {5, 2}) ==
        "A field with precision 5, scale 2 cannot hold an infinite value.");
}

TEST_CASE("numeric: messages of clients are not believed") {
  const std::unique_ptr<SqlRegistry> registry = full_registry();
  const SqlType& type = *registry->find_type(type_oid::kNumeric);
  const auto answer = [&](std::string_view bytes) -> std::string {
    VectorBuffer out(PhysicalType::kBytes);
    const Status parsed = type.parse(WireForm::kBinary, as_bytes(bytes), -1, SqlSettings(), out);
    if (!parsed) return std::string(sqlstate_of(parsed.error())) + " " + parsed.error().message();
    Number number;
    load(out.view().bytes_at(0), number);
    return text_of(number);
  };
  using namespace std::string_view_literals;
  CHECK(answer("\0\2\0\0\0\0\0\2\0\1\x13\x88"sv) == "1.50");
  CHECK(answer("\0\2\0\0\0\0\0\0\0\1\x13\x88"sv) == "1");     // digits that the scale hides
  CHECK(answer("\0\2\0\1\x40\0\0\0\0\0\0\0"sv) == "0");       // minus zero, not normalised
  CHECK(answer("\0\3\0\1\x40\0\0\0\0\0\0\7\0\0"sv) == "-7");  // zeros at both ends
  CHECK(answer("\0\1\0\0\xC0\0\0\5\0\1"sv) == "NaN");         // whatever else it says
  CHECK(answer("\0\0\0\0\xD0\0\0\x20"sv) == "Infinity");
  CHECK(answer("\0\0\0\0\xF0\0\0\0"sv) == "-Infinity");
  CHECK(answer("\0\1\0\0\0\0\0\0\x27\x10"sv) ==
        "22P03 invalid digit in external \"numeric\" value");
  CHECK(answer("\0\1\0\0\x12\0\0\0\0\1"sv) == "22P03 invalid sign in external \"numeric\" value");
  CHECK(answer("\0\1\0\0\0\0\x40\0\0\1"sv) == "22P03 invalid scale in external \"numeric\" value");
  CHECK(answer("\xFF\xFF\0\0\0\0\0\0\0\1"sv) == "08P01 insufficient data left in message");
  CHECK(answer("\0\0\0\0\0\0\0"sv) == "08P01 insufficient data left in message");
  CHECK(answer("\0\0\0\0\0\0\0\0\0"sv) == "22P03 incorrect binary data format");
}

}  // namespace coppice::sql_test
