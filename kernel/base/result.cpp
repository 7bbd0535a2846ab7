// result.cpp — Error's body.
#include "kernel/base/result.h"

#include "kernel/base/assert.h"

namespace coppice {

std::string_view code_name(Code code) {
  switch (code) {
    case Code::kInvalidArgument:
      return "invalid argument";
    case Code::kNotFound:
      return "not found";
    case Code::kAlreadyExists:
      return "already exists";
    case Code::kUnsupported:
      return "unsupported";
    case Code::kUnsupportedVersion:
      return "unsupported version";
    case Code::kCorruption:
      return "corruption";
    case Code::kIo:
      return "I/O error";
    case Code::kDiskFull:
      return "disk full";
    case Code::kOutOfMemory:
      return "out of memory";
    case Code::kLimitExceeded:
      return "limit exceeded";
    case Code::kCancelled:
      return "cancelled";
    case Code::kDeadlineExceeded:
      return "deadline exceeded";
    case Code::kUnavailable:
      return "unavailable";
    case Code::kConflict:
      return "conflict";
    case Code::kDeadlock:
      return "deadlock";
    case Code::kPermissionDenied:
      return "permission denied";
    case Code::kInternal:
      return "internal error";
  }
  unreachable();
}

Error::Error(Code code, std::string message)
    : body_(std::make_unique<Body>(Body{code, std::move(message), {}, nullptr, 0})) {}

Error Error::context(std::string_view doing) && {
  std::string contexts;
  contexts.reserve(doing.size() + 2 + body_->contexts.size());
  contexts.append(doing).append(": ").append(body_->contexts);
  body_->contexts = std::move(contexts);
  return std::move(*this);
}

Error Error::note(char key, std::string value) && {
  for (std::size_t i = 0; i < body_->note_count; ++i) {
    if (body_->notes[i].key == key) {
      body_->notes[i].value = std::move(value);
      return std::move(*this);
    }
  }
  auto notes = std::make_unique<Note[]>(body_->note_count + 1);
  for (std::size_t i = 0; i < body_->note_count; ++i) notes[i] = std::move(body_->notes[i]);
  notes[body_->note_count] = Note{key, std::move(value)};
  body_->notes = std::move(notes);
  ++body_->note_count;
  return std::move(*this);
}

const std::string* Error::find_note(char key) const {
  for (std::size_t i = 0; i < body_->note_count; ++i) {
    if (body_->notes[i].key == key) return &body_->notes[i].value;
  }
  return nullptr;
}

std::string Error::to_string() const {
  return body_->contexts + body_->message;
}

Error Error::clone() const {
  Error copy(body_->code, body_->message);
  copy.body_->contexts = body_->contexts;
  for (std::size_t i = 0; i < body_->note_count; ++i) {
    copy = std::move(copy).note(body_->notes[i].key, body_->notes[i].value);
  }
  return copy;
}

}  // namespace coppice
