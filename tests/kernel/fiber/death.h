// death.h — runs a function in a child process and says whether a signal ended it.
#pragma once

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace coppice::fiber {

template <class Fn>
bool dies(Fn fn) {
  const pid_t child = ::fork();
  if (child == 0) {
    const int nowhere = ::open("/dev/null", O_WRONLY);
    ::dup2(nowhere, 1);
    ::dup2(nowhere, 2);
    // The test runner and the sanitizers report signals themselves; here they are the result.
    for (const int number : {SIGABRT, SIGSEGV, SIGBUS}) ::signal(number, SIG_DFL);
    fn();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) != 0);
}

}  // namespace coppice::fiber
