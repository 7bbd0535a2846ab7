// key.cpp — the encodings; docs/formats/index.md describes each.
#include "interfaces/types/key.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace coppice {
namespace {

// A column starts with one of these, never inverted.
constexpr std::byte kNullFirst{0x00};
constexpr std::byte kValue{0x01};
constexpr std::byte kNullLast{0x02};

// Inside byte strings 0x00 is written as 00 FF and the end as 00 01.
constexpr std::byte kEscape{0x00};
constexpr std::byte kEscapedZero{0xff};
constexpr std::byte kTerminator{0x01};

// First byte of a decimal.
enum DecimalClass : std::uint8_t {
  kMinusInfinity = 0x10,
  kNegative = 0x20,
  kZero = 0x30,
  kPositive = 0x40,
  kPlusInfinity = 0x50,
  kNotANumber = 0x60,
};
constexpr std::uint32_t kExponentBias = 1u << 31;

template <class Bits>
Bits sortable_float(Bits bits) {
  constexpr Bits kSign = Bits{1} << (sizeof(Bits) * 8 - 1);
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}
template <class Bits>
Bits unsortable_float(Bits bits) {
  constexpr Bits kSign = Bits{1} << (sizeof(Bits) * 8 - 1);
  return (bits & kSign) != 0 ? bits & ~kSign : ~bits;
}
template <class T>
std::make_unsigned_t<T> sortable_int(T value) {
  using Bits = std::make_unsigned_t<T>;
  return static_cast<Bits>(static_cast<Bits>(value) ^
                           static_cast<Bits>(Bits{1} << (sizeof(T) * 8 - 1)));
}

}  // namespace

// --- writing
// ---------------------------------------------------------------------------------------

void KeyWriter::invert_from(std::size_t start, KeyOrder order) {
  if (!order.descending) return;
  for (std::size_t i = start; i < to_.size(); ++i) to_[i] = ~to_[i];
}

template <class T>
void KeyWriter::fixed(T sortable, KeyOrder order) {
  to_.push_back(kValue);
  const std::size_t at = to_.size();
  to_.resize(at + sizeof(T));
  store_be(to_.data() + at, order.descending ? static_cast<T>(~sortable) : sortable);
}

void KeyWriter::null(KeyOrder order) {
  has_null_ = true;
  to_.push_back(order.nulls_first ? kNullFirst : kNullLast);
}

void KeyWriter::boolean(bool value, KeyOrder order) {
  fixed(static_cast<std::uint8_t>(value ? 1 : 0), order);
}
void KeyWriter::int16(std::int16_t value, KeyOrder order) {
  fixed(sortable_int(value), order);
}
void KeyWriter::int32(std::int32_t value, KeyOrder order) {
  fixed(sortable_int(value), order);
}
void KeyWriter::int64(std::int64_t value, KeyOrder order) {
  fixed(sortable_int(value), order);
}

void KeyWriter::interval(std::int32_t months, std::int32_t days, std::int64_t us, KeyOrder order) {
  constexpr std::int64_t kDay = 86'400'000'000;
  std::int64_t whole = std::int64_t{months} * 30 + days + us / kDay;
  std::int64_t rest = us % kDay;
  if (rest < 0) {
    rest += kDay;
    --whole;
  }
  fixed(sortable_int(whole), order);
  const std::size_t at = to_.size();
  to_.resize(at + sizeof rest);
  store_be(to_.data() + at, order.descending ? ~rest : rest);
  lossy_ = true;
}

void KeyWriter::float32(float value, KeyOrder order) {
  if (value == 0) {
    lossy_ |= std::signbit(value);
    value = 0;
  }
  if (std::isnan(value)) value = std::numeric_limits<float>::quiet_NaN();
  fixed(sortable_float(std::bit_cast<std::uint32_t>(value)), order);
}

void KeyWriter::float64(double value, KeyOrder order) {
  if (value == 0) {
    lossy_ |= std::signbit(value);
    value = 0;
  }
  if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();
  fixed(sortable_float(std::bit_cast<std::uint64_t>(value)), order);
}

// Class, exponent of 0.d1d2d3… × 10^exponent, then two digits a byte (1 to 100), then 0.
void KeyWriter::decimal(const DecimalDigits& value, KeyOrder order) {
  to_.push_back(kValue);
  const std::size_t start = to_.size();
  using Kind = DecimalDigits::Kind;
  const auto& digits = value.digits;
  const auto is_digit = [](std::uint8_t digit) { return digit != 0; };
  const auto first = std::ranges::find_if(digits, is_digit);
  if (value.kind != Kind::kFinite || first == digits.end()) {
    std::uint8_t kind = kZero;
    if (value.kind == Kind::kNegativeInfinity) kind = kMinusInfinity;
    if (value.kind == Kind::kInfinity) kind = kPlusInfinity;
    if (value.kind == Kind::kNan) kind = kNotANumber;
    lossy_ |= kind == kZero && value.scale != 0;
    to_.push_back(std::byte{kind});
    return invert_from(start, order);
  }
  auto last = digits.end();
  while (*(last - 1) == 0) --last;
  const auto exponent = static_cast<std::int32_t>(digits.end() - first) - value.scale;
  const auto kept = static_cast<std::int32_t>(last - first);
  lossy_ |= value.scale != std::max(0, kept - exponent);

  to_.push_back(std::byte{value.negative ? kNegative : kPositive});
  const std::size_t magnitude = to_.size();
  to_.resize(magnitude + 4);
  store_be(to_.data() + magnitude, static_cast<std::uint32_t>(exponent) + kExponentBias);
  for (auto at = first; at < last; at += 2) {
    const unsigned low = at + 1 < last ? *(at + 1) : 0u;
    to_.push_back(static_cast<std::byte>(*at * 10u + low + 1u));
    if (at + 1 >= last) break;
  }
  to_.push_back(std::byte{0});
  if (value.negative) {
    for (std::size_t i = magnitude; i < to_.size(); ++i) to_[i] = ~to_[i];
  }
  invert_from(start, order);
}

