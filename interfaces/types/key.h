// key.h — order-preserving keys: column values to bytes whose memcmp order is the values' order.
//
// Role:     what index trees are sorted by, and what planner and executor build bounds from.
//           Byte by byte in docs/formats/index.md.
// Owns:     a writer appends to the caller's buffer; a reader views the caller's bytes.
// Errors:   KeyReader fails for good like ByteReader: check ok() once at the end.
// Holds:    an encoded column is never a proper prefix of another one of its type, so columns can
//           be put one after the other and prefixes of columns are prefixes of bytes.
//           Equal values give equal bytes: what distinguishes them for display only (numeric scale,
//           -0, char(n) padding) is lost, and lossy() says so.
// Threads:  any. Parks: never.
#pragma once

#include <optional>
#include <vector>

#include "kernel/base/bytes.h"
#include "kernel/base/result.h"

namespace coppice {

inline constexpr std::size_t kIndexKeyBytesMax = 4096;  // SQLSTATE 54000 above it

struct KeyOrder {
  bool descending = false;
  bool nulls_first = false;

  static constexpr KeyOrder ascending_nulls_last() { return {false, false}; }  // ASC
  static constexpr KeyOrder descending_nulls_first() { return {true, true}; }  // DESC
};

// An arbitrary-precision number: digits × 10^-scale, digits most significant first, each 0 to 9.
struct DecimalDigits {
  enum class Kind : std::uint8_t { kNegativeInfinity, kFinite, kInfinity, kNan };
  Kind kind = Kind::kFinite;
  bool negative = false;
  std::vector<std::uint8_t> digits;
  std::int32_t scale = 0;
};
// The range of PostgreSQL's numeric, before and after the point; the writer clamps nothing.
inline constexpr std::int32_t kDecimalExponentMax = 1 << 20;

class KeyWriter {
 public:
  explicit KeyWriter(ByteBuffer& to) : to_(to) {}

  void null(KeyOrder order);
  void boolean(bool value, KeyOrder order);
  void int16(std::int16_t value, KeyOrder order);
  void int32(std::int32_t value, KeyOrder order);  // also date
  void int64(std::int64_t value, KeyOrder order);  // also timestamp, timestamptz, time
  void float32(float value, KeyOrder order);       // NaN above all, -0 = 0
  void float64(double value, KeyOrder order);
  // interval: a month counts 30 days, a day 24 hours; never read back.
  void interval(std::int32_t months, std::int32_t days, std::int64_t us, KeyOrder order);
  // |digits - scale| must stay within kDecimalExponentMax.
  void decimal(const DecimalDigits& value, KeyOrder order);
  void bytes(ByteView value, KeyOrder order);        // bytea, text under collation C, uuid
  void padded_text(ByteView value, KeyOrder order);  // char(n): trailing spaces do not count

  // The beginning of a text value, unterminated: a bound for LIKE 'abc%', never a key.
  void bytes_prefix(ByteView value, KeyOrder order);

  // True once anything was written that cannot be read back as it was.
  bool lossy() const { return lossy_; }
  // True once a NULL was written.
  bool has_null() const { return has_null_; }

 private:
  template <class T>
  void fixed(T sortable, KeyOrder order);
  void escaped(ByteView value, KeyOrder order);
  void invert_from(std::size_t start, KeyOrder order);

  ByteBuffer& to_;
  bool lossy_ = false;
  bool has_null_ = false;
};

// Reads the columns back in the order in which they were written. Each read answers nothing for a
// NULL (and on failure: check ok()).
class KeyReader {
 public:
  explicit KeyReader(ByteView key) : rest_(key) {}

  std::optional<bool> boolean(KeyOrder order);
  std::optional<std::int16_t> int16(KeyOrder order);
  std::optional<std::int32_t> int32(KeyOrder order);
  std::optional<std::int64_t> int64(KeyOrder order);
  std::optional<float> float32(KeyOrder order);
  std::optional<double> float64(KeyOrder order);
  std::optional<DecimalDigits> decimal(KeyOrder order);  // at the smallest scale
  std::optional<ByteBuffer> bytes(KeyOrder order);

  bool ok() const { return ok_; }
  bool done() const { return ok_ && rest_.empty(); }

 private:
  bool marker(KeyOrder order);  // true: a value follows
  template <class T>
  std::optional<T> fixed(KeyOrder order);
  std::optional<std::byte> byte(std::byte mask);
  void fail();

  ByteView rest_;
  bool ok_ = true;
};

// Refuses keys above kIndexKeyBytesMax (kLimitExceeded, SQLSTATE 54000).
Status check_key_size(ByteView key);

// NULLs are distinct in a unique index: a key that holds one is stored with its row's egid.
void append_egid(ByteBuffer& key, std::uint64_t egid);

// Half-open range of encoded keys; no `high` means to the end.
struct KeyRange {
  ByteBuffer low;
  std::optional<ByteBuffer> high;

  bool contains(ByteView key) const;
};

// Memcmp order, the order of keys.
int compare_keys(ByteView a, ByteView b);

// The smallest key above every key that starts with `prefix`; nothing if there is none.
std::optional<ByteBuffer> key_successor(ByteView prefix);

// All keys that start with `prefix`: an equality on the leading columns.
KeyRange key_prefix_range(ByteView prefix);

// One side of a comparison: the column alone, as a KeyWriter encoded it.
struct KeyBound {
  ByteView column;
  bool inclusive = true;
};
// `prefix` fixes the leading columns; the next column is between `from` and `to` in the order of
// *values*, whatever its KeyOrder. An absent side is open. NULLs are never inside, as in SQL.
KeyRange key_column_range(ByteView prefix, KeyOrder order, std::optional<KeyBound> from,
                          std::optional<KeyBound> to);
// The NULLs of the column that follows `prefix`.
KeyRange key_null_range(ByteView prefix, KeyOrder order);

}  // namespace coppice
