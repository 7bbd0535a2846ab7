// corpus.h — the statement corpus: one text a line in tests/modules/planner/corpus/*.sql.
#pragma once

#include <string>
#include <vector>

namespace coppice::planner {

// "select", "dml", …: the files, in order.
const std::vector<std::string>& corpus_files();
// The texts of one file: its lines but those that begin with '#'.
std::vector<std::string> corpus_texts(const std::string& file);
// All of them.
std::vector<std::string> whole_corpus();

std::string corpus_path(const std::string& file, const std::string& extension);

}  // namespace coppice::planner
