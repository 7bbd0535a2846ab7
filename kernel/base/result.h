// result.h — errors as values: Error, Result<T>, Status, COPPICE_TRY.
//
// Role:     the one way a function says that it failed; nothing of ours throws.
// Owns:     an Error owns its message, contexts and notes; it is one pointer wide and move-only.
// Threads:  an Error belongs to whoever holds it; clone() gives another thread its own.
// Parks:    never.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace coppice {

// What kind of failure this is, as far as code may branch on it. The SQLSTATE that a client sees is
// the note 'C' where one was set (interfaces/types/sql_error.h), else follows from the code.
enum class Code : std::uint8_t {
  kInvalidArgument,     // the caller's input is wrong
  kNotFound,            // the named thing does not exist
  kAlreadyExists,       // the named thing exists
  kUnsupported,         // correct, but this build does not do it
  kUnsupportedVersion,  // a format written by another version
  kCorruption,          // bytes are not what was written
  kIo,                  // the operating system refused
  kDiskFull,            // no space left
  kOutOfMemory,         // a budget refused, before the allocation
  kLimitExceeded,       // a named bound was reached
  kCancelled,           // a cancel token was set
  kDeadlineExceeded,    // a deadline passed
  kUnavailable,         // not now: starting, stopping, not the leader
  kConflict,            // serialization failure; the transaction may be retried
  kDeadlock,            // the wait-for graph has a cycle
  kPermissionDenied,    // the role may not
  kInternal,            // a bug, caught
};
std::string_view code_name(Code code);

class [[nodiscard]] Error {
 public:
  Error(Code code, std::string message);
  Error(Error&&) noexcept = default;
  Error& operator=(Error&&) noexcept = default;
  ~Error() = default;

  Code code() const { return body_->code; }
  const std::string& message() const { return body_->message; }

  // Says what was being done: "flushing tree 7". Outermost last.
  Error context(std::string_view doing) &&;
  // Attaches a named text. The kernel gives keys no meaning; SQL uses the field letters of the
  // wire protocol's ErrorResponse.
  Error note(char key, std::string value) &&;
  const std::string* find_note(char key) const;  // owned by the Error; null when absent

  // "flushing tree 7: reading 12.sst: checksum mismatch"
  std::string to_string() const;
  Error clone() const;

 private:
  struct Note {
    char key;
    std::string value;
  };
  struct Body {
    Code code;
    std::string message;
    std::string contexts;  // "outer: inner: ", ready to print
    std::unique_ptr<Note[]> notes;
    std::size_t note_count = 0;
  };
  Error() = default;
  std::unique_ptr<Body> body_;
};

template <class T>
using Result = std::expected<T, Error>;
using Status = Result<void>;

// return fail(Code::kNotFound, "no such table");
[[nodiscard]] inline std::unexpected<Error> fail(Code code, std::string message) {
  return std::unexpected<Error>(Error(code, std::move(message)));
}

namespace detail {
template <class T>
T take(Result<T>&& result) {
  return *std::move(result);
}
inline void take(Status&&) {}
}  // namespace detail

}  // namespace coppice

// auto x = COPPICE_TRY(f());   — gives the value, or returns the error to the caller.
// Stands only as a statement, after `=`, or after `return`: inside braces GCC 12 skips destructors.
#define COPPICE_TRY(expression) \
  COPPICE_TRY_NAMED(COPPICE_CONCAT(try_result_, __COUNTER__), expression)
// NOLINTBEGIN(bugprone-macro-parentheses): `name` is declared, not read, where it stands bare.
#define COPPICE_TRY_NAMED(name, expression)            \
  __extension__({                                      \
    auto name = (expression);                          \
    if (!name) [[unlikely]]                            \
      return std::unexpected(std::move(name).error()); \
    ::coppice::detail::take(std::move(name));          \
  })
// NOLINTEND(bugprone-macro-parentheses)
#define COPPICE_CONCAT(a, b) COPPICE_CONCAT_EXPANDED(a, b)
#define COPPICE_CONCAT_EXPANDED(a, b) a##b
