#include "tests/modules/planner/parse/corpus.h"

#include <fstream>

namespace coppice::planner {

const std::vector<std::string>& corpus_files() {
  static const std::vector<std::string> files = {"select",  "from",    "expression", "dml",
                                                 "ddl",     "session", "refused",    "errors",
                                                 "scripts", "clients"};
  return files;
}

std::string corpus_path(const std::string& file, const std::string& extension) {
  return "tests/modules/planner/corpus/" + file + extension;
}

std::vector<std::string> corpus_texts(const std::string& file) {
  std::ifstream in(corpus_path(file, ".sql"));
  std::vector<std::string> texts;
  std::string line;
  while (std::getline(in, line))
    if (!line.starts_with('#')) texts.push_back(line);
  return texts;
}

std::vector<std::string> whole_corpus() {
  std::vector<std::string> all;
  for (const std::string& file : corpus_files()) {
    const std::vector<std::string> texts = corpus_texts(file);
    all.insert(all.end(), texts.begin(), texts.end());
  }
  return all;
}

}  // namespace coppice::planner
