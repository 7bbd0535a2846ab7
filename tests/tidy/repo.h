// repo.h — the tree that is linted: its files, its build targets; read from git, or made by a test.
//
// Owns:     the text of every file. Sources view it, so a Repo does not move its files about.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/base/result.h"
#include "tests/tidy/lexer.h"

namespace coppice::tidy {

struct File {
  std::string path;  // from the root of the repository
  std::string text;
  Source source;  // of C and C++ files; else empty

  std::string_view name() const;       // "rules.h"
  std::string_view extension() const;  // ".h"; empty when there is none
  bool is_header() const { return extension() == ".h"; }
  bool is_code() const;  // .h .c .cpp
};

class Repo {
 public:
  Repo() = default;
  Repo(const Repo&) = delete;
  Repo& operator=(const Repo&) = delete;

  void add(std::string path, std::string text);
  void add_target_source(std::string path, std::string target);

  const std::deque<File>& files() const { return files_; }
  const File* find(std::string_view path) const;  // null when absent
  bool has_folder(std::string_view path) const;   // without the last slash
  bool knows_targets() const { return !targets_.empty(); }
  const std::vector<std::string>* targets_of(std::string_view path) const;  // null when in none

 private:
  std::deque<File> files_;
  std::map<std::string, const File*, std::less<>> by_path_;
  std::map<std::string, std::vector<std::string>, std::less<>> targets_;
};

// What git tracks, and what it would track: everything but ignored files, as far as it exists.
Status read_work_tree(Repo& repo);
// "target<tab>path" lines, written by CMake (tests/tidy/CMakeLists.txt).
Status read_targets(Repo& repo, const std::string& targets_file);

// The standard output of a command; a failure when it exits with anything but 0.
Result<std::string> output_of(const std::string& command);

std::vector<std::string_view> split_lines(std::string_view text);

}  // namespace coppice::tidy
