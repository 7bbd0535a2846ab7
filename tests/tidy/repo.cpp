// repo.cpp — reading the tree.
#include "tests/tidy/repo.h"

#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>

namespace coppice::tidy {
namespace {

Result<std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(Code::kNotFound, "cannot read " + path);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace

std::string_view File::name() const {
  return std::string_view(path).substr(path.rfind('/') + 1);
}

std::string_view File::extension() const {
  const std::size_t dot = name().rfind('.');
  return dot == std::string_view::npos ? std::string_view() : name().substr(dot);
}

bool File::is_code() const {
  return extension() == ".h" || extension() == ".cpp" || extension() == ".c";
}

void Repo::add(std::string path, std::string text) {
  File& file = files_.emplace_back(File{std::move(path), std::move(text), {}});
  if (file.is_code()) file.source = lex(file.text);
  by_path_[file.path] = &file;
}

void Repo::add_target_source(std::string path, std::string target) {
  targets_[std::move(path)].push_back(std::move(target));
}

const File* Repo::find(std::string_view path) const {
  const auto found = by_path_.find(path);
  return found == by_path_.end() ? nullptr : found->second;
}

bool Repo::has_folder(std::string_view path) const {
  const std::string prefix = std::string(path) + "/";
  const auto next = by_path_.lower_bound(prefix);
  return next != by_path_.end() && next->first.starts_with(prefix);
}

const std::vector<std::string>* Repo::targets_of(std::string_view path) const {
  const auto found = targets_.find(path);
  return found == targets_.end() ? nullptr : &found->second;
}

Status read_work_tree(Repo& repo) {
  const std::string listing =
      COPPICE_TRY(output_of("git -c safe.directory='*' ls-files -co --exclude-standard"));
  for (const std::string_view path : split_lines(listing)) {
    Result<std::string> text = read_file(std::string(path));
    if (text) repo.add(std::string(path), *std::move(text));  // else deleted, not yet committed
  }
  if (repo.files().empty()) return fail(Code::kNotFound, "git lists no files");
  return {};
}

Status read_targets(Repo& repo, const std::string& targets_file) {
  const std::string text = COPPICE_TRY(read_file(targets_file));
  for (const std::string_view line : split_lines(text)) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos) return fail(Code::kCorruption, "no tab in a line");
    repo.add_target_source(std::string(line.substr(tab + 1)), std::string(line.substr(0, tab)));
  }
  return {};
}

Result<std::string> output_of(const std::string& command) {
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return fail(Code::kIo, "cannot run: " + command);
  std::string out;
  std::array<char, 4096> buffer;
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    out.append(buffer.data(), count);
  }
  if (pclose(pipe) != 0) return fail(Code::kIo, "failed: " + command);
  return out;
}

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

}  // namespace coppice::tidy
