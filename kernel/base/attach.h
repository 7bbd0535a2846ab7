// attach.h — Attachment: a registration that ends with its handle.
//
// Role:     breaks a two-way relation between modules. The later one registers a callback object on
//           the earlier one in start(), keeps the Attachment, and drops it in stop().
// Owns:     the undo action, run once: by detach() or by the destructor.
// Threads:  one owner at a time.   Parks: only if the undo action does.
#pragma once

#include <functional>
#include <utility>

namespace coppice {

class [[nodiscard]] Attachment {
 public:
  Attachment() = default;
  explicit Attachment(std::function<void()> undo) : undo_(std::move(undo)) {}
  Attachment(Attachment&& other) noexcept : undo_(std::exchange(other.undo_, nullptr)) {}
  Attachment& operator=(Attachment&& other) noexcept {
    if (this != &other) {
      detach();
      undo_ = std::exchange(other.undo_, nullptr);
    }
    return *this;
  }
  Attachment(const Attachment&) = delete;
  Attachment& operator=(const Attachment&) = delete;
  ~Attachment() { detach(); }

  void detach() {
    if (auto undo = std::exchange(undo_, nullptr)) undo();
  }
  bool attached() const { return undo_ != nullptr; }

 private:
  std::function<void()> undo_;
};

}  // namespace coppice