void KeyWriter::escaped(ByteView value, KeyOrder order) {
  const std::byte mask = order.descending ? std::byte{0xff} : std::byte{0};
  to_.push_back(kValue);
  to_.reserve(to_.size() + value.size() + 2);
  for (const std::byte byte : value) {
    to_.push_back(byte ^ mask);
    if (byte == kEscape) to_.push_back(kEscapedZero ^ mask);
  }
}

void KeyWriter::bytes(ByteView value, KeyOrder order) {
  escaped(value, order);
  const std::byte mask = order.descending ? std::byte{0xff} : std::byte{0};
  to_.push_back(kEscape ^ mask);
  to_.push_back(kTerminator ^ mask);
}

void KeyWriter::bytes_prefix(ByteView value, KeyOrder order) {
  escaped(value, order);
}

void KeyWriter::padded_text(ByteView value, KeyOrder order) {
  std::size_t size = value.size();
  while (size > 0 && value[size - 1] == std::byte{' '}) --size;
  lossy_ |= size != value.size();
  bytes(value.first(size), order);
}

// --- reading
// ---------------------------------------------------------------------------------------

void KeyReader::fail() {
  ok_ = false;
  rest_ = {};
}

bool KeyReader::marker(KeyOrder order) {
  if (rest_.empty()) {
    fail();
    return false;
  }
  const std::byte first = rest_.front();
  rest_ = rest_.subspan(1);
  if (first == kValue) return true;
  if (first != (order.nulls_first ? kNullFirst : kNullLast)) fail();
  return false;
}

template <class T>
std::optional<T> KeyReader::fixed(KeyOrder order) {
  if (!marker(order)) return std::nullopt;
  if (rest_.size() < sizeof(T)) {
    fail();
    return std::nullopt;
  }
  const T raw = load_be<T>(rest_.data());
  rest_ = rest_.subspan(sizeof(T));
  return order.descending ? static_cast<T>(~raw) : raw;
}

std::optional<std::byte> KeyReader::byte(std::byte mask) {
  if (rest_.empty()) {
    fail();
    return std::nullopt;
  }
  const std::byte value = rest_.front() ^ mask;
  rest_ = rest_.subspan(1);
  return value;
}

std::optional<bool> KeyReader::boolean(KeyOrder order) {
  const auto raw = fixed<std::uint8_t>(order);
  if (raw && *raw > 1) fail();
  if (!raw || !ok_) return std::nullopt;
  return *raw == 1;
}
std::optional<std::int16_t> KeyReader::int16(KeyOrder order) {
  const auto raw = fixed<std::uint16_t>(order);
  if (!raw) return std::nullopt;
  return static_cast<std::int16_t>(sortable_int(static_cast<std::int16_t>(*raw)));
}
std::optional<std::int32_t> KeyReader::int32(KeyOrder order) {
  const auto raw = fixed<std::uint32_t>(order);
  if (!raw) return std::nullopt;
  return static_cast<std::int32_t>(sortable_int(static_cast<std::int32_t>(*raw)));
}
std::optional<std::int64_t> KeyReader::int64(KeyOrder order) {
  const auto raw = fixed<std::uint64_t>(order);
  if (!raw) return std::nullopt;
  return static_cast<std::int64_t>(sortable_int(static_cast<std::int64_t>(*raw)));
}
std::optional<float> KeyReader::float32(KeyOrder order) {
  const auto raw = fixed<std::uint32_t>(order);
  if (!raw) return std::nullopt;
  return std::bit_cast<float>(unsortable_float(*raw));
}
std::optional<double> KeyReader::float64(KeyOrder order) {
  const auto raw = fixed<std::uint64_t>(order);
  if (!raw) return std::nullopt;
  return std::bit_cast<double>(unsortable_float(*raw));
}

