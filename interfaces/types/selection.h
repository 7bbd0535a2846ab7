// selection.h — which rows of a batch are meant: all, a bit mask, or a list of positions.
//
// Role:     filters write masks; below a quarter of the rows, lists are cheaper to walk.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>

namespace coppice {

inline constexpr std::uint32_t kVectorRows = 1024;  // rows of a vector, a batch and a block
inline constexpr std::uint32_t kSelectionListRows = kVectorRows / 4;

class Selection {
 public:
  using Mask = std::array<std::uint64_t, kVectorRows / 64>;
  enum class Form : std::uint8_t { kAll, kMask, kList };

  static Selection all(std::uint32_t rows) {
    Selection selection;
    selection.count_ = rows;
    return selection;
  }
  // Bits at or above `rows` must be zero.
  static Selection from_mask(const Mask& mask, std::uint32_t rows) {
    Selection selection;
    for (const std::uint64_t word : mask)
      selection.count_ += static_cast<std::uint32_t>(std::popcount(word));
    if (selection.count_ == rows) return selection;
    selection.form_ = Form::kMask;
    selection.mask_ = mask;
    if (selection.count_ < kSelectionListRows) selection.make_list();
    return selection;
  }

  Form form() const { return form_; }
  std::uint32_t count() const { return count_; }
  std::span<const std::uint16_t> list() const { return {list_.data(), count_}; }  // kList
  const Mask& mask() const { return mask_; }                                      // kMask and kList

  template <class Visit>  // visit(position), ascending
  void for_each(Visit visit) const {
    if (form_ == Form::kAll) {
      for (std::uint32_t row = 0; row < count_; ++row) visit(row);
    } else if (form_ == Form::kList) {
      for (const std::uint16_t row : list()) visit(std::uint32_t{row});
    } else {
      for (std::uint32_t word = 0; word < mask_.size(); ++word)
        for (std::uint64_t bits = mask_[word]; bits != 0; bits &= bits - 1)
          visit(word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits)));
    }
  }

 private:
  void make_list() {
    std::uint32_t at = 0;
    for_each([&](std::uint32_t row) { list_[at++] = static_cast<std::uint16_t>(row); });
    form_ = Form::kList;
  }
  Form form_ = Form::kAll;
  std::uint32_t count_ = 0;
  Mask mask_;                                           // set unless kAll
  std::array<std::uint16_t, kSelectionListRows> list_;  // set if kList
};

}  // namespace coppice
