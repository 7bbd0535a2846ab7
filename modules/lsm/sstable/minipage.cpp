#include "modules/lsm/sstable/minipage.h"

#include <algorithm>
#include <array>
#include <vector>

#include "kernel/base/assert.h"
#include "kernel/base/checksum.h"
#include "kernel/base/coding.h"

namespace coppice::lsm {
namespace {

constexpr std::uint8_t kHasNulls = 1;
constexpr std::uint8_t kHasZone = 2;
constexpr unsigned kDictionaryTriedFromWidth = 8;  // narrower frames are hard to beat

void append_fixed(PhysicalType type, Int128 bits, ByteBuffer& to) {
  append(to, std::as_bytes(std::span(&bits, 1)).first(fixed_bytes(type)));
}

std::uint64_t hash_of(UInt128 bits) {
  const auto folded = static_cast<std::uint64_t>(bits) ^ static_cast<std::uint64_t>(bits >> 64);
  return (folded * 0x9e3779b97f4a7c15ULL) >> 32;
}
std::uint64_t hash_of(ByteView bytes) {
  return xxh3_64(bytes);
}
bool same(UInt128 a, UInt128 b) {
  return a == b;
}
bool same(ByteView a, ByteView b) {
  return as_text(a) == as_text(b);
}

// The distinct values of a column and each row's code, until there are too many of them.
template <class Value>
class DictionaryBuilder {
 public:
  explicit DictionaryBuilder(std::size_t entries_max) : entries_max_(entries_max) {
    slots_.fill(kFree);
  }
  bool add(Value value) {  // false: too many
    std::size_t at = hash_of(value) % kSlots;
    while (slots_[at] != kFree && !same(entries[slots_[at]], value)) at = (at + 1) % kSlots;
    if (slots_[at] == kFree) {
      if (entries.size() == entries_max_) return false;
      slots_[at] = static_cast<std::uint16_t>(entries.size());
      entries.push_back(value);
    }
    codes.push_back(slots_[at]);
    return true;
  }
  void add_null() { codes.push_back(0); }
  template <class Less>
  void sort(Less less) {  // so that codes compare as values do
    std::vector<std::uint32_t> order(entries.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::sort(order, [&](auto a, auto b) { return less(entries[a], entries[b]); });
    std::vector<Value> sorted;
    std::vector<std::uint64_t> code_of(entries.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) {
      sorted.push_back(entries[order[i]]);
      code_of[order[i]] = i;
    }
    entries = std::move(sorted);
    for (std::uint64_t& code : codes) code = code_of[code];
  }
  unsigned code_width() const { return packed_width(entries.size() - 1); }

  std::vector<Value> entries;
  std::vector<std::uint64_t> codes;

 private:
  static constexpr std::size_t kSlots = 4096;
  static constexpr std::uint16_t kFree = UINT16_MAX;
  static_assert(kVectorRows * 2 <= kSlots);
  std::size_t entries_max_;
  std::array<std::uint16_t, kSlots> slots_;
};

struct Encoder {
  const Vector values;
  std::uint32_t rows;
  MinipageHeader& header;
  ByteBuffer& to;