std::optional<DecimalDigits> KeyReader::decimal(KeyOrder order) {
  if (!marker(order)) return std::nullopt;
  const std::byte column_mask = order.descending ? std::byte{0xff} : std::byte{0};
  DecimalDigits value;
  const auto kind = byte(column_mask);
  if (!kind) return std::nullopt;
  using Kind = DecimalDigits::Kind;
  switch (static_cast<std::uint8_t>(*kind)) {
    case kMinusInfinity:
      value.kind = Kind::kNegativeInfinity;
      return value;
    case kPlusInfinity:
      value.kind = Kind::kInfinity;
      return value;
    case kNotANumber:
      value.kind = Kind::kNan;
      return value;
    case kZero:
      value.digits = {0};
      return value;
    case kNegative:
      value.negative = true;
      break;
    case kPositive:
      break;
    default:
      fail();
      return std::nullopt;
  }
  const std::byte mask = value.negative ? ~column_mask : column_mask;
  std::uint32_t biased = 0;
  for (int i = 0; i < 4; ++i) {
    const auto next = byte(mask);
    if (!next) return std::nullopt;
    biased = biased << 8 | static_cast<std::uint32_t>(*next);
  }
  const auto exponent = static_cast<std::int32_t>(biased - kExponentBias);
  if (exponent > kDecimalExponentMax || exponent < -kDecimalExponentMax) fail();
  while (ok_) {
    const auto next = byte(mask);
    if (!next) return std::nullopt;
    const auto pair = static_cast<std::uint8_t>(*next);
    if (pair == 0) break;
    if (pair > 100) fail();
    value.digits.push_back(static_cast<std::uint8_t>((pair - 1) / 10));
    value.digits.push_back(static_cast<std::uint8_t>((pair - 1) % 10));
  }
  if (!ok_ || value.digits.empty()) {
    fail();
    return std::nullopt;
  }
  if (value.digits.back() == 0) value.digits.pop_back();
  const auto kept = static_cast<std::int32_t>(value.digits.size());
  value.scale = std::max(0, kept - exponent);
  if (exponent > kept) value.digits.resize(static_cast<std::size_t>(exponent), 0);
  return value;
}

std::optional<ByteBuffer> KeyReader::bytes(KeyOrder order) {
  if (!marker(order)) return std::nullopt;
  const std::byte mask = order.descending ? std::byte{0xff} : std::byte{0};
  ByteBuffer value;
  while (true) {
    const auto next = byte(mask);
    if (!next) return std::nullopt;
    if (*next != kEscape) {
      value.push_back(*next);
      continue;
    }
    const auto after = byte(mask);
    if (!after) return std::nullopt;
    if (*after == kTerminator) return value;
    if (*after != kEscapedZero) {
      fail();
      return std::nullopt;
    }
    value.push_back(kEscape);
  }
}

// --- bounds
// ----------------------------------------------------------------------------------------

Status check_key_size(ByteView key) {
  if (key.size() <= kIndexKeyBytesMax) return {};
  return std::unexpected(
      Error(Code::kLimitExceeded, "index row size " + std::to_string(key.size()) +
                                      " exceeds the maximum of " +
                                      std::to_string(kIndexKeyBytesMax) + " bytes")
          .note('C', "54000"));
}

void append_egid(ByteBuffer& key, std::uint64_t egid) {
  const std::size_t at = key.size();
  key.resize(at + sizeof egid);
  store_be(key.data() + at, egid);
}

int compare_keys(ByteView a, ByteView b) {
  const std::size_t common = std::min(a.size(), b.size());
  const int order = common == 0 ? 0 : std::memcmp(a.data(), b.data(), common);
  if (order != 0) return order;
  return a.size() == b.size() ? 0 : (a.size() < b.size() ? -1 : 1);
}

bool KeyRange::contains(ByteView key) const {
  return compare_keys(low, key) <= 0 && (!high || compare_keys(key, *high) < 0);
}

std::optional<ByteBuffer> key_successor(ByteView prefix) {
  ByteBuffer next(prefix.begin(), prefix.end());
  while (!next.empty() && next.back() == std::byte{0xff}) next.pop_back();
  if (next.empty()) return std::nullopt;
  next.back() = static_cast<std::byte>(static_cast<unsigned>(next.back()) + 1);
  return next;
}

KeyRange key_prefix_range(ByteView prefix) {
  return {ByteBuffer(prefix.begin(), prefix.end()), key_successor(prefix)};
}

namespace {

ByteBuffer joined(ByteView prefix, ByteView column) {
  ByteBuffer key(prefix.begin(), prefix.end());
  append(key, column);
  return key;
}

}  // namespace

KeyRange key_column_range(ByteView prefix, KeyOrder order, std::optional<KeyBound> from,
                          std::optional<KeyBound> to) {
  if (order.descending) std::swap(from, to);
  KeyRange range = key_prefix_range(joined(prefix, ByteView(&kValue, 1)));
  if (from) {
    ByteBuffer low = joined(prefix, from->column);
    // The marker is below 0xff, so a column always has a successor.
    range.low = from->inclusive ? std::move(low) : *key_successor(low);
  }
  if (to) {
    ByteBuffer high = joined(prefix, to->column);
    range.high = to->inclusive ? *key_successor(high) : std::move(high);
  }
  return range;
}

KeyRange key_null_range(ByteView prefix, KeyOrder order) {
  const std::byte marker = order.nulls_first ? kNullFirst : kNullLast;
  return key_prefix_range(joined(prefix, ByteView(&marker, 1)));
}

}  // namespace coppice
