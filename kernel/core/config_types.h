// config_types.h — value types that only a config has: Size and Secret.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace coppice {

// A number of bytes, written "10GiB" in TOML. Converts both ways, so 10_GiB is a Size.
struct Size {
  std::uint64_t bytes = 0;

  constexpr Size() = default;
  constexpr Size(std::uint64_t n) : bytes(n) {}  // NOLINT: implicit by design
  constexpr operator std::uint64_t() const { return bytes; }
};

// A text that is never printed. In TOML: a string, or {env = "NAME"}.
class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string text) : text_(std::move(text)) {}
  const std::string& reveal() const { return text_; }
  bool empty() const { return text_.empty(); }

 private:
  std::string text_;
};

}  // namespace coppice
