// datadriven.h — tests whose cases are text: input, a line "----", the expected output, a blank
// line.
//
//   # a comment, kept
//   check strict
//   [lsm]
//   ----
//   1 problem
//
// The first line of a case is its command, with arguments; the rest up to "----" is the input.
// COPPICE_REWRITE=1 writes what was given as what is expected; read the diff before committing it.
// Source: the format is that of github.com/cockroachdb/datadriven.
#pragma once

#include <functional>
#include <string>

namespace coppice {

struct DataCase {
  std::string command;  // "check strict"
  std::string input;
  int line = 0;  // of the command in the file
};

// Runs every case of the file (a path from the repository root) and CHECKs its output.
void run_data_file(const std::string& path, const std::function<std::string(const DataCase&)>& run);

}  // namespace coppice
