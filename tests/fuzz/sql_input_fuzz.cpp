// sql_input_fuzz.cpp — what a client sends as a value, text or binary, of any type: no crash, and
// what was taken is written, read and written again the same.
#include <array>
#include <vector>

#include "interfaces/sql_pack.h"
#include "kernel/base/assert.h"
#include "plugins/sql/core/core_pack.h"
#include "plugins/sql/datetime/datetime_pack.h"
#include "plugins/sql/numeric/numeric_pack.h"
#include "plugins/sql/text/text_pack.h"

using namespace coppice;

namespace {

std::vector<const SqlType*> all_types() {
  static SqlRegistry registry;
  const sql_core::CorePack core;
  const sql_datetime::DatetimePack datetime;
  const sql_numeric::NumericPack numeric;
  const sql_text::TextPack text;
  for (const SqlPack* const pack : std::array<const SqlPack*, 4>{&core, &datetime, &numeric, &text})
    pack->add_types(registry);
  std::vector<const SqlType*> types;
  for (const SqlType* const type : registry.all_types())
    if (type->info().category != 'P') types.push_back(type);
  return types;
}

ByteBuffer written(const SqlType& type, WireForm form, const VectorBuffer& value) {
  FormattedColumn column;
  const Status done = type.format(form, value.view(), Selection::all(1), SqlSettings(), column);
  COPPICE_ASSERT(done && column.ends.size() == 1);
  return column.bytes;
}

ByteBuffer key_of(const SqlType& type, const VectorBuffer& value) {
  ByteBuffer key;
  KeyWriter writer(key);
  type.write_key(value.view(), 0, KeyOrder::descending_nulls_first(), writer);
  return key;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<const SqlType*> types = all_types();
  constexpr std::size_t kHead = 4;
  if (size < kHead) return 0;
  const SqlType& type = *types[data[0] % types.size()];
  const WireForm form = (data[1] & 1) != 0 ? WireForm::kBinary : WireForm::kText;
  const std::array<std::int64_t, 2> wanted = {data[2], static_cast<std::int8_t>(data[3])};
  const auto modifier = type.modifier_of(std::span(wanted).first((data[1] >> 1) % 3));
  const ByteView input = std::as_bytes(std::span(data + kHead, size - kHead));
  const SqlSettings settings;

  VectorBuffer value(type.info().physical);
  if (!type.parse(form, input, modifier ? *modifier : -1, settings, value)) return 0;
  COPPICE_ASSERT(value.size() == 1);
  for (const WireForm again : {WireForm::kText, WireForm::kBinary}) {
    const ByteBuffer first = written(type, again, value);
    VectorBuffer read(type.info().physical);
    const Status parsed = type.parse(again, first, -1, settings, read);
    COPPICE_ASSERT(parsed && read.size() == 1);
    COPPICE_ASSERT(written(type, again, read) == first);
    if (type.info().ordered) COPPICE_ASSERT(key_of(type, read) == key_of(type, value));
  }
  return 0;
}
