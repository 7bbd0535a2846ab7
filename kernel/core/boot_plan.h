// boot_plan.h — boot phase 2: from what the file says to what will be built, or all that is wrong.
//
// Role:     checks names, kinds, types, ranges, bindings and the graph of modules; builds nothing
//           and touches nothing.
// Owns:     a BootPlan owns the config objects; it views the Inventory, which must outlive it.
// Threads:  one at a time.   Parks: never.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kernel/core/inventory.h"
#include "kernel/core/settings.h"

namespace coppice {

// An object that stands in for what a module or plugin would publish (tests).
struct Provided {
  InterfaceRef interface;
  std::string instance;
  void* object;
};

struct PlannedInstance {  // [vfs.data]
  const PluginEntry* plugin;
  std::string name;
  std::shared_ptr<void> config;
};

struct PlannedModule {
  const ModuleEntry* entry;
  std::shared_ptr<void> config;
  Bindings bindings;
  std::vector<std::string_view> needs;  // names of modules that start before it
};

// A section that defines an instance, whatever else is wrong with it: names of such are not
// reported as missing on top.
struct BrokenInstance {
  std::string interface;
  std::string name;
};

struct BootPlan {
  Settings settings;
  std::vector<PlannedInstance> instances;
  std::vector<PlannedModule> modules;  // each after those it needs
  std::vector<BrokenInstance> broken;
};

// Adds to `problems` all that is wrong; the plan may be used only when there are none.
BootPlan plan_boot(const Inventory& inventory, const ConfigValue& tree,
                   const std::vector<Provided>& provided, Problems& problems);

}  // namespace coppice
