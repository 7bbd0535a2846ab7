// rules_files.cpp — names, first lines, targets, and words that must not be committed.
#include <algorithm>
#include <cctype>

#include "tests/tidy/rules.h"

namespace coppice::tidy {
namespace {

constexpr std::string_view kDash = " — ";
constexpr std::size_t kColumnsMax = 100;

// Characters, not bytes: a continuation byte of UTF-8 has no width.
std::size_t width(std::string_view line) {
  return static_cast<std::size_t>(std::ranges::count_if(
      line, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

bool is_word_char(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// The first place of `word` in `line` that is not a part of a longer word.
std::size_t find_word(std::string_view line, std::string_view word) {
  for (std::size_t at = line.find(word); at != std::string_view::npos;
       at = line.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool starts = at == 0 || !is_word_char(line[at - 1]);
    if (starts && (end == line.size() || !is_word_char(line[end]))) return at;
  }
  return std::string_view::npos;
}

bool has_own_header(const Repo& repo, const File& file) {
  const std::size_t stem = file.path.size() - file.extension().size();
  return repo.find(file.path.substr(0, stem) + ".h") != nullptr;
}

// A header of tests alone needs no target; it is dead only when no file includes it.
bool is_included_by_tests(const Repo& repo, const File& header) {
  if (!header.is_header() || !header.path.starts_with("tests/")) return false;
  return std::ranges::any_of(repo.files(), [&](const File& file) {
    return std::ranges::any_of(file.source.includes,
                               [&](const Include& include) { return include.path == header.path; });
  });
}

}  // namespace

void check_header_comment(const Repo& repo, const Policy&, Problems& problems) {
  for (const File& file : repo.files()) {
    if (!file.is_code()) continue;
    const std::string start = "// " + std::string(file.name()) + std::string(kDash);
    const std::vector<std::string_view> lines = split_lines(file.text);
    const bool header_says_it = !file.is_header() && has_own_header(repo, file);
    const bool says_it =
        !lines.empty() && lines.front().starts_with(start) && lines.front().size() > start.size();
    if (!says_it && !header_says_it) {
      problems.push_back(
          {file.path, 1, "header-comment", "the first line is `" + start + "what it is.`"});
    }
    if (file.is_header() && !file.source.pragma_once) {
      problems.push_back({file.path, 1, "header-comment", "a header has `#pragma once`"});
    }
    int number = 0;
    for (const std::string_view line : lines) {
      ++number;
      if (width(line) > kColumnsMax && line.find("://") == std::string_view::npos) {
        problems.push_back({file.path, number, "columns",
                            "longer than " + std::to_string(kColumnsMax) + " columns"});
      }
    }
  }
}

void check_file_name(const Repo& repo, const Policy&, Problems& problems) {
  for (const File& file : repo.files()) {
    if (!file.is_code()) continue;
    const bool plain = std::ranges::all_of(file.path, [](char c) {
      return std::islower(static_cast<unsigned char>(c)) != 0 ||
             std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '/' || c == '.';
    });
    if (!plain) {
      problems.push_back({file.path, 0, "file-name", "folders and files are snake_case"});
    }
  }
}

void check_targets(const Repo& repo, const Policy&, Problems& problems) {
  if (!repo.knows_targets()) return;
  for (const File& file : repo.files()) {
    if (!file.is_code()) continue;
    const std::vector<std::string>* targets = repo.targets_of(file.path);
    if (targets == nullptr && is_included_by_tests(repo, file)) continue;
    if (targets == nullptr) {
      problems.push_back({file.path, 0, "in-a-target",
                          "nothing builds this file; name it in the CMakeLists.txt of its folder"});
    } else if (!file.is_header() && targets->size() > 1) {
      problems.push_back(
          {file.path, 0, "in-a-target",
           "built by " + targets->at(0) + " and by " + targets->at(1) + "; put it into a library"});
    }
  }
}

void check_private_names(const Repo& repo, const Policy& policy, Problems& problems) {
  for (const File& file : repo.files()) {
    int number = 0;
    for (const std::string_view line : split_lines(file.text)) {
      ++number;
      for (const std::string& name : policy.private_names) {
        if (line.find(name) == std::string_view::npos) continue;
        problems.push_back({file.path, number, "private-names",
                            "`" + name + "` is a place on one machine; a newcomer has it not"});
      }
    }
  }
}

void check_todo(const Repo& repo, const Policy&, Problems& problems) {
  for (const File& file : repo.files()) {
    int number = 0;
    for (const std::string_view line : split_lines(file.text)) {
      ++number;
      for (const std::string_view word : {"TODO", "FIXME"}) {
        const std::size_t at = find_word(line, word);
        if (at == std::string_view::npos || line.substr(at + word.size()).starts_with("(#"))
          continue;
        problems.push_back({file.path, number, "todo",
                            std::string(word) + " names its issue, `(#12)`, or is done now"});
      }
    }
  }
}

}  // namespace coppice::tidy
