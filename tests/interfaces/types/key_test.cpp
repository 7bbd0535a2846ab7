// key_test.cpp — the order of encodings is the order of values, and they come back.
#include "interfaces/types/key.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <compare>
#include <limits>
#include <string>

#include "kernel/base/random.h"

using namespace coppice;

namespace {

const KeyOrder kOrders[] = {{false, false}, {false, true}, {true, false}, {true, true}};

template <class Write>
ByteBuffer encode(Write write) {
  ByteBuffer key;
  KeyWriter writer(key);
  write(writer);
  return key;
}

int sign(int n) {
  return (n > 0) - (n < 0);
}

// Every pair of `values` must compare as their encodings do; `compare` gives -1, 0 or 1.
template <class T, class Write, class Compare>
void check_order(const std::vector<T>& values, Write write, Compare compare) {
  for (const KeyOrder order : kOrders) {
    std::vector<ByteBuffer> keys;
    for (const T& value : values)
      keys.push_back(encode([&](KeyWriter& w) { write(w, value, order); }));
    const ByteBuffer null = encode([&](KeyWriter& w) { w.null(order); });
    for (std::size_t a = 0; a < values.size(); ++a) {
      CHECK(sign(compare_keys(null, keys[a])) == (order.nulls_first ? -1 : 1));
      for (std::size_t b = 0; b < values.size(); ++b) {
        const int expected = compare(values[a], values[b]) * (order.descending ? -1 : 1);
        REQUIRE(sign(compare_keys(keys[a], keys[b])) == expected);
      }
    }
  }
}

template <class T>
int plain_compare(T a, T b) {
  return (a > b) - (a < b);
}

int float_compare(double a, double b) {  // PostgreSQL: NaN equals NaN and is above everything
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) - std::isnan(b);
  return plain_compare(a, b);
}

template <class T>
std::vector<T> some_integers(Rng& rng) {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values = {Limits::min(), Limits::min() + 1, -1, 0, 1, Limits::max()};
  for (int i = 0; i < 100; ++i) {
    const auto bits = static_cast<unsigned>(rng.below(sizeof(T) * 8));
    values.push_back(static_cast<T>(static_cast<std::int64_t>(rng.next()) >> bits));
  }
  return values;
}

std::string random_text(Rng& rng, std::size_t max) {
  static constexpr char kAlphabet[] = {'\0', '\1', '\xff', 'a', 'b', ' '};
  std::string text;
  for (std::size_t n = rng.below(max + 1); n > 0; --n) text += kAlphabet[rng.below(6)];
  return text;
}

DecimalDigits decimal(const std::string& text) {
  DecimalDigits value;
  bool point = false;
  for (const char c : text) {
    if (c == '-') {
      value.negative = true;
    } else if (c == '.') {
      point = true;
    } else {
      value.digits.push_back(static_cast<std::uint8_t>(c - '0'));
      value.scale += point ? 1 : 0;
    }
  }
  return value;
}

}  // namespace

TEST_CASE("key: integers order and come back") {
  Rng rng(1);
  const auto i16 = some_integers<std::int16_t>(rng);
  const auto i32 = some_integers<std::int32_t>(rng);
  const auto i64 = some_integers<std::int64_t>(rng);
  check_order(i16, [](auto& w, auto v, auto o) { w.int16(v, o); }, plain_compare<std::int16_t>);
  check_order(i32, [](auto& w, auto v, auto o) { w.int32(v, o); }, plain_compare<std::int32_t>);
  check_order(i64, [](auto& w, auto v, auto o) { w.int64(v, o); }, plain_compare<std::int64_t>);
  check_order(
      std::vector<int>{0, 1}, [](auto& w, auto v, auto o) { w.boolean(v != 0, o); },
      plain_compare<int>);
  for (const KeyOrder order : kOrders) {
    for (std::size_t i = 0; i < i64.size(); ++i) {
      const ByteBuffer key = encode([&](KeyWriter& w) {
        w.int64(i64[i], order);
        w.null(order);
        w.int16(i16[i], order);
        w.boolean(i % 2 == 0, order);
        w.int32(i32[i], order);
      });
      KeyReader reader(key);
      CHECK(reader.int64(order) == i64[i]);
      CHECK(reader.int64(order) == std::nullopt);
      CHECK(reader.int16(order) == i16[i]);
      CHECK(reader.boolean(order) == (i % 2 == 0));
      CHECK(reader.int32(order) == i32[i]);
      CHECK(reader.done());
    }
  }
}

