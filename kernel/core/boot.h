// boot.h — boot phases 3 to 5: create, start, stop. (1 is config_toml.h, 2 is boot_plan.h.)
//
// Role:     builds what the plan says in its order, starts it, and stops it in reverse.
// Owns:     every plugin object and module; destroyed in reverse order of creation.
// Threads:  one fiber, the boot fiber.
// Parks:    start() and stop(), when a module does.
// Errors:   of the part that failed, with its name as context; what had started is stopped again.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernel/core/boot_plan.h"
#include "kernel/core/module.h"
#include "kernel/core/part_context.h"
#include "kernel/core/services.h"

namespace coppice {

class Boot {
 public:
  // `kernel` must outlive the Boot.
  Boot(BootPlan plan, const KernelServices& kernel, std::vector<Provided> provided = {});
  ~Boot();  // stop() has been called if start() was
  Boot(const Boot&) = delete;
  Boot& operator=(const Boot&) = delete;

  Status create();
  Status start();
  // All modules get the same deadline; each stop is logged with its time.
  void stop(Deadline deadline) noexcept;
  Deadline stop_deadline() const;  // [kernel] stop_timeout from now

  const BootPlan& plan() const { return plan_; }
  const Services& services() const { return services_; }

 private:
  struct Part {
    std::unique_ptr<PartContext> context;
    std::shared_ptr<void> plugin;    // of an instance, or
    std::unique_ptr<Module> module;  // of a module
    const PlannedModule* planned = nullptr;
  };
  Status create_instance(const PlannedInstance& instance);
  Status create_module(const PlannedModule& planned);
  Status check_published(const PlannedModule& planned) const;
  bool is_decorated(InterfaceRef interface) const;

  const BootPlan plan_;
  const KernelServices& kernel_;
  const std::vector<Provided> provided_;
  const Log log_;
  Services raw_;       // plugin instances as they were made
  Services services_;  // what everybody gets
  std::vector<Part> parts_;
  std::size_t started_ = 0;  // of parts_: those before this have been started
};

}  // namespace coppice
