// os_error.cpp — which errno means what to us.
#include "kernel/fiber/os_error.h"

#include <cerrno>
#include <cstring>
#include <string>

namespace coppice::fiber {

Code os_error_code(int os_errno) {
  switch (os_errno) {
    case ENOENT:
      return Code::kNotFound;
    case EEXIST:
      return Code::kAlreadyExists;
    case ENOSPC:
    case EDQUOT:
      return Code::kDiskFull;
    case EACCES:
    case EPERM:
      return Code::kPermissionDenied;
    case EMFILE:
    case ENFILE:
      return Code::kLimitExceeded;
    case ENOSYS:
    case EOPNOTSUPP:
      return Code::kUnsupported;
    case ECONNRESET:
    case ECONNREFUSED:
    case ECONNABORTED:
    case EPIPE:
    case EADDRINUSE:
    case EHOSTUNREACH:
    case ENETUNREACH:
    case ETIMEDOUT:
      return Code::kUnavailable;
    default:
      return Code::kIo;
  }
}

Error os_error(int os_errno, std::string_view doing) {
  std::string text(doing);
  const char* const what = ::strerrordesc_np(os_errno);  // static text, unlike strerror's
  const char* const name = ::strerrorname_np(os_errno);
  text.append(": ").append(what != nullptr ? what : "unknown error");
  text.append(" (").append(name != nullptr ? name : std::to_string(os_errno)).append(")");
  return Error(os_error_code(os_errno), std::move(text));
}

}  // namespace coppice::fiber
