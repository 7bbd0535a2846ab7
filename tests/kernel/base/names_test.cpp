// names_test.cpp — suggestions help when they are near and keep quiet when they are not.
#include "kernel/base/names.h"

#include <doctest/doctest.h>

#include <array>

#include "kernel/base/type_name.h"

using namespace coppice;

namespace {
constexpr std::array<std::string_view, 4> kKeys = {"tree_split_size", "level_codecs", "vfs",
                                                   "port"};
struct Sample {};
}  // namespace

TEST_CASE("a misspelt name finds its neighbour") {
  CHECK(nearest_name("tree_split_sise", kKeys) == "tree_split_size");
  CHECK(nearest_name("prot", kKeys) == "port");
  CHECK(nearest_name("level_codec", kKeys) == "level_codecs");
}

TEST_CASE("a name far from all gets no suggestion") {
  CHECK(nearest_name("bucket", kKeys).empty());
  CHECK(nearest_name(std::string(100000, 'x'), kKeys).empty());
  CHECK(nearest_name("x", {}).empty());
}

TEST_CASE("types have short names and identities") {
  CHECK(type_name<Sample>() == "Sample");
  CHECK(type_name<int>() == "int");
  CHECK(type_id<int>() != type_id<Sample>());
  CHECK(type_id<int>() == type_id<int>());
}
