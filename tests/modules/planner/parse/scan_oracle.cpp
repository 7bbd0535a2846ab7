#include "tests/modules/planner/parse/scan_oracle.h"

#include <pg_query.h>

#include <string_view>

#include "kernel/base/coding.h"

namespace coppice::planner {
namespace {

// message ScanToken { int32 start = 1; int32 end = 2; Token token = 4; KeywordKind … = 5; }
ScanToken token(ByteView bytes) {
  ByteReader reader(bytes);
  ScanToken token;
  while (!reader.done() && reader.ok()) {
    const std::uint64_t key = reader.varint();
    const std::uint64_t value = reader.varint();
    if (key >> 3 == 1) token.begin = static_cast<std::uint32_t>(value);
    if (key >> 3 == 2) token.end = static_cast<std::uint32_t>(value);
    if (key >> 3 == 4) token.kind = static_cast<int>(value);
  }
  return token;
}

}  // namespace

std::optional<std::vector<ScanToken>> scan_tokens(const std::string& text) {
  const PgQueryScanResult result = pg_query_scan(text.c_str());
  std::optional<std::vector<ScanToken>> tokens;
  if (result.error == nullptr) {
    tokens.emplace();
    ByteReader reader(as_bytes(std::string_view(result.pbuf.data, result.pbuf.len)));
    while (!reader.done() && reader.ok()) {  // message ScanResult { int32 = 1; ScanToken = 2; }
      const std::uint64_t key = reader.varint();
      if (key >> 3 == 2) {
        tokens->push_back(token(reader.sized_bytes()));
      } else {
        reader.varint();
      }
    }
  }
  pg_query_free_scan_result(result);
  return tokens;
}

}  // namespace coppice::planner