TEST_CASE("key: floats order as PostgreSQL orders them") {
  Rng rng(2);
  using Limits = std::numeric_limits<double>;
  std::vector<double> values = {0.0,
                                -0.0,
                                1.0,
                                -1.0,
                                Limits::infinity(),
                                -Limits::infinity(),
                                Limits::quiet_NaN(),
                                -Limits::quiet_NaN(),
                                Limits::denorm_min(),
                                -Limits::denorm_min(),
                                Limits::max(),
                                Limits::lowest()};
  for (int i = 0; i < 60; ++i) values.push_back(std::bit_cast<double>(rng.next()));
  check_order(values, [](auto& w, auto v, auto o) { w.float64(v, o); }, float_compare);
  std::vector<float> narrow;
  for (const double value : values) narrow.push_back(static_cast<float>(value));
  check_order(
      narrow, [](auto& w, auto v, auto o) { w.float32(v, o); },
      [](float a, float b) { return float_compare(a, b); });
  for (const double value : values) {
    ByteBuffer key;
    KeyWriter writer(key);
    writer.float64(value, {});
    CHECK(writer.lossy() == (value == 0 && std::signbit(value)));
    KeyReader reader(key);
    const auto back = reader.float64({});
    REQUIRE(back);
    CHECK(float_compare(*back, value) == 0);
  }
}

TEST_CASE("key: text and bytes order by bytes and come back") {
  Rng rng(3);
  std::vector<std::string> values = {"", std::string(1, '\0'), std::string("\0\xff", 2),
                                     std::string("\0\1", 2)};
  for (int i = 0; i < 150; ++i) values.push_back(random_text(rng, 6));
  const auto compare = [](const std::string& a, const std::string& b) {
    return sign(a.compare(b));
  };
  check_order(values, [](auto& w, auto& v, auto o) { w.bytes(as_bytes(v), o); }, compare);
  for (const KeyOrder order : kOrders) {
    for (const std::string& value : values) {
      const ByteBuffer key = encode([&](KeyWriter& w) { w.bytes(as_bytes(value), order); });
      KeyReader reader(key);
      const auto back = reader.bytes(order);
      REQUIRE(back);
      CHECK(as_text(*back) == value);
      CHECK(reader.done());
    }
  }
}

TEST_CASE("key: decimals order by value whatever their scale") {
  const std::vector<std::string> ascending = {"-100000000000000000000000000000000000000000",
                                              "-1000.5",
                                              "-1000",
                                              "-999.999",
                                              "-12",
                                              "-1.01",
                                              "-1.001",
                                              "-1",
                                              "-0.1",
                                              "-0.0001",
                                              "0",
                                              "0.00001",
                                              "0.0001",
                                              "0.1",
                                              "0.10001",
                                              "0.11",
                                              "1",
                                              "1.001",
                                              "1.01",
                                              "2",
                                              "9.99",
                                              "10",
                                              "12",
                                              "12.0000001",
                                              "100",
                                              "101",
                                              "1000",
                                              "123456789012345678901234567890"};
  std::vector<DecimalDigits> values;
  DecimalDigits special;
  special.kind = DecimalDigits::Kind::kNegativeInfinity;
  values.push_back(special);
  for (const auto& text : ascending) values.push_back(decimal(text));
  special.kind = DecimalDigits::Kind::kInfinity;
  values.push_back(special);
  special.kind = DecimalDigits::Kind::kNan;
  values.push_back(special);
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < values.size(); ++i) positions.push_back(i);
  check_order(
      positions, [&](auto& w, auto i, auto o) { w.decimal(values[i], o); },
      plain_compare<std::size_t>);

  const auto key_of = [](const std::string& text) {
    return encode([&](KeyWriter& w) { w.decimal(decimal(text), {}); });
  };
  CHECK(key_of("1.50") == key_of("001.5"));
  CHECK(key_of("-0.00") == key_of("0"));
  const auto lossy = [](const std::string& text) {
    ByteBuffer key;
    KeyWriter writer(key);
    writer.decimal(decimal(text), {});
    return writer.lossy();
  };
  CHECK(lossy("1.50"));
  CHECK(lossy("0.0"));
  CHECK_FALSE(lossy("1.5"));
  CHECK_FALSE(lossy("1500"));
  CHECK_FALSE(lossy("0.0015"));
  for (const KeyOrder order : kOrders) {
    for (const auto& text : ascending) {
      const DecimalDigits value = decimal(text);
      const ByteBuffer key = encode([&](KeyWriter& w) { w.decimal(value, order); });
      KeyReader reader(key);
      const auto back = reader.decimal(order);
      REQUIRE(back);
      CHECK(back->scale == value.scale);
      CHECK(back->negative == value.negative);
      CHECK(encode([&](KeyWriter& w) { w.decimal(*back, order); }) == key);
    }
  }
}

