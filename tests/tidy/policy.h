// policy.h — layers.toml and allow/*.txt as values: what the rules compare the tree with.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/base/result.h"
#include "tests/tidy/repo.h"

namespace coppice::tidy {

// A folder (or a glob of files) and what its files may include. Several may match one file; what
// they allow adds up.
struct Layer {
  std::string where;
  std::vector<std::string>
      includes;  // folders or files; "<own>" is the folder that matched `where`
};

struct Library {
  std::string name;
  std::vector<std::string> headers;  // prefixes of what stands between < and >
};

struct ThirdParty {
  std::string where;
  std::vector<std::string> libraries;  // names; "*" is all
};

// A token sequence that must not appear.
struct Banned {
  std::string rule;
  std::vector<std::string> patterns;
  std::vector<std::string> where;  // empty: everywhere
  std::vector<std::string> except;
  std::string why;  // what to do instead
};

struct Policy {
  std::vector<Layer> layers;
  std::vector<Library> libraries;
  std::vector<ThirdParty> third_party;
  std::vector<Banned> banned;
  std::vector<std::string> private_names;  // must not appear in any committed file or message
};

Result<Policy> parse_policy(std::string_view toml);

// `where` is a path or a folder above it, or a glob (where `*` also passes slashes).
bool matches(std::string_view path, const std::string& where);
bool matches_any(std::string_view path, const std::vector<std::string>& where);
// The leading folders of `path` that `where` covers: "modules/lsm" for where = "modules/*".
std::string_view own_folder(std::string_view path, std::string_view where);

}  // namespace coppice::tidy
