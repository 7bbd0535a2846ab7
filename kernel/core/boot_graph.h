// boot_graph.h — who gets what from whom: instances bound to modules, modules put in order.
//
// Role:     the second half of boot_plan.cpp.   Threads: one at a time.   Parks: never.
#pragma once

#include <vector>

#include "kernel/core/boot_plan.h"

namespace coppice {

// Resolves every config key that names an instance, finds what each need is met by, and fills in
// Bindings and PlannedModule::needs. Says what is missing, doubly offered, or ambiguous.
void bind_modules(BootPlan& plan, const ConfigValue& tree, const Inventory& inventory,
                  const std::vector<Provided>& provided, Problems& problems);

// Sorts the modules so that each comes after those it needs; else says the cycle.
void order_modules(BootPlan& plan, Problems& problems);

}  // namespace coppice