TEST_CASE("key: intervals order by what a month of 30 days makes of them, and are lossy") {
  struct Interval {
    std::int32_t months, days;
    std::int64_t us;
  };
  constexpr std::int64_t kDay = 86'400'000'000;
  constexpr std::int32_t kMax = std::numeric_limits<std::int32_t>::max();
  const std::vector<Interval> values = {{0, 0, 0},     {1, 0, 0},         {0, 30, 0},
                                        {0, 30, 1},    {0, 31, -kDay},    {0, 0, -1},
                                        {0, -1, 0},    {0, 0, -kDay - 1}, {kMax, kMax, INT64_MAX},
                                        {-kMax, 0, 0}, {-1, 29, kDay}};
  check_order<Interval>(
      values,
      [](KeyWriter& w, Interval v, KeyOrder order) {
        w.interval(v.months, v.days, v.us, order);
        CHECK(w.lossy());
      },
      [&](Interval a, Interval b) {
        const auto span = [&](Interval v) {
          return static_cast<long double>(std::int64_t{v.months} * 30 + v.days) * kDay +
                 static_cast<long double>(v.us);
        };
        return (span(a) > span(b)) - (span(a) < span(b));
      });
}

TEST_CASE("key: char(n) padding does not count, and says that it is lost") {
  ByteBuffer padded, plain;
  KeyWriter a(padded), b(plain);
  a.padded_text(as_bytes("ab  "), {});
  b.padded_text(as_bytes("ab"), {});
  CHECK(padded == plain);
  CHECK(a.lossy());
  CHECK_FALSE(b.lossy());
}

TEST_CASE("key: ranges hold exactly the values between their bounds") {
  Rng rng(4);
  for (const KeyOrder order : kOrders) {
    for (int round = 0; round < 200; ++round) {
      const auto low = rng.between(-4, 4), high = rng.between(-4, 4);
      const bool with_low = rng.chance(0.7), with_high = rng.chance(0.7);
      const bool low_in = rng.chance(0.5), high_in = rng.chance(0.5);
      const ByteBuffer prefix = encode([&](KeyWriter& w) { w.bytes(as_bytes("p"), order); });
      const auto low_key = encode([&](KeyWriter& w) { w.int64(low, order); });
      const auto high_key = encode([&](KeyWriter& w) { w.int64(high, order); });
      const KeyRange range = key_column_range(
          prefix, order, with_low ? std::optional(KeyBound{low_key, low_in}) : std::nullopt,
          with_high ? std::optional(KeyBound{high_key, high_in}) : std::nullopt);
      for (std::int64_t value = -6; value <= 6; ++value) {
        const bool inside = (!with_low || value > low || (low_in && value == low)) &&
                            (!with_high || value < high || (high_in && value == high));
        ByteBuffer key = prefix;
        KeyWriter writer(key);
        writer.int64(value, order);
        writer.bytes(as_bytes(random_text(rng, 3)), order);  // a further column
        CHECK(range.contains(key) == inside);
      }
      ByteBuffer null = prefix;
      KeyWriter(null).null(order);
      CHECK_FALSE(range.contains(null));
      CHECK(key_null_range(prefix, order).contains(null));
      CHECK(key_prefix_range(prefix).contains(null));
      CHECK_FALSE(key_null_range(prefix, order).contains(range.low));
    }
  }
}

TEST_CASE("key: a text prefix bounds exactly the texts that start with it") {
  Rng rng(5);
  for (const KeyOrder order : kOrders) {
    for (int round = 0; round < 300; ++round) {
      const std::string prefix = random_text(rng, 2), text = random_text(rng, 4);
      const KeyRange range =
          key_prefix_range(encode([&](KeyWriter& w) { w.bytes_prefix(as_bytes(prefix), order); }));
      const ByteBuffer key = encode([&](KeyWriter& w) { w.bytes(as_bytes(text), order); });
      CHECK(range.contains(key) == text.starts_with(prefix));
    }
  }
}

TEST_CASE("key: size limit carries its SQLSTATE; a successor of all ones does not exist") {
  const Status refused = check_key_size(ByteBuffer(kIndexKeyBytesMax + 1));
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().code() == Code::kLimitExceeded);
  CHECK(*refused.error().find_note('C') == "54000");
  CHECK(check_key_size(ByteBuffer(kIndexKeyBytesMax)).has_value());
  CHECK_FALSE(key_successor(ByteBuffer(2, std::byte{0xff})).has_value());
}

TEST_CASE("key: truncated keys fail and never read past the end") {
  const ByteBuffer key = encode([&](KeyWriter& w) {
    w.int64(5, {});
    w.decimal(decimal("-12.5"), {});
    w.bytes(as_bytes(std::string("a\0b", 3)), {});
  });
  for (std::size_t size = 0; size < key.size(); ++size) {
    const ByteBuffer cut(key.begin(), key.begin() + static_cast<std::ptrdiff_t>(size));
    KeyReader reader(cut);
    reader.int64({});
    reader.decimal({});
    reader.bytes({});
    CHECK_FALSE(reader.ok());
  }
}
