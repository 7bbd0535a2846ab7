// input.cpp — growing, cutting, dropping.
#include "modules/pgwire/input.h"

#include <algorithm>
#include <utility>

#include "kernel/base/assert.h"
#include "modules/pgwire/frontend.h"

namespace coppice::pgwire {

bool InputBudget::take(std::uint64_t bytes) {
  std::uint64_t used = used_.load(std::memory_order_relaxed);
  do {
    if (bytes > limit_ || used > limit_ - bytes) return false;
  } while (!used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
  return true;
}

void Input::compact() {
  if (begin_ == 0) return;
  std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
            buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
  end_ -= begin_;
  begin_ = 0;
}

MutableByteView Input::space() {
  compact();
  if (buffer_.size() - end_ < kReadBytes) {
    // Doubles towards the message's length, so that a long one is copied at most twice.
    const std::size_t doubled = std::max(buffer_.size() * 2, end_ + kReadBytes);
    const std::size_t size =
        wanted_ > end_ ? std::min(doubled, std::max(wanted_, end_ + kReadBytes)) : doubled;
    const std::size_t beyond = size > kFreeBytes ? size - kFreeBytes : 0;
    if (beyond > charged_) {
      if (!budget_.take(beyond - charged_)) {  // no room for the message under way: drop it
        drop_ = wanted_ > end_ ? wanted_ - end_ : 0;
        COPPICE_ASSERT(drop_ > 0);
        end_ = 0;
        return MutableByteView(buffer_);
      }
      charged_ = beyond;
    }
    buffer_.resize(size);
  }
  return MutableByteView(buffer_).subspan(end_);
}

void Input::filled(std::size_t bytes) {
  end_ += bytes;
  if (drop_ == 0) return;
  const std::size_t gone = static_cast<std::size_t>(std::min<std::uint64_t>(drop_, end_));
  drop_ -= gone;
  begin_ = gone;
  dropping_ = drop_ == 0;
}

Frame Input::next(bool startup) {
  if (drop_ > 0) {
    begin_ = end_ = 0;
    return {};
  }
  if (dropping_) {
    dropping_ = false;
    wanted_ = 0;
    return {Frame::Kind::kDropped, dropped_type_, {}};
  }
  const std::size_t header = startup ? 4 : kHeaderBytes;
  if (pending() < header) {
    wanted_ = 0;
    return {};
  }
  const std::byte* const at = buffer_.data() + begin_;
  const auto length = load_be<std::uint32_t>(at + (startup ? 0 : 1));
  const std::uint32_t limit = startup ? kStartupBytesMax : kMessageBytesMax;
  if (length < 4 || length > limit) return {Frame::Kind::kBad, 0, {}};
  const std::uint64_t total = std::uint64_t{length} + (startup ? 0 : 1);
  const char type = startup ? '\0' : static_cast<char>(*at);
  if (pending() < total) {
    wanted_ = total;
    dropped_type_ = type;
    return {};
  }
  const ByteView body = ByteView(buffer_).subspan(begin_ + header, total - header);
  begin_ += total;
  wanted_ = 0;
  return {Frame::Kind::kMessage, type, body};
}

ByteBuffer Input::detach() {
  ByteBuffer old = std::move(buffer_);
  const ByteView rest = ByteView(old).subspan(begin_, pending());
  buffer_.assign(rest.begin(), rest.end());
  begin_ = 0;
  end_ = rest.size();
  return old;
}

void Input::release_if_empty() {
  if (pending() == 0 && drop_ == 0 && !dropping_) release();
}

void Input::release() {
  ByteBuffer().swap(buffer_);
  begin_ = end_ = 0;
  if (charged_ != 0) budget_.give_back(charged_);
  charged_ = 0;
}

}  // namespace coppice::pgwire
