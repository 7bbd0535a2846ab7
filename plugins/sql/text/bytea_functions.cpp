// bytea_functions.cpp — parts, bits and hashes of byte strings; encode and decode.
//
// Source:   PostgreSQL 15, varlena.c, encode.c, cryptohashfuncs.c.
#include <algorithm>
#include <bit>
#include <limits>

#include "interfaces/sql_call.h"
#include "interfaces/sql_rows.h"
#include "plugins/sql/text/byte_text.h"
#include "plugins/sql/text/find_bytes.h"
#include "plugins/sql/text/parts.h"
#include "plugins/sql/text/sha2.h"
#include "plugins/sql/text/text_parts.h"
#include "plugins/sql/text/utf8.h"

namespace coppice::sql_text {
namespace {

using type_oid::kBytea;
using type_oid::kInt4;
using type_oid::kInt8;
using type_oid::kName;
using type_oid::kText;

using Bytes = std::string_view;
using Int = std::int32_t;

Status byte_length(Int& to, Bytes bytes) {
  to = static_cast<Int>(bytes.size());
  return {};
}
Status bit_length(Int& to, Bytes bytes) {
  to = static_cast<Int>(bytes.size() * 8);
  return {};
}
Status bit_count(std::int64_t& to, Bytes bytes) {
  to = 0;
  for (const char c : bytes) to += std::popcount(static_cast<unsigned char>(c));
  return {};
}
Status position(Int& to, Bytes bytes, Bytes what) {
  const std::size_t found = find_bytes(bytes, what);
  to = found == Bytes::npos ? 0 : static_cast<Int>(found) + 1;
  return {};
}
Status concatenate(std::string& to, Bytes a, Bytes b) {
  COPPICE_TRY(append_bounded(to, a));
  return append_bounded(to, b);
}
Status substr_from(std::string& to, Bytes bytes, Int start) {
  to.append(slice_bytes(bytes, std::int64_t{start} - 1, kToTheEnd));
  return {};
}
Status substr(std::string& to, Bytes bytes, Int start, Int length) {
  if (length < 0) return std::unexpected(negative_length());
  to.append(slice_bytes(bytes, std::int64_t{start} - 1, length));
  return {};
}
Status overlay(std::string& to, Bytes bytes, Bytes with, Int start, Int length) {
  if (start <= 0) return std::unexpected(negative_length());
  const std::int64_t rest = std::int64_t{start} + length;
  if (rest > std::numeric_limits<Int>::max() || rest < std::numeric_limits<Int>::min())
    return std::unexpected(fault_error(Fault::kInt4Range));
  COPPICE_TRY(append_bounded(to, slice_bytes(bytes, 0, start - 1)));
  COPPICE_TRY(append_bounded(to, with));
  return append_bounded(to, slice_bytes(bytes, rest - 1, kToTheEnd));
}
Status overlay_same(std::string& to, Bytes bytes, Bytes with, Int start) {
  return overlay(to, bytes, with, start, static_cast<Int>(with.size()));
}

Bytes trim_left(Bytes bytes, Bytes set) {
  bytes.remove_prefix(std::min(bytes.find_first_not_of(set), bytes.size()));
  return bytes;
}
Bytes trim_right(Bytes bytes, Bytes set) {
  return bytes.substr(0, bytes.find_last_not_of(set) + 1);
}
Status btrim(std::string& to, Bytes bytes, Bytes set) {
  to.append(trim_right(trim_left(bytes, set), set));
  return {};
}
Status ltrim(std::string& to, Bytes bytes, Bytes set) {
  to.append(trim_left(bytes, set));
  return {};
}
Status rtrim(std::string& to, Bytes bytes, Bytes set) {
  to.append(trim_right(bytes, set));
  return {};
}

Status check_index(std::int64_t index, std::int64_t size) {
  if (index >= 0 && index < size) return {};
  return std::unexpected(sql_error(
      "2202E",
      "index " + std::to_string(index) + " out of valid range, 0.." + std::to_string(size - 1)));
}
Status get_byte(Int& to, Bytes bytes, Int index) {
  COPPICE_TRY(check_index(index, static_cast<std::int64_t>(bytes.size())));
  to = static_cast<unsigned char>(bytes[static_cast<std::size_t>(index)]);
  return {};
}
Status set_byte(std::string& to, Bytes bytes, Int index, Int value) {
  COPPICE_TRY(check_index(index, static_cast<std::int64_t>(bytes.size())));
  to.append(bytes);
  to[static_cast<std::size_t>(index)] = static_cast<char>(value);
  return {};
}
Status get_bit(Int& to, Bytes bytes, std::int64_t index) {
  COPPICE_TRY(check_index(index, static_cast<std::int64_t>(bytes.size()) * 8));
  to = static_cast<unsigned char>(bytes[static_cast<std::size_t>(index / 8)]) >> index % 8 & 1;
  return {};
}
Status set_bit(std::string& to, Bytes bytes, std::int64_t index, Int value) {
  COPPICE_TRY(check_index(index, static_cast<std::int64_t>(bytes.size()) * 8));
  if (value != 0 && value != 1)
    return std::unexpected(sql_error("22023", "new bit must be 0 or 1"));
  to.append(bytes);
  char& byte = to[static_cast<std::size_t>(index / 8)];
  const int mask = 1 << index % 8;
  byte = static_cast<char>(value == 1 ? byte | mask : byte & ~mask);
  return {};
}

Status md5(std::string& to, Bytes bytes) {
  to = md5_hex(bytes);
  return {};
}
template <Sha2 kKind>
Status sha2(std::string& to, Bytes bytes) {
  append_sha2(kKind, bytes, to);
  return {};
}

std::string lower_ascii(std::string_view name) {
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(), ascii_lower);
  return lower;
}
std::unexpected<Error> unknown_encoding(std::string_view name) {
  return std::unexpected(
      sql_error("22023", "unrecognized encoding: \"" + std::string(name) + "\""));
}

Status encode(std::string& to, Bytes bytes, std::string_view name) {
  const std::string kind = lower_ascii(name);
  if (kind == "hex")
    encode_hex(bytes, to);
  else if (kind == "base64")
    encode_base64(bytes, to);
  else if (kind == "escape")
    encode_escape(bytes, to);
  else
    return unknown_encoding(name);
  return {};
}
Status decode(std::string& to, std::string_view text, std::string_view name) {
  const std::string kind = lower_ascii(name);
  if (kind == "hex") return decode_hex(text, to);
  if (kind == "base64") return decode_base64(text, to);
  if (kind == "escape") return decode_escape(text, to);
  return unknown_encoding(name);
}

// The one encoding there is.
Status check_encoding(std::string_view name) {
  std::string plain;
  for (const char c : name)
    if (c != '-' && c != '_' && c != ' ') plain.push_back(ascii_lower(c));
  if (plain == "utf8" || plain == "unicode") return {};
  return std::unexpected(sql_error(sqlstate::kFeatureNotSupported,
                                   "encoding \"" + std::string(name) + "\" is not supported"));
}
Status convert_from(std::string& to, Bytes bytes, std::string_view encoding) {
  COPPICE_TRY(check_encoding(encoding));
  COPPICE_TRY(check_utf8(bytes));
  to.append(bytes);
  return {};
}
Status convert_to(std::string& to, std::string_view text, std::string_view encoding) {
  COPPICE_TRY(check_encoding(encoding));
  to.append(text);
  return {};
}

constexpr std::array kFunctions = {
    FunctionRow{2010, "length", kInt4, {kBytea}, kCall<byte_length>},
    FunctionRow{720, "octet_length", kInt4, {kBytea}, kCall<byte_length>},
    FunctionRow{1810, "bit_length", kInt4, {kBytea}, kCall<bit_length>},
    FunctionRow{6163, "bit_count", kInt8, {kBytea}, kCall<bit_count>},
    FunctionRow{2014, "position", kInt4, {kBytea, kBytea}, kCall<position>},
    FunctionRow{2011, "byteacat", kBytea, {kBytea, kBytea}, kCall<concatenate>},
    FunctionRow{2085, "substr", kBytea, {kBytea, kInt4, kInt4}, kCall<substr>},
    FunctionRow{2086, "substr", kBytea, {kBytea, kInt4}, kCall<substr_from>},
    FunctionRow{2012, "substring", kBytea, {kBytea, kInt4, kInt4}, kCall<substr>},
    FunctionRow{2013, "substring", kBytea, {kBytea, kInt4}, kCall<substr_from>},
    FunctionRow{749, "overlay", kBytea, {kBytea, kBytea, kInt4, kInt4}, kCall<overlay>},
    FunctionRow{752, "overlay", kBytea, {kBytea, kBytea, kInt4}, kCall<overlay_same>},
    FunctionRow{2015, "btrim", kBytea, {kBytea, kBytea}, kCall<btrim>},
    FunctionRow{6195, "ltrim", kBytea, {kBytea, kBytea}, kCall<ltrim>},
    FunctionRow{6196, "rtrim", kBytea, {kBytea, kBytea}, kCall<rtrim>},
    FunctionRow{721, "get_byte", kInt4, {kBytea, kInt4}, kCall<get_byte>},
    FunctionRow{722, "set_byte", kBytea, {kBytea, kInt4, kInt4}, kCall<set_byte>},
    FunctionRow{723, "get_bit", kInt4, {kBytea, kInt8}, kCall<get_bit>},
    FunctionRow{724, "set_bit", kBytea, {kBytea, kInt8, kInt4}, kCall<set_bit>},
    FunctionRow{2311, "md5", kText, {kText}, kCall<md5>},
    FunctionRow{2321, "md5", kText, {kBytea}, kCall<md5>},
    FunctionRow{3419, "sha224", kBytea, {kBytea}, kCall<sha2<Sha2::k224>>},
    FunctionRow{3420, "sha256", kBytea, {kBytea}, kCall<sha2<Sha2::k256>>},
    FunctionRow{3421, "sha384", kBytea, {kBytea}, kCall<sha2<Sha2::k384>>},
    FunctionRow{3422, "sha512", kBytea, {kBytea}, kCall<sha2<Sha2::k512>>},
    FunctionRow{1946, "encode", kText, {kBytea, kText}, kCall<encode>},
    FunctionRow{1947, "decode", kBytea, {kText, kText}, kCall<decode>},
    FunctionRow{
        1714, "convert_from", kText, {kBytea, kName}, kCall<convert_from>, Volatility::kStable},
    FunctionRow{1717, "convert_to", kBytea, {kText, kName}, kCall<convert_to>, Volatility::kStable},
};

}  // namespace

void add_bytea_functions(SqlRegistry& registry) {
  add_rows(registry, std::span<const FunctionRow>(kFunctions));
}

}  // namespace coppice::sql_text
