// rules_includes_test.cpp — include direction, third parties and style, on snippets.
#include <doctest/doctest.h>

#include "tests/tidy/snippets.h"

using namespace coppice::tidy;

namespace {

Policy policy() {
  Policy out;
  out.layers = {{"kernel/base", {"kernel/base"}},
                {"modules/*", {"kernel/base", "interfaces", "<own>", "kernel/core/log.h"}},
                {"modules/*/module.cpp", {"kernel/core"}},
                {"plugins/*/*", {"kernel/base", "interfaces", "<own>"}},
                {"tests", {"*"}}};
  out.libraries = {{"lz4", {"lz4"}}, {"Boost", {"boost/"}}, {"Asio", {"boost/asio"}}};
  out.third_party = {{"plugins/codec/lz4", {"lz4"}}, {"kernel/base", {"Boost"}}, {"tests", {"*"}}};
  return out;
}

Complaints direction(const std::string& path, const std::string& include) {
  return complaints(check_include_direction, policy(), {{path, "#include \"" + include + "\"\n"}});
}
Complaints third_party(const std::string& path, const std::string& header) {
  return complaints(check_third_party, policy(), {{path, "#include <" + header + ">\n"}});
}

}  // namespace

TEST_CASE("includes go down") {
  CHECK(direction("modules/lsm/a.h", "interfaces/vfs.h").empty());
  CHECK(direction("modules/lsm/sstable/a.h", "modules/lsm/key.h").empty());
  CHECK(direction("modules/lsm/a.h", "kernel/core/log.h").empty());
  CHECK(direction("modules/lsm/module.cpp", "kernel/core/module.h").empty());
  CHECK(direction("tests/modules/lsm/a_test.cpp", "modules/lsm/a.h").empty());
}

TEST_CASE("includes do not go up or sideways") {
  const Complaints expected = {"modules/lsm/a.h:1: include-direction"};
  CHECK(direction("modules/lsm/a.h", "modules/raft/log.h") == expected);
  CHECK(direction("modules/lsm/a.h", "plugins/vfs/mem/mem_vfs.h") == expected);
  CHECK(direction("modules/lsm/a.h", "kernel/core/module.h") == expected);
  CHECK(direction("kernel/base/a.h", "interfaces/vfs.h").size() == 1);
  CHECK(direction("plugins/vfs/s3/a.h", "plugins/vfs/mem/mem_vfs.h").size() == 1);
}

TEST_CASE("a folder without a layer is named") {
  CHECK(direction("elsewhere/a.h", "kernel/base/result.h") ==
        Complaints{"elsewhere/a.h:0: include-direction"});
}

TEST_CASE("a library is seen where layers.toml says, and nowhere else") {
  CHECK(third_party("plugins/codec/lz4/a.cpp", "lz4.h").empty());
  CHECK(third_party("tests/a.cpp", "lz4.h").empty());
  CHECK(third_party("plugins/codec/zstd/a.cpp", "lz4.h") ==
        Complaints{"plugins/codec/zstd/a.cpp:1: third-party"});
  CHECK(third_party("kernel/base/a.cpp", "boost/context/x.hpp").empty());
  CHECK(third_party("kernel/base/a.cpp", "boost/asio.hpp").size() == 1);
}

TEST_CASE("the standard library is free, an unknown header is not") {
  CHECK(third_party("kernel/base/a.h", "vector").empty());
  CHECK(third_party("kernel/base/a.h", "cstdint").empty());
  CHECK(third_party("tests/a.cpp", "unheard/of.h").size() == 1);
}

TEST_CASE("includes are written from the root of the repository") {
  const auto style = [](const std::string& text) {
    return complaints(check_include_style, policy(),
                      {{"kernel/base/b.cpp", text}, {"kernel/base/a.h", ""}});
  };
  CHECK(style("#include \"kernel/base/a.h\"\n").empty());
  CHECK(style("#include \"a.h\"\n").size() == 1);
  CHECK(style("#include \"../base/a.h\"\n").size() == 1);
  CHECK(style("#include <kernel/base/a.h>\n").size() == 1);
}

TEST_CASE("a source includes its own header first") {
  const auto style = [](const std::string& text) {
    return complaints(check_include_style, policy(),
                      {{"kernel/base/a.cpp", text}, {"kernel/base/a.h", ""}});
  };
  CHECK(style("#include \"kernel/base/a.h\"\n#include <vector>\n").empty());
  CHECK(style("#include <vector>\n#include \"kernel/base/a.h\"\n") ==
        Complaints{"kernel/base/a.cpp:1: include-style"});
}
