// inventory.cpp — recording parts and their clashes.
#include "kernel/core/inventory.h"

#include <algorithm>

namespace coppice {

namespace {
std::string quoted(std::string_view text) {
  return "\"" + std::string(text) + "\"";
}
}  // namespace

void Inventory::add_module(ModuleEntry entry) {
  if (const ModuleEntry* other = find_module(entry.name)) {
    clashes_.push_back("two modules are named " + quoted(entry.name) + ": " +
                       quoted(other->summary) + " and " + quoted(entry.summary));
    return;
  }
  modules_.push_back(std::move(entry));
}

void Inventory::add_plugin(PluginEntry entry) {
  if (find_plugin(entry.interface.name, entry.kind) != nullptr) {
    clashes_.push_back("two plugins of " + std::string(entry.interface.name) + " have the kind " +
                       quoted(entry.kind));
    return;
  }
  plugins_.push_back(std::move(entry));
}

const ModuleEntry* Inventory::find_module(std::string_view name) const {
  const auto found = std::ranges::find(modules_, name, &ModuleEntry::name);
  return found == modules_.end() ? nullptr : &*found;
}

const PluginEntry* Inventory::find_plugin(std::string_view interface, std::string_view kind) const {
  const auto found = std::ranges::find_if(plugins_, [&](const PluginEntry& plugin) {
    return plugin.interface.name == interface && plugin.kind == kind;
  });
  return found == plugins_.end() ? nullptr : &*found;
}

std::vector<std::string_view> Inventory::module_names() const {
  std::vector<std::string_view> names;
  for (const ModuleEntry& module : modules_) names.push_back(module.name);
  std::ranges::sort(names);
  return names;
}

std::vector<std::string_view> Inventory::kinds_of(std::string_view interface) const {
  std::vector<std::string_view> kinds;
  for (const PluginEntry& plugin : plugins_) {
    if (plugin.interface.name == interface) kinds.push_back(plugin.kind);
  }
  std::ranges::sort(kinds);
  return kinds;
}

std::vector<InterfaceRef> Inventory::plugin_interfaces() const {
  std::vector<InterfaceRef> interfaces;
  for (const PluginEntry& plugin : plugins_) {
    if (std::ranges::find(interfaces, plugin.interface) == interfaces.end()) {
      interfaces.push_back(plugin.interface);
    }
  }
  std::ranges::sort(interfaces, {}, &InterfaceRef::name);
  return interfaces;
}

bool Inventory::is_left_out(std::string_view part) const {
  return std::ranges::find(left_out_, part) != left_out_.end();
}

}  // namespace coppice
