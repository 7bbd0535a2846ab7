// services.h — what this process published: (interface, instance) to reference.
//
// Role:     filled and read while parts are created; afterwards there are only C++ references.
// Owns:     nothing; what is published outlives everyone who was created later.
// Threads:  the boot fiber only.   Parks: never.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernel/base/assert.h"
#include "kernel/core/interface_name.h"

namespace coppice {

template <class Interface>
struct Instance {
  std::string_view name;  // owned by the Services; "" for what a module offers
  Interface* object;
};

class Services {
 public:
  template <class Interface>
  void publish(std::string_view instance, Interface& object) {
    publish_raw(type_id<Interface>(), instance, &object);
  }
  template <class Interface>
  Interface* find(std::string_view instance) const {  // null when nobody published it
    return static_cast<Interface*>(find_raw(type_id<Interface>(), instance));
  }
  template <class Interface>
  std::vector<Instance<Interface>> all() const {  // by name
    std::vector<Instance<Interface>> found;
    for (const auto& [key, object] : published_) {
      if (key.first == type_id<Interface>()) {
        found.push_back({key.second, static_cast<Interface*>(object)});
      }
    }
    return found;
  }

  // `object` is a pointer to the interface that `type` identifies.
  void publish_raw(TypeId type, std::string_view instance, void* object);
  void* find_raw(TypeId type, std::string_view instance) const;

 private:
  std::map<std::pair<TypeId, std::string>, void*, std::less<>> published_;
};

}  // namespace coppice
