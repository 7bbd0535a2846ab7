// child_process.cpp — fork, exec, and a pipe.
#include "tests/support/child_process.h"

#include <doctest/doctest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <fstream>

namespace coppice {

namespace {
Instant now() {
  return SystemClock().now();
}
}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& argv) {
  std::vector<char*> words;
  for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  start([&] {
    ::execv(words[0], words.data());
    return 127;
  });
}

ChildProcess::ChildProcess(const std::function<int()>& main) {
  start(main);
}

void ChildProcess::start(const std::function<int()>& in_child) {
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  pid_ = ::fork();
  REQUIRE(pid_ >= 0);
  if (pid_ == 0) {
    ::dup2(ends[1], STDOUT_FILENO);
    ::dup2(ends[1], STDERR_FILENO);
    ::close(ends[0]);
    ::close(ends[1]);
    ::_exit(in_child());
  }
  ::close(ends[1]);
  fd_ = ends[0];
}

ChildProcess::~ChildProcess() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  ::close(fd_);
}

bool ChildProcess::read_some(Deadline until) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - now()).count();
  pollfd ready{fd_, POLLIN, 0};
  if (::poll(&ready, 1, static_cast<int>(std::max<std::int64_t>(0, left))) <= 0) {
    return false;
  }
  std::array<char, 4096> buffer;
  const ssize_t got = ::read(fd_, buffer.data(), buffer.size());
  if (got <= 0) return false;
  output_.append(buffer.data(), static_cast<std::size_t>(got));
  return true;
}

bool ChildProcess::read_until(std::string_view text) {
  const auto until = now() + kPatience;
  while (output_.find(text) == std::string::npos) {
    if (!read_some(until)) return false;
  }
  return true;
}

void ChildProcess::signal(int number) const {
  REQUIRE(::kill(pid_, number) == 0);
}

std::optional<int> ChildProcess::wait() {
  const auto until = now() + kPatience;
  while (read_some(until)) {
  }
  if (now() >= until) return {};
  int status = 0;
  REQUIRE(::waitpid(pid_, &status, 0) == pid_);  // its pipe is closed: it has ended or is about to
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::uint64_t ChildProcess::resident_bytes() const {
  std::ifstream status("/proc/" + std::to_string(pid_) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmRSS:")) return std::stoull(line.substr(6)) << 10;
  }
  return 0;
}

TempDir::TempDir() {
  std::string name = (std::filesystem::temp_directory_path() / "coppice_test.XXXXXX").string();
  REQUIRE(::mkdtemp(name.data()) != nullptr);
  path_ = name;
}

TempDir::~TempDir() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace coppice
