// child_process.h — another process, for tests of the server as a whole.
//
// Owns:     the child, killed with the object if it still runs, and a pipe from its output.
// Threads:  one.   Blocks: read_until() and wait(), up to kPatience.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/base/time.h"

namespace coppice {

class ChildProcess {
 public:
  static constexpr Duration kPatience = 60s;  // a loaded machine, sanitizers

  explicit ChildProcess(const std::vector<std::string>& argv);  // argv[0] is the program
  explicit ChildProcess(const std::function<int()>& main);      // forks; exits with what it gives
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Reads standard output and error until `text` has come; false when the child ends or patience
  // does before that.
  bool read_until(std::string_view text);
  void signal(int number) const;
  // The exit status after reading all output; 128 + n when signal n ended it; none when patience
  // ran out.
  std::optional<int> wait();
  const std::string& output() const { return output_; }
  std::uint64_t resident_bytes() const;  // VmRSS

 private:
  void start(const std::function<int()>& in_child);
  bool read_some(Deadline until);

  pid_t pid_ = -1;
  int fd_ = -1;
  std::string output_;
};

// A folder of its own, removed with the object.
class TempDir {
 public:
  TempDir();
  ~TempDir();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  std::string path() const { return path_.string(); }
  std::string operator/(std::string_view name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace coppice
