// services.cpp — the map of published references.
#include "kernel/core/services.h"

namespace coppice {

void Services::publish_raw(TypeId type, std::string_view instance, void* object) {
  COPPICE_ASSERT(object != nullptr);
  const auto [at, added] = published_.try_emplace({type, std::string(instance)}, object);
  COPPICE_ASSERT(added);  // clashes are boot errors of phase 2
}

void* Services::find_raw(TypeId type, std::string_view instance) const {
  const auto found = published_.find(std::pair(type, std::string(instance)));
  return found == published_.end() ? nullptr : found->second;
}

}  // namespace coppice
