// sql_extremes.h — min and max, for any type that is compared by value or by its bytes.
#pragma once

#include <string>

#include "interfaces/sql_group_states.h"
#include "interfaces/sql_kernels.h"

namespace coppice {

template <class T>
struct Extreme {
  T value{};
  bool any = false;
};

// Before: `static bool apply(T a, T b)`, Less for min and Greater for max.
template <class T, class Before>
class FixedExtreme final : public GroupStates<Extreme<T>> {
 public:
  Status update(std::span<const Vector> arguments, const Selection& rows,
                std::span<const std::uint32_t> groups) override {
    const Argument<T> values(arguments[0]);
    this->each_value(arguments[0], rows, groups, [&](Extreme<T>& state, std::uint32_t row) {
      const T value = values[row];
      if (!state.any || Before::apply(value, state.value)) state.value = value;
      state.any = true;
    });
    return {};
  }
  Status finish(std::uint32_t first, std::uint32_t count, VectorBuffer& out) override {
    for (std::uint32_t i = first; i < first + count; ++i) {
      if (this->group(i).any)
        *out.append_values<T>(1) = this->group(i).value;
      else
        out.append_null();
    }
    return {};
  }
};

template <class Before>
class BytesExtreme final : public GroupStates<Extreme<std::string>> {
 public:
  Status update(std::span<const Vector> arguments, const Selection& rows,
                std::span<const std::uint32_t> groups) override {
    each_value(arguments[0], rows, groups, [&](Extreme<std::string>& state, std::uint32_t row) {
      const std::string_view value = as_text(arguments[0].bytes_at(row));
      if (state.any && !Before::apply(value, std::string_view(state.value))) return;
      heap_bytes_ += value.size();
      heap_bytes_ -= state.value.size();
      state.value = value;
      state.any = true;
    });
    return {};
  }
  Status finish(std::uint32_t first, std::uint32_t count, VectorBuffer& out) override {
    for (std::uint32_t i = first; i < first + count; ++i) {
      if (group(i).any)
        out.append_bytes(as_bytes(group(i).value));
      else
        out.append_null();
    }
    return {};
  }
  std::uint64_t memory_bytes() const override {
    return GroupStates<Extreme<std::string>>::memory_bytes() + heap_bytes_;
  }

 private:
  std::uint64_t heap_bytes_ = 0;
};

}  // namespace coppice
