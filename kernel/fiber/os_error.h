// os_error.h — errno values as Errors.
#pragma once

#include <string_view>

#include "kernel/base/result.h"

namespace coppice::fiber {

// "opening /x: No such file or directory (ENOENT)". Take errno on the line after the system call.
Error os_error(int os_errno, std::string_view doing);
Code os_error_code(int os_errno);  // ENOENT kNotFound, ENOSPC kDiskFull, …, the rest kIo

}  // namespace coppice::fiber
