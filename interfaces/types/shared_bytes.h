// shared_bytes.h — bytes that several owners keep alive: a log payload that a memtable goes on
// using.
#pragma once

#include <memory>
#include <utility>

#include "kernel/base/bytes.h"

namespace coppice {

class SharedBytes {
 public:
  SharedBytes() = default;
  explicit SharedBytes(ByteBuffer&& bytes)
      : owner_(std::make_shared<const ByteBuffer>(std::move(bytes))), view_(*owner_) {}

  ByteView view() const { return view_; }
  std::size_t size() const { return view_.size(); }
  SharedBytes slice(std::size_t offset, std::size_t count) const {
    SharedBytes part = *this;
    part.view_ = view_.subspan(offset, count);
    return part;
  }

 private:
  std::shared_ptr<const ByteBuffer> owner_;
  ByteView view_;
};

}  // namespace coppice
