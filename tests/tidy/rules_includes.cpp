// rules_includes.cpp — who may include what, and how an include is written.
#include <algorithm>
#include <array>

#include "tests/tidy/rules.h"

namespace coppice::tidy {
namespace {

std::string folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string() : std::string(path.substr(0, slash));
}

// The library whose header this is; the longest matching prefix decides. Null when none is known.
const Library* library_of(std::string_view header, const Policy& policy) {
  const Library* best = nullptr;
  std::size_t best_length = 0;
  for (const Library& library : policy.libraries) {
    for (const std::string& prefix : library.headers) {
      if (header.starts_with(prefix) && prefix.size() > best_length) {
        best = &library;
        best_length = prefix.size();
      }
    }
  }
  return best;
}

bool is_standard(std::string_view header) {
  return header.find('.') == std::string_view::npos && header.find('/') == std::string_view::npos;
}

bool layer_allows(const Layer& layer, const std::string& path, std::string_view included) {
  return std::ranges::any_of(layer.includes, [&](const std::string& target) {
    if (target == "*") return true;
    if (target == "<own>") return matches(included, std::string(own_folder(path, layer.where)));
    return matches(included, target);
  });
}

bool library_is_allowed(const std::string& path, const std::string& library, const Policy& policy) {
  return std::ranges::any_of(policy.third_party, [&](const ThirdParty& row) {
    return matches(path, row.where) &&
           std::ranges::any_of(row.libraries, [&](const std::string& name) {
             return name == "*" || name == library;
           });
  });
}

}  // namespace

void check_include_direction(const Repo& repo, const Policy& policy, Problems& problems) {
  for (const File& file : repo.files()) {
    if (!file.is_code()) continue;
    std::vector<const Layer*> layers;
    for (const Layer& layer : policy.layers) {
      if (matches(file.path, layer.where)) layers.push_back(&layer);
    }
    if (layers.empty()) {
      problems.push_back({file.path, 0, "include-direction",
                          "the folder is in no [[layer]] of tests/tidy/layers.toml"});
      continue;
    }
    for (const Include& include : file.source.includes) {
      if (include.angled) continue;
      const bool allowed = std::ranges::any_of(layers, [&](const Layer* layer) {
        return layer_allows(*layer, file.path, include.path);
      });
      if (allowed) continue;
      problems.push_back({file.path, include.line, "include-direction",
                          folder_of(file.path) + " may not include " + std::string(include.path) +
                              "; share an interface (interfaces/) or a value type "
                              "(interfaces/types/) instead"});
    }
  }
}

void check_third_party(const Repo& repo, const Policy& policy, Problems& problems) {
  for (const File& file : repo.files()) {
    for (const Include& include : file.source.includes) {
      if (!include.angled || is_standard(include.path)) continue;
      const std::string header(include.path);
      const Library* library = library_of(header, policy);
      if (library == nullptr) {
        problems.push_back({file.path, include.line, "third-party",
                            "<" + header +
                                "> is of no [[library]] of tests/tidy/layers.toml; a new "
                                "library needs a line there and in docs/DEPENDENCIES.md"});
      } else if (!library_is_allowed(file.path, library->name, policy)) {
        problems.push_back({file.path, include.line, "third-party",
                            folder_of(file.path) + " may not see " + library->name + " (<" +
                                header +
                                ">); keep it behind the file that may ([[third_party]] in "
                                "tests/tidy/layers.toml)"});
      }
    }
  }
}

void check_include_style(const Repo& repo, const Policy&, Problems& problems) {
  for (const File& file : repo.files()) {
    const auto complain = [&](int line, std::string what) {
      problems.push_back({file.path, line, "include-style", std::move(what)});
    };
    for (const Include& include : file.source.includes) {
      const std::string path(include.path);
      if (!include.angled && repo.find(path) == nullptr) {
        complain(include.line, "\"" + path +
                                   "\" is no file of ours, seen from the root of the repository; "
                                   "<…> is for the standard library and third parties");
      }
      if (include.angled && repo.find(path) != nullptr) {
        complain(include.line, "<" + path + "> is ours: write \"" + path + "\"");
      }
    }
    if (file.extension() != ".cpp") continue;
    const std::string own = file.path.substr(0, file.path.size() - 4) + ".h";
    if (repo.find(own) == nullptr) continue;
    if (file.source.includes.empty() || file.source.includes.front().path != own) {
      complain(1, "the first include is the file's own header, \"" + own + "\"");
    }
  }
}

}  // namespace coppice::tidy
