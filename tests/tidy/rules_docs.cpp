// rules_docs.cpp — documents: titles and links, wire ids, the list of dependencies.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <set>

#include "tests/tidy/rules.h"

namespace coppice::tidy {
namespace {

constexpr std::string_view kWireIds = "docs/formats/wire-ids.md";
constexpr std::string_view kDependencies = "docs/DEPENDENCIES.md";

struct Line {
  int number;
  std::string text;  // without `code`
};

// The lines outside fenced blocks.
std::vector<Line> prose(std::string_view text) {
  std::vector<Line> lines;
  int number = 0;
  bool fenced = false;
  for (const std::string_view line : split_lines(text)) {
    ++number;
    if (line.starts_with("```")) {
      fenced = !fenced;
      continue;
    }
    if (fenced) continue;
    std::string plain;
    bool code = false;
    for (const char c : line) {
      if (c == '`') code = !code;
      if (!code && c != '`') plain += c;
    }
    lines.push_back({number, plain});
  }
  return lines;
}

// "docs/guides" + "../formats/x.md" → "docs/formats/x.md"
std::string resolve(std::string_view folder, std::string_view target) {
  std::string path(folder);
  while (!target.empty()) {
    const std::size_t slash = target.find('/');
    const std::string_view part = target.substr(0, slash);
    if (part == "..") {
      const std::size_t up = path.rfind('/');
      path.resize(up == std::string::npos ? 0 : up);
    } else if (!part.empty() && part != ".") {
      if (!path.empty()) path += '/';
      path += part;
    }
    target = slash == std::string_view::npos ? std::string_view() : target.substr(slash + 1);
  }
  return path;
}

void check_link(const Repo& repo, const File& file, int line, std::string_view target,
                Problems& problems) {
  if (target.find("://") != std::string_view::npos || target.starts_with("mailto:")) return;
  target = target.substr(0, target.find('#'));
  if (target.empty()) return;
  const std::size_t slash = file.path.rfind('/');
  const std::string_view folder = slash == std::string::npos
                                      ? std::string_view()
                                      : std::string_view(file.path).substr(0, slash);
  const std::string path = resolve(folder, target);
  if (path.empty() || repo.find(path) != nullptr || repo.has_folder(path)) return;
  problems.push_back({file.path, line, "markdown", "link to " + path + ", which does not exist"});
}

// The cells of a table row, trimmed; empty when the line is none.
std::vector<std::string> cells(std::string_view line) {
  std::vector<std::string> out;
  if (!line.starts_with('|')) return out;
  line.remove_prefix(1);
  while (!line.empty()) {
    const std::size_t end = line.find('|');
    std::string_view cell = line.substr(0, end);
    while (cell.starts_with(' ')) cell.remove_prefix(1);
    while (cell.ends_with(' ')) cell.remove_suffix(1);
    out.emplace_back(cell);
    if (end == std::string_view::npos) break;
    line.remove_prefix(end + 1);
  }
  return out;
}

std::optional<int> number_in(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// What follows `kWireId =` in any file below `folder`.
std::optional<int> wire_id_in(const Repo& repo, const std::string& folder) {
  for (const File& file : repo.files()) {
    if (!file.path.starts_with(folder + "/")) continue;
    const std::vector<Token>& tokens = file.source.tokens;
    for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
      if (tokens[i].text == "kWireId" && (tokens[i + 1].text == "=" || tokens[i + 1].text == "{")) {
        return number_in(tokens[i + 2].text);
      }
    }
  }
  return std::nullopt;
}

// Folders "plugins/<interface>/<kind>" that declare a kWireId.
std::set<std::string> plugins_with_wire_ids(const Repo& repo) {
  std::set<std::string> folders;
  for (const File& file : repo.files()) {
    if (!file.path.starts_with("plugins/") || !file.is_code()) continue;
    const std::string folder(own_folder(file.path, "plugins/*/*"));
    if (wire_id_in(repo, folder)) folders.insert(folder);
  }
  return folders;
}

}  // namespace

void check_markdown(const Repo& repo, const Policy&, Problems& problems) {
  for (const File& file : repo.files()) {
    if (file.extension() != ".md") continue;
    int titles = 0;
    const std::vector<Line> lines = prose(file.text);
    for (const Line& line : lines) {
      if (line.text.starts_with("# ")) ++titles;
      for (std::size_t at = line.text.find("]("); at != std::string::npos;
           at = line.text.find("](", at + 1)) {
        const std::size_t end = line.text.find(')', at);
        if (end == std::string::npos) break;
        check_link(repo, file, line.number,
                   std::string_view(line.text).substr(at + 2, end - at - 2), problems);
      }
    }
    if (titles != 1 || lines.empty() || !lines.front().text.starts_with("# ")) {
      problems.push_back({file.path, 1, "markdown", "one `# Title`, and it is the first line"});
    }
  }
}

void check_wire_ids(const Repo& repo, const Policy&, Problems& problems) {
  const File* file = repo.find(kWireIds);
  if (file == nullptr) return;
  std::string section;  // the interface: "## codec"
  std::set<std::pair<std::string, int>> taken;
  std::set<std::string> listed;
  for (const Line& line : prose(file->text)) {
    if (line.text.starts_with("## ")) section = line.text.substr(3);
    const std::vector<std::string> row = cells(line.text);
    const std::optional<int> id = row.size() >= 2 ? number_in(row[0]) : std::nullopt;
    if (!id) continue;
    if (!taken.insert({section, *id}).second) {
      problems.push_back({file->path, line.number, "wire-ids",
                          section + " id " + row[0] + " is given twice; an id is for ever"});
    }
    const std::string folder = "plugins/" + section + "/" + row[1];
    listed.insert(folder);
    const std::optional<int> in_code = wire_id_in(repo, folder);
    if (in_code && *in_code != *id) {
      problems.push_back({file->path, line.number, "wire-ids",
                          folder + " says kWireId = " + std::to_string(*in_code)});
    }
  }
  for (const std::string& folder : plugins_with_wire_ids(repo)) {
    if (listed.contains(folder)) continue;
    problems.push_back({file->path, 0, "wire-ids", folder + " has a kWireId that is not listed"});
  }
}

void check_dependencies(const Repo& repo, const Policy& policy, Problems& problems) {
  const File* file = repo.find(kDependencies);
  if (file == nullptr) return;
  for (const Library& library : policy.libraries) {
    if (file->text.find(library.name) != std::string::npos) continue;
    problems.push_back({file->path, 0, "dependencies",
                        library.name +
                            " of tests/tidy/layers.toml is missing: why it is used, what "
                            "it replaces, its licence"});
  }
}

}  // namespace coppice::tidy