  void choose(Encoding encoding, unsigned width = 0) const {
    header.encoding = static_cast<std::uint8_t>(encoding);
    header.width = static_cast<std::uint8_t>(width);
  }
  template <class T>
  void integers() const;
  void floats() const;
  void bytes() const;
  void flat() const {
    choose(Encoding::kFlat);
    append(to, {values.flat_values(), rows * fixed_bytes(header.type)});
  }
  template <class T>
  bool sequence(std::span<const T> numbers) const;
  bool dictionary_of_fixed(std::size_t other_bytes) const;
};

template <class T>
bool Encoder::sequence(std::span<const T> numbers) const {
  if constexpr (sizeof(T) > 8) return false;
  if (header.null_count != 0 || rows < 2) return false;
  const auto base = static_cast<std::uint64_t>(numbers[0]);
  const std::uint64_t step = static_cast<std::uint64_t>(numbers[1]) - base;
  for (std::uint32_t row = 2; row < rows; ++row)
    if (static_cast<std::uint64_t>(numbers[row]) != base + step * row) return false;
  choose(Encoding::kSequence);
  ByteWriter writer(to);
  writer.u64(base);
  writer.u64(step);
  return true;
}

bool Encoder::dictionary_of_fixed(std::size_t other_bytes) const {
  const std::size_t value_bytes = fixed_bytes(header.type);
  const std::size_t entries_max =
      std::min<std::size_t>(kDictionaryEntriesMax, other_bytes / (value_bytes + 1));
  DictionaryBuilder<UInt128> builder(entries_max);
  for (std::uint32_t row = 0; row < rows; ++row) {
    if (values.is_null(row))
      builder.add_null();
    else if (!builder.add(static_cast<UInt128>(values.datum_at(row).bits)))
      return false;
  }
  const unsigned width = builder.code_width();
  if (2 + builder.entries.size() * value_bytes + packed_bytes(rows, width) >= other_bytes)
    return false;
  builder.sort(
      [](UInt128 a, UInt128 b) { return static_cast<Int128>(a) < static_cast<Int128>(b); });
  choose(Encoding::kDictionary, width);
  ByteWriter writer(to);
  writer.u16(static_cast<std::uint16_t>(builder.entries.size()));
  for (const UInt128 entry : builder.entries)
    append_fixed(header.type, static_cast<Int128>(entry), to);
  pack(builder.codes, width, to);
  return true;
}

template <class T>
void Encoder::integers() const {
  std::array<T, kVectorRows> storage;
  const std::span<T> numbers(storage.data(), rows);
  values.decode(0, numbers);
  T least = 0;
  T greatest = 0;
  bool any = false;
  for (std::uint32_t row = 0; row < rows; ++row) {
    if (values.is_null(row)) continue;
    least = any ? std::min(least, numbers[row]) : numbers[row];
    greatest = any ? std::max(greatest, numbers[row]) : numbers[row];
    any = true;
  }
  header.zone.add(zone_of_int128(least));
  header.zone.add(zone_of_int128(greatest));
  if (least == greatest) {
    choose(Encoding::kConstant);
    return append_fixed(header.type, least, to);
  }
  if (sequence<T>(numbers)) return;
  const UInt128 range = static_cast<UInt128>(static_cast<Int128>(greatest)) -
                        static_cast<UInt128>(static_cast<Int128>(least));
  const std::size_t flat_bytes = rows * fixed_bytes(header.type);
  const unsigned width = range > UINT64_MAX ? 64 : packed_width(static_cast<std::uint64_t>(range));
  const std::size_t base_bytes = std::max<std::size_t>(8, sizeof(T));
  const std::size_t frame_bytes =
      range > UINT64_MAX ? flat_bytes : base_bytes + packed_bytes(rows, width);
  if (width >= kDictionaryTriedFromWidth && dictionary_of_fixed(std::min(frame_bytes, flat_bytes)))
    return;
  if (range > UINT64_MAX || flat_bytes <= frame_bytes) return flat();
  choose(Encoding::kFrame, width);
  const Int128 base = least;
  append(to, std::as_bytes(std::span(&base, 1)).first(base_bytes));
  std::array<std::uint64_t, kVectorRows> rest;
  for (std::uint32_t row = 0; row < rows; ++row)
    rest[row] = values.is_null(row)
                    ? 0
                    : static_cast<std::uint64_t>(static_cast<UInt128>(numbers[row]) -
                                                 static_cast<UInt128>(least));
  pack({rest.data(), rows}, width, to);
}

void Encoder::floats() const {
  bool constant = true;
  std::optional<Int128> first;
  for (std::uint32_t row = 0; row < rows; ++row) {
    if (values.is_null(row)) continue;
    const Datum value = values.datum_at(row);
    header.zone.add(zone_of(value));
    if (!first) first = value.bits;
    constant = constant && *first == value.bits;
  }
  if (constant) {
    choose(Encoding::kConstant);
    return append_fixed(header.type, *first, to);
  }
  if (!dictionary_of_fixed(rows * fixed_bytes(header.type))) flat();
}

void append_offsets(std::span<const ByteView> items, unsigned width, ByteBuffer& to) {
  std::vector<std::uint64_t> offsets{0};
  offsets.reserve(items.size() + 1);
  for (const ByteView item : items) offsets.push_back(offsets.back() + item.size());
  pack(offsets, width, to);
  for (const ByteView item : items) append(to, item);
}

void Encoder::bytes() const {
  DictionaryBuilder<ByteView> builder(kDictionaryEntriesMax);
  std::vector<ByteView> items(rows);
  std::size_t heap = 0;
  for (std::uint32_t row = 0; row < rows; ++row) {
    if (values.is_null(row)) {
      builder.add_null();
      continue;
    }
    items[row] = values.bytes_at(row);
    heap += items[row].size();
    header.zone.add(zone_of_bytes(items[row]));
    COPPICE_ASSERT(builder.add(items[row]));  // at most 1,024 rows
  }
  if (builder.entries.size() == 1) {
    choose(Encoding::kConstant);
    return append(to, builder.entries[0]);
  }
  const unsigned width = packed_width(heap);
  std::size_t entry_heap = 0;
  for (const ByteView entry : builder.entries) entry_heap += entry.size();
  const std::size_t entries = builder.entries.size();
  const unsigned code_width = builder.code_width();
  const unsigned entry_width = packed_width(entry_heap);
  const std::size_t dictionary_bytes =
      7 + packed_bytes(entries + 1, entry_width) + entry_heap + packed_bytes(rows, code_width);
  if (dictionary_bytes >= packed_bytes(rows + 1, width) + heap) {
    choose(Encoding::kOffsets, width);
    return append_offsets(items, width, to);
  }
  builder.sort([](ByteView a, ByteView b) { return as_text(a) < as_text(b); });
  choose(Encoding::kDictionary, code_width);
  ByteWriter writer(to);
  writer.u16(static_cast<std::uint16_t>(entries));
  writer.u8(static_cast<std::uint8_t>(entry_width));
  writer.u32(static_cast<std::uint32_t>(entry_heap));
  append_offsets(builder.entries, entry_width, to);
  pack(builder.codes, code_width, to);
}

// --- reading ----------------------------------------------------------------------------------

bool ascends_within(const std::byte* packed, unsigned width, std::size_t count,
                    std::size_t heap_bytes) {
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t offset = packed_at(packed, width, i);
    if (offset < before || offset > heap_bytes) return false;
    before = offset;
  }
  return packed_at(packed, width, 0) == 0 && before == heap_bytes;
}

const char* open_dictionary(const MinipageHeader& header, std::uint32_t rows, ByteReader& reader,
                            Minipage& to) {
  const std::uint32_t entries = reader.u16();
  if (entries == 0 || entries > kDictionaryEntriesMax) return "dictionary of impossible size";
  if (is_bytes(header.type)) {
    const unsigned width = reader.u8();
    const std::uint32_t heap_bytes = reader.u32();
    if (!is_packable_width(width)) return "impossible width";
    const ByteView offsets = reader.bytes(packed_bytes(entries + std::size_t{1}, width));
    const ByteView heap = reader.bytes(heap_bytes);
    if (!reader.ok()) return "dictionary out of bounds";
    if (!ascends_within(offsets.data(), width, entries + std::size_t{1}, heap.size()))
      return "dictionary offsets out of order";
    to.dictionary = Vector::offsets(entries, width, offsets.data(), heap.data());
  } else {
    const ByteView flat = reader.bytes(entries * fixed_bytes(header.type));
    if (!reader.ok()) return "dictionary out of bounds";
    to.dictionary = Vector::flat(header.type, entries, flat.data());
  }
  const ByteView codes = reader.bytes(packed_bytes(rows, header.width));
  if (!reader.ok()) return "codes out of bounds";
  for (std::uint32_t row = 0; row < rows; ++row)
    if (packed_at(codes.data(), header.width, row) >= entries) return "code above the dictionary";
  to.values = Vector::dictionary(rows, header.width, codes.data(), &to.dictionary);
  return nullptr;
}

Int128 read_fixed(ByteReader& reader, PhysicalType type) {
  const ByteView bytes = reader.bytes(fixed_bytes(type));
  return reader.ok() ? Vector::flat(type, 1, bytes.data()).datum_at(0).bits : 0;
}

const char* open_constant(const MinipageHeader& header, std::uint32_t rows, ByteReader& reader,
                          Minipage& to) {
  Datum value = Datum::null_of(header.type);
  if (!header.has_null_bitmap && header.null_count != 0) {  // no row has a value
    to.values = Vector::constant(value, rows);
    return header.null_count == rows ? nullptr : "null count without a bitmap";
  }
  value.null = false;
  if (is_bytes(header.type))
    value.bytes = reader.bytes(reader.remaining());
  else
    value.bits = read_fixed(reader, header.type);
  to.values = Vector::constant(value, rows);
  return nullptr;
}

const char* open_values(const MinipageHeader& header, std::uint32_t rows, ByteReader& reader,
                        Minipage& to) {
  const PhysicalType type = header.type;
  switch (static_cast<Encoding>(header.encoding)) {
    case Encoding::kFlat: {
      if (is_bytes(type)) return "flat bytes";
      const ByteView flat = reader.bytes(rows * fixed_bytes(type));
      to.values = Vector::flat(type, rows, flat.data());
      return nullptr;
    }
    case Encoding::kConstant:
      return open_constant(header, rows, reader, to);
    case Encoding::kFrame: {
      if (!is_integer(type)) return "frame of reference of another type";
      const Int128 base = type == PhysicalType::kInt128 ? read_fixed(reader, PhysicalType::kInt128)
                                                        : static_cast<std::int64_t>(reader.u64());
      const ByteView packed = reader.bytes(packed_bytes(rows, header.width));
      to.values = Vector::frame(type, rows, base, header.width, packed.data());
      return nullptr;
    }
    case Encoding::kSequence: {
      if (!is_integer(type)) return "sequence of another type";
      const auto base = static_cast<std::int64_t>(reader.u64());
      to.values = Vector::sequence(type, rows, base, static_cast<std::int64_t>(reader.u64()));
      return nullptr;
    }
    case Encoding::kDictionary:
      return open_dictionary(header, rows, reader, to);
    case Encoding::kOffsets: {
      if (!is_bytes(type)) return "offsets of another type";
      const ByteView offsets = reader.bytes(packed_bytes(rows + std::size_t{1}, header.width));
      const ByteView heap = reader.bytes(reader.remaining());
      if (!reader.ok()) return "offsets out of bounds";
      if (!ascends_within(offsets.data(), header.width, rows + std::size_t{1}, heap.size()))
        return "offsets out of order";
      to.values = Vector::offsets(rows, header.width, offsets.data(), heap.data());
      return nullptr;
    }
  }
  return "unknown encoding";
}

}  // namespace

void MinipageHeader::write(std::byte* to) const {
  store_le(to, column.value);
  to[2] = static_cast<std::byte>(type);
  to[3] = static_cast<std::byte>(encoding);
  to[4] = static_cast<std::byte>(width);
  to[5] = static_cast<std::byte>((has_null_bitmap ? kHasNulls : 0) | (zone.empty() ? 0 : kHasZone));
  store_le(to + 6, null_count);
  store_le(to + 8, offset);
  store_le(to + 12, length);
  store_le(to + 16, zone.empty() ? std::uint64_t{0} : zone.min);
  store_le(to + 24, zone.empty() ? std::uint64_t{0} : zone.max);
}

std::optional<MinipageHeader> MinipageHeader::read(const std::byte* from) {
  MinipageHeader header;
  header.column = {load_le<std::uint16_t>(from)};
  const auto type = static_cast<std::uint8_t>(from[2]);
  header.encoding = static_cast<std::uint8_t>(from[3]);
  header.width = static_cast<std::uint8_t>(from[4]);
  const auto flags = static_cast<std::uint8_t>(from[5]);
  if (!is_physical_type(type) || !is_packable_width(header.width) || flags > 3) return std::nullopt;
  header.type = static_cast<PhysicalType>(type);
  header.has_null_bitmap = (flags & kHasNulls) != 0;
  header.null_count = load_le<std::uint16_t>(from + 6);
  header.offset = load_le<std::uint32_t>(from + 8);
  header.length = load_le<std::uint32_t>(from + 12);
  if ((flags & kHasZone) != 0)
    header.zone = {load_le<std::uint64_t>(from + 16), load_le<std::uint64_t>(from + 24)};
  return header;
}

bool is_wide(const VectorBuffer& values) {
  return is_bytes(values.type()) && values.heap_bytes() > kNarrowMinipageMax;
}

void append_minipage(const VectorBuffer& values, MinipageHeader& header, ByteBuffer& to) {
  COPPICE_ASSERT(values.size() > 0 && values.size() <= kVectorRows);
  header.type = values.type();
  header.null_count = static_cast<std::uint16_t>(values.null_count());
  header.has_null_bitmap = values.null_count() != 0 && values.null_count() != values.size();
  header.zone = {};
  if (header.has_null_bitmap) append(to, values.null_bitmap());
  const Encoder encoder{values.view(), values.size(), header, to};
  if (values.null_count() == values.size()) return encoder.choose(Encoding::kConstant);
  if (is_bytes(header.type)) return encoder.bytes();
  if (is_float(header.type)) return encoder.floats();
  if (header.type == PhysicalType::kInt128) return encoder.integers<Int128>();
  encoder.integers<std::int64_t>();
}

void append_wide_minipage(const VectorBuffer& nulls, const WideDirectoryWriter& directory,
                          MinipageHeader& header, ByteBuffer& to) {
  header.type = PhysicalType::kBytes;
  header.encoding = kWideEncoding;
  header.width = 0;
  header.null_count = static_cast<std::uint16_t>(nulls.null_count());
  header.has_null_bitmap = nulls.null_count() != 0;
  if (header.has_null_bitmap) append(to, nulls.null_bitmap());
  directory.append_to(to);
}

const char* open_minipage(const MinipageHeader& header, std::uint32_t rows, ByteView block,
                          Minipage& to) {
  if (header.offset > block.size() || block.size() - header.offset < kBitPackingSlack ||
      header.length > block.size() - header.offset - kBitPackingSlack)
    return "minipage out of bounds";
  to.header = header;
  ByteReader reader(block.subspan(header.offset, header.length));
  ByteView nulls;
  if (header.has_null_bitmap) {
    nulls = reader.bytes((rows + 7) / 8);
    if (!reader.ok()) return "null bitmap out of bounds";
  }
  if (header.encoding == kWideEncoding) {
    if (!is_bytes(header.type)) return "wide column of another type";
    to.wide = WideDirectory::read(reader.bytes(reader.remaining()), rows);
    if (!to.wide) return "bad chunk directory";
    to.values = Vector::constant(Datum::of(ByteView{}), rows);
  } else if (const char* reason = open_values(header, rows, reader, to)) {
    return reason;
  }
  if (!reader.done()) return "minipage of another length";
  if (header.has_null_bitmap) to.values.set_nulls(nulls.data());
  return nullptr;
}

}  // namespace coppice::lsm
