// sha2.h — the hashes of FIPS 180-4.
#pragma once

#include <string>
#include <string_view>

namespace coppice::sql_text {

enum class Sha2 { k224, k256, k384, k512 };
void append_sha2(Sha2 kind, std::string_view bytes, std::string& to);

}  // namespace coppice::sql_text
