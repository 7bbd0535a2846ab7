// vfs.cpp — the rules for file names, the same for every implementation.
#include "interfaces/vfs.h"

namespace coppice {
namespace {

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == '/' || c == '-';
}

bool keeps_rules(std::string_view name) {
  if (name.empty() || name.size() > kNameBytesMax) return false;
  for (char c : name) {
    if (!is_name_character(c)) return false;
  }
  while (true) {
    const std::size_t slash = name.find('/');
    const std::string_view component = name.substr(0, slash);
    if (component.empty() || component == "." || component == "..") return false;
    if (slash == std::string_view::npos) return true;
    name.remove_prefix(slash + 1);
  }
}

}  // namespace

Status check_file_name(std::string_view name) {
  if (keeps_rules(name)) return {};
  constexpr std::size_t kShownMax = 64;
  return fail(Code::kInvalidArgument,
              "bad file name: \"" + std::string(name.substr(0, kShownMax)) + "\"");
}

}  // namespace coppice
