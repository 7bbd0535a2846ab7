// sql_error.cpp — the one table between codes and SQLSTATEs.
#include "interfaces/types/sql_error.h"

#include <utility>

#include "kernel/base/assert.h"

namespace coppice {

namespace {

Code code_for(std::string_view state) {
  if (state == sqlstate::kSerializationFailure) return Code::kConflict;
  if (state == sqlstate::kDeadlockDetected) return Code::kDeadlock;
  if (state == sqlstate::kUniqueViolation) return Code::kAlreadyExists;
  if (state == sqlstate::kQueryCanceled) return Code::kCancelled;
  if (state == sqlstate::kOutOfMemory) return Code::kOutOfMemory;
  if (state == sqlstate::kDiskFull) return Code::kDiskFull;
  if (state == sqlstate::kDataCorrupted) return Code::kCorruption;
  const std::string_view state_class = state.substr(0, 2);
  if (state_class == "0A") return Code::kUnsupported;
  if (state_class == "54") return Code::kLimitExceeded;
  if (state_class == "57") return Code::kUnavailable;
  if (state_class == "XX") return Code::kInternal;
  return Code::kInvalidArgument;
}

}  // namespace

Error sql_error(std::string_view sqlstate, std::string message) {
  COPPICE_ASSERT(sqlstate.size() == 5);
  return Error(code_for(sqlstate), std::move(message))
      .note(sql_field::kSqlstate, std::string(sqlstate));
}

std::string_view sqlstate_of(const Error& error) {
  if (const std::string* state = error.find_note(sql_field::kSqlstate)) return *state;
  switch (error.code()) {
    case Code::kInvalidArgument:
      return "22023";
    case Code::kNotFound:
      return "42704";
    case Code::kAlreadyExists:
      return "42710";
    case Code::kUnsupported:
      return sqlstate::kFeatureNotSupported;
    case Code::kUnsupportedVersion:
      return "58000";
    case Code::kCorruption:
      return sqlstate::kDataCorrupted;
    case Code::kIo:
      return "58030";
    case Code::kDiskFull:
      return sqlstate::kDiskFull;
    case Code::kOutOfMemory:
      return sqlstate::kOutOfMemory;
    case Code::kLimitExceeded:
      return sqlstate::kProgramLimitExceeded;
    case Code::kCancelled:
      return sqlstate::kQueryCanceled;
    case Code::kDeadlineExceeded:
      return sqlstate::kQueryCanceled;
    case Code::kUnavailable:
      return "57P03";
    case Code::kConflict:
      return sqlstate::kSerializationFailure;
    case Code::kDeadlock:
      return sqlstate::kDeadlockDetected;
    case Code::kPermissionDenied:
      return "42501";
    case Code::kInternal:
      return sqlstate::kInternalError;
  }
  unreachable();
}

}  // namespace coppice
