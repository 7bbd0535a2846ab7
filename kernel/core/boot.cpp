// boot.cpp — creating, starting and stopping the parts of a plan.
#include "kernel/core/boot.h"

#include <algorithm>
#include <ranges>

namespace coppice {

namespace {
double milliseconds(Duration duration) {
  return static_cast<double>(duration.count()) / 1e6;
}
}  // namespace

Boot::Boot(BootPlan plan, const KernelServices& kernel, std::vector<Provided> provided)
    : plan_(std::move(plan)),
      kernel_(kernel),
      provided_(std::move(provided)),
      log_(kernel.logs, "kernel") {
  parts_.reserve(plan_.instances.size() + plan_.modules.size());
}

Boot::~Boot() {
  COPPICE_ASSERT(started_ == 0);
  while (!parts_.empty()) {  // users before what they use
    parts_.back().module.reset();
    parts_.back().plugin.reset();
    parts_.pop_back();
  }
}

bool Boot::is_decorated(InterfaceRef interface) const {
  return std::ranges::any_of(plan_.modules, [&](const PlannedModule& module) {
    const auto& decorates = module.entry->decorates;
    return std::ranges::find(decorates, interface) != decorates.end();
  });
}

Status Boot::create() {
  for (const Provided& provided : provided_) {
    services_.publish_raw(provided.interface.type, provided.instance, provided.object);
  }
  for (const PlannedInstance& instance : plan_.instances) COPPICE_TRY(create_instance(instance));
  for (const PlannedModule& module : plan_.modules) COPPICE_TRY(create_module(module));
  return {};
}

Status Boot::create_instance(const PlannedInstance& instance) {
  const InterfaceRef interface = instance.plugin->interface;
  const std::string name = std::string(interface.name) + "." + instance.name;
  Part part;
  part.context = std::make_unique<PartContext>(kernel_, name);
  auto made = instance.plugin->create(instance.config.get(), *part.context);
  if (!made) return std::unexpected(std::move(made).error().context("creating [" + name + "]"));
  COPPICE_ASSERT(made->interface != nullptr);
  Services& to = is_decorated(interface) ? raw_ : services_;
  to.publish_raw(interface.type, instance.name, made->interface);
  part.plugin = std::move(made->owner);
  parts_.push_back(std::move(part));
  return {};
}

Status Boot::create_module(const PlannedModule& planned) {
  const std::string name(planned.entry->name);
  Part part;
  part.planned = &planned;
  part.context = std::make_unique<PartContext>(kernel_, name);
  const CreateInput input{services_, raw_, planned.bindings, *part.context};
  auto made = planned.entry->create(planned.config.get(), input);
  if (!made) {
    return std::unexpected(std::move(made).error().context("creating module \"" + name + "\""));
  }
  part.module = *std::move(made);
  COPPICE_ASSERT(part.module != nullptr);
  parts_.push_back(std::move(part));
  planned.entry->publish(*parts_.back().module, services_);
  return check_published(planned);
}

// A module that forgets to hand in what it declared is found here, not by a null in its user.
Status Boot::check_published(const PlannedModule& planned) const {
  const std::string prefix = "module \"" + std::string(planned.entry->name) + "\" ";
  for (const InterfaceRef& offer : planned.entry->offers) {
    if (services_.find_raw(offer.type, "") == nullptr) {
      return fail(Code::kInternal, prefix + "declares that it offers " + std::string(offer.name) +
                                       ", but publish() did not");
    }
  }
  for (const PlannedInstance& instance : plan_.instances) {
    const auto& decorates = planned.entry->decorates;
    const InterfaceRef interface = instance.plugin->interface;
    if (std::ranges::find(decorates, interface) == decorates.end()) continue;
    if (services_.find_raw(interface.type, instance.name) == nullptr) {
      return fail(Code::kInternal, prefix + "decorates " + std::string(interface.name) +
                                       ", but did not publish \"" + instance.name + "\"");
    }
  }
  return {};
}

Status Boot::start() {
  for (Part& part : parts_) {
    ++started_;
    if (part.module == nullptr) continue;
    const std::string_view name = part.planned->entry->name;
    const Instant before = kernel_.clock.now();
    Status status = part.module->start();
    const double took_ms = milliseconds(kernel_.clock.now() - before);
    if (!status) {
      --started_;  // its own stop() is not called
      stop(stop_deadline());
      return std::unexpected(
          std::move(status).error().context("starting module \"" + std::string(name) + "\""));
    }
    log_.info("started", "module={} took_ms={:.3f}", name, took_ms);
  }
  return {};
}

Deadline Boot::stop_deadline() const {
  return kernel_.clock.now() + plan_.settings.kernel.stop_timeout;
}

void Boot::stop(Deadline deadline) noexcept {
  while (started_ > 0) {
    Part& part = parts_[--started_];
    if (part.module == nullptr) continue;
    const Instant before = kernel_.clock.now();
    part.module->stop(deadline);
    log_.info("stopped", "module={} took_ms={:.3f}", part.planned->entry->name,
              milliseconds(kernel_.clock.now() - before));
  }
}

}  // namespace coppice
